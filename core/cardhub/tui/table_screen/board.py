"""The board: a sheet on the screen, with a cursor."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from typing_extensions import override

from cardhub.text.sheet import Line, Sheet
from cardhub.tui.table_screen.cursor import (
    Direction,
    Stop,
    distance,
    find_stops,
    neighbour,
    spot_at,
)
from cardhub.tui.table_screen.styles import ANSI, DARK, LIGHT, SpanStyles
from cardhub.tui.table_screen.table_messages import (
    ActionChosen,
    ChoiceWanted,
    IllegalChosen,
    Pointed,
    WhyAsked,
)
from cardhub.tui.textual_themes import card_colours
from cardhub.view.spots import Spot

# Lays out a sheet for a width in cells.
Draw = Callable[[int], Sheet]
# Describes a spot.
Explain = Callable[[Spot], str]


class Board(ScrollView, can_focus=True):
    """Shows a sheet, laid out for the current width; posts messages about its spots."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "go('left')", "Left", show=False, id="board.left"),
        Binding("right,l", "go('right')", "Right", show=False, id="board.right"),
        Binding("up,k", "go('up')", "Up", show=False, id="board.up"),
        Binding("down,j", "go('down')", "Down", show=False, id="board.down"),
        Binding("home", "first", "First", show=False, id="board.first"),
        Binding("end", "last", "Last", show=False, id="board.last"),
        Binding("n", "next_legal", "Next legal", show=False, id="board.next"),
        Binding("e", "inspect", "Read all", show=False, id="board.inspect"),
        Binding("enter,space", "choose", "Act", show=False, id="board.choose"),
        *(
            Binding(str(n), f"pick({n})", f"Button {n}", show=False, id=f"board.pick{n}")
            for n in range(1, 10)
        ),
    ]
    DEFAULT_CSS = """
    Board { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw: Draw | None = None
        self._explain: Explain = str
        self._lines: tuple[Line, ...] = ()
        self._sheet: Sheet | None = None
        self._stops: list[Stop] = []
        self._current = 0  # the index of the cursor's stop
        self._pointed: Spot | None = None  # the spot that was described last
        self._column = 0.0  # up and down keep to it, also across shorter lines
        self._styles = SpanStyles(DARK)

    @property
    def cursor(self) -> Spot | None:
        """The spot at the cursor."""
        return self._stops[self._current].spot if self._stops else None

    @property
    def stops(self) -> Sequence[Stop]:
        """The stops of the cursor, in lines and cells of the sheet."""
        return self._stops

    def show(self, draw: Draw, explain: Explain) -> None:
        """Show the sheet that the callback `draw` lays out, now and after every change of size."""
        self._draw, self._explain = draw, explain
        self._styles = SpanStyles(self._colours())
        if self.size.width:
            self._lay_out()
        else:  # hidden behind the log: keys must not choose from the sheet before
            self._sheet, self._stops, self._current = None, [], 0

    def _colours(self) -> Mapping[str, str]:
        if self.app.native_ansi_color:
            return ANSI
        theme = self.app.current_theme
        return (DARK if theme.dark else LIGHT) | card_colours(theme.variables)

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self._lay_out()

    @override
    def render_line(self, y: int) -> Strip:
        offset, width = self.scroll_offset, self.size.width
        number = y + offset.y
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        strip = Strip(self._styles.segments(self._lines[number], self.cursor_spots()))
        # A wide board scrolls sideways, so that a line may begin left of the visible part.
        strip = strip.crop_extend(offset.x, offset.x + width, None)
        return strip.apply_style(self.rich_style)

    def action_go(self, direction: Direction) -> None:
        """Move the cursor."""
        if self._stops:
            column = self._column
            self._move_to(neighbour(self._stops, self._current, direction, column))
            if direction in ("up", "down"):  # `_move_to` has set it to the middle of the stop
                self._column = column

    def action_first(self) -> None:
        """Move the cursor to the first stop."""
        self._move_to(0)

    def action_last(self) -> None:
        """Move the cursor to the last stop."""
        self._move_to(len(self._stops) - 1)

    def action_next_legal(self) -> None:
        """Move the cursor to the next legal stop."""
        legal = self._legal_stops()
        if legal:
            self._move_to(next((n for n in legal if n > self._current), legal[0]))

    def action_choose(self) -> None:
        """Choose the spot at the cursor."""
        if self.cursor is not None:
            self._choose(self.cursor)

    def action_inspect(self) -> None:
        """Show the whole description of the spot at the cursor."""
        if self.cursor is not None:
            self.inspect(self.cursor)

    def action_pick(self, number: int) -> None:
        """Choose a button by its number, or a legal spot of the table if there is no button."""
        legal = [self._stops[n].spot for n in self._legal_stops()]
        buttons = [spot for spot in legal if spot.kind == "button"]
        choices = buttons or legal
        if number <= len(choices):
            self._go_to(choices[number - 1])
            self._choose(choices[number - 1])

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked spot."""
        spot = self._spot_under(event)
        if spot is not None:
            self._go_to(spot)
            self._choose(spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Describe the spot under the mouse."""
        spot = self._spot_under(event)
        # Only once: the line below may have more to say about the spot meanwhile.
        if spot is not None and spot != self._pointed:
            self._point(spot)

    def _lay_out(self) -> None:
        if self._draw is None:
            return
        before = self._stops[self._current] if self._stops else None
        # The scrollbar is not part of this width, so a sheet is never covered by it.
        self._sheet = self._draw(self.scrollable_content_region.width)
        self._lines = (*self._sheet.lines, (), *self._sheet.buttons)
        self._stops = find_stops(self._lines)
        width = max((sum(s.width for s in line) for line in self._lines), default=0)
        self.virtual_size = Size(width, len(self._lines))
        self._current = self._stop_after(before)
        self._move_to(self._current)

    def _stop_after(self, before: Stop | None) -> int:
        """Return the stop of the same spot, or the nearest legal one if that is not legal now."""
        # An action often removes its card: the cursor goes on to the nearest legal one,
        # so that several cards can be laid by pressing Enter repeatedly.
        legal = self._legal_stops()
        kept = [n for n, stop in enumerate(self._stops) if before and stop.spot == before.spot]
        if kept and (not legal or self._stops[kept[0]].is_legal):
            return kept[0]
        choice = legal or range(len(self._stops))
        if before is None or not choice:
            return choice[0] if choice else 0
        line, column = before.line, before.middle
        return min(choice, key=lambda n: distance(self._stops[n], line, column))

    def _legal_stops(self) -> list[int]:
        return [n for n, stop in enumerate(self._stops) if stop.is_legal]

    def _move_to(self, number: int) -> None:
        if self._stops:
            self._current = number
            self._column = self._stops[number].middle
            self._scroll_to_cursor()
            self._point(self._stops[number].spot)
        self.refresh()

    def _scroll_to_cursor(self) -> None:
        stop = self._stops[self._current]
        # One line above it, where a heading may be, and one beneath, where details are.
        region = Region(stop.start, max(0, stop.line - 1), stop.end - stop.start, 3)
        self.scroll_to_region(region, animate=False, force=True)

    def _go_to(self, spot: Spot) -> None:
        for number, stop in enumerate(self._stops):
            if stop.spot == spot:
                self._move_to(number)

    def cursor_spots(self) -> Sequence[Spot]:
        """Return the spot at the cursor, then the other spots of its actions."""
        if self.cursor is None or not self.has_focus:
            return ()
        others = self._sheet.companions(self.cursor) if self._sheet else frozenset()
        return (self.cursor, *(others - {self.cursor}))

    def _choose(self, spot: Spot) -> None:
        actions = self._sheet.legal.get(spot, ()) if self._sheet else ()
        if len(actions) == 1:
            self.post_message(ActionChosen(actions[0]))
        elif actions:
            self.post_message(ChoiceWanted(actions))
        else:
            self.post_message(IllegalChosen(spot))

    def ask_why(self) -> None:
        """Post WhyAsked for the cursor; after the description of the spot, which is posted too."""
        if self.cursor is not None:
            self.post_message(WhyAsked(self.cursor))

    def inspect(self, spot: Spot) -> None:
        """Show the whole description of a spot."""
        self._point(spot, is_opened=True)

    def _point(self, spot: Spot, *, is_opened: bool = False) -> None:
        self._pointed = spot
        names = self._sheet.names(spot) if self._sheet and spot.area >= 0 else []
        text = " ".join([self._explain(spot), *(f"[{name}]" for name in names)])
        self.post_message(Pointed(text, is_opened))

    def _spot_under(self, event: events.MouseEvent) -> Spot | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        line = offset.y + self.scroll_offset.y
        if line >= len(self._lines):
            return None
        return spot_at(self._lines[line], offset.x + self.scroll_offset.x)
