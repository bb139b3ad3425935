"""The widget of a frame: plans and draws a view line by line, in the colours of the theme."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.tui.keys import Key, fitting
from cardhub.tui.palette import Palette, rich_style
from cardhub.tui.textual_themes import palette_of
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.table_painter import FooterKey, TableTexts
from cardhub.view.layout.frame import Box, Frame, Run, Stop
from cardhub.view.layout.navigation import stop_of
from cardhub.view.layout.plan import Plan, PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import Shape
from cardhub.view.layout.table_glyphs import TableGlyphs
from cardhub.view.spots import Spot
from cardhub.view.view import CardCatalogue, View

# Regions where cards meet, on a background of their own.
MIDDLE = frozenset(("fronts", "centre", "own_front", "board"))

NO_FRAME = Frame(0, 0, (), ())

# Tells whether a key has an effect now.
Works = Callable[[Key], bool]


class FrameWidget(Widget, can_focus=True):
    """Draws a view, the present texts around it and a cursor; it handles no keys.

    A frame is drawn when it is asked for first after changes: several changes cost one drawing.
    `draws` counts the frames drawn, `picked` is the action shown of several at the cursor.
    """

    DEFAULT_CSS = "FrameWidget { width: 1fr; height: 1fr; }"

    def __init__(self, glyphs: TableGlyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.draws = 0
        self.cursor: Spot | None = None
        self.picked: int | None = None
        self._frame = NO_FRAME
        self._planned: Plan | None = None
        self._is_stale = False
        self._glyphs = glyphs
        self.texts = TableTexts()
        self._options = PlanOptions()
        self._view: View | None = None
        self._catalogue = CardCatalogue(faces=(), backs=())
        self._shape: Shape | None = None
        self._keys: Sequence[Key] = ()
        self._works: Works = bool
        self._strips: list[Strip] = []
        self._stop: Stop | None = None
        self._hovered: Spot | None = None
        self._is_placed = False
        self._described = -1  # the revision of the view in which the cursor was described last
        self._typed = ""  # the digits of a number so far

    @property
    def frame(self) -> Frame:
        """The drawn frame."""
        self._draw_changes()
        return self._frame

    @property
    def plan(self) -> Plan | None:
        """The plan of the frame; None before there is a view."""
        self._draw_changes()
        return self._planned

    def change(self, **texts: Any) -> None:
        """Draw again with other texts; see TableTexts."""
        changed = self.texts._replace(**texts)
        if changed != self.texts:
            self.texts = changed
            self.outdate()

    def set_keys(self, keys: Sequence[Key], works: Works) -> None:
        """Set the keys of the footer; those that do not work now are dimmed."""
        self._keys, self._works = keys, works

    def footer_keys(self) -> Sequence[Key]:
        """Return the keys that the footer shows now."""
        keys = [key for key in self._keys if not key.hides or self._works(key)]
        return fitting(keys, self.size.width)

    def set_options(self, options: PlanOptions) -> None:
        """Plan the table again, with other options."""
        if options != self._options:
            self._options = options
            self.outdate()

    def on_mount(self) -> None:
        """Draw again after a change of theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.outdate())

    @override
    def render_line(self, y: int) -> Strip:
        self._draw_changes()
        width = self.size.width
        if y >= len(self._strips):
            return Strip.blank(width, self.rich_style)
        return self._strips[y].crop_extend(0, width, None)

    def _boxes(self) -> Sequence[tuple[str, Box]]:
        return tuple(self._planned.regions.items()) if self._planned else ()

    def outdate(self) -> None:
        """Have the frame drawn again before it is shown."""
        self._is_stale = True
        self.refresh()

    def _draw_changes(self) -> None:
        is_shown = self._view is not None and self._shape is not None and bool(self.size.width)
        if self._is_stale and is_shown:
            self._is_stale = False
            self._draw()

    def _draw(self) -> None:
        assert self._view is not None
        assert self._shape is not None
        self.draws += 1
        size = TerminalSize(self.size.width, self.size.height)
        self._planned = plan_of(self._shape, size, self._options)
        keys = self.footer_keys()
        footer = [FooterKey(key.shown, key.label, self._works(key)) for key in keys]
        self._frame = draw(
            self._view,
            self._catalogue,
            self._planned,
            self.texts._replace(footer=footer),
            self.cursor,
            self.picked,
            self._glyphs,
        )
        # The last stop of the cursor tells where it was once its card is gone.
        self._stop = stop_of(self._frame.stops, self.cursor) or self._stop
        self._strips = list(self._styled())

    def _styled(self) -> Iterator[Strip]:
        palette = palette_of(self.app)
        boxes = [box for name, box in self._boxes() if name in MIDDLE]
        # From the first of them to the last: the blank rows between them belong to the middle.
        rows = range(boxes[0].y, boxes[-1].y + boxes[-1].height) if boxes else ()
        for y, row in enumerate(self._frame.rows):
            strip = _strip(row, palette, is_middle=False)
            if y in rows:
                box = boxes[0]
                end = box.x + box.width
                middle = _strip(row, palette, is_middle=True).crop(box.x, end)
                strip = Strip.join([strip.crop(0, box.x), middle, strip.crop(end)])
            yield strip


def _strip(row: Sequence[Run], palette: Palette, *, is_middle: bool) -> Strip:
    return Strip(
        [Segment(text, rich_style(palette, style, is_middle=is_middle)) for text, style in row]
    )
