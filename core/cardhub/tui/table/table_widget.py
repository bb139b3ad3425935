"""The widget of a table: drawing, cursor, keys, mouse, messages, and details of spots."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.play.table_model import TableModel, TableReader
from cardhub.tui.keys import (
    CURSOR_KEYS,
    INSPECT_KEY,
    NUMBER_KEYS,
    Key,
    bindings,
    fitting,
    key_at,
    key_repeat,
)
from cardhub.tui.palette import Palette, palette_of, rich_style
from cardhub.view.explain.card_texts import sentences
from cardhub.view.layout.buttons import find_press, numbered
from cardhub.view.layout.canvas import Box, Frame, Run, Stop, TableGlyphs
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.table_painter import FooterKey, TableTexts
from cardhub.view.layout.navigation import (
    Direction,
    kept_spot,
    nearest,
    next_group,
    next_legal,
    next_region,
    stop_at,
    stop_of,
)
from cardhub.view.layout.plan import Plan, PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import Shape, shape_of
from cardhub.view.view import AreaView, CardCatalogue, ChoiceView, GridView, LogLine, Spot, View

# The regions in the middle of the table, drawn on another background.
MIDDLE = frozenset(("fronts", "centre", "own_front", "board"))

NO_FRAME = Frame(0, 0, (), ())
ASKS_AMOUNT = "Enter asks for the amount."

# Returns whether a key has an effect now.
Works = Callable[[Key], bool]


@dataclass
class SpotPointed(Message):
    """The cursor is at a spot, or the mouse if `is_hovered`.

    `is_kept`: the view is new, and the person did not move the cursor.
    """

    spot: Spot
    is_hovered: bool = False
    is_kept: bool = False


@dataclass
class SpotChosen(Message):
    """The person wants to act at a spot; `picked`: the action that is shown of several there."""

    spot: Spot
    picked: int | None = None


@dataclass
class KeyIgnored(Message):
    """A key did not act; `reason` says why, as a sentence."""

    reason: str


class TextWanted(Message):
    """The person wants to read the whole detail."""


@dataclass
class StepChosen(Message):
    """The person clicked a line of the log about this step."""

    step: int


# Rows by which one turn of the wheel scrolls the log.
WHEEL_ROWS = 3


class TableDrawing:
    """The frame of a table as strips; `draw` makes it from a view, texts and a cursor.

    `draws`: the number of frames drawn; `plan`: the plan of the frame, None before the first one.
    """

    def __init__(self, glyphs: TableGlyphs) -> None:
        self.draws = 0
        self.view: View | None = None
        self.plan: Plan | None = None
        self.frame = NO_FRAME
        self.strips: list[Strip] = []
        self._catalogue = CardCatalogue(faces=(), backs=())
        self._shape: Shape | None = None
        self._glyphs = glyphs

    def set_view(self, view: View, catalogue: CardCatalogue) -> None:
        """Set the view to draw."""
        if self.view is None or self.view.game != view.game:
            self._shape = None
        # A shape only grows during a game, so regions do not move.
        self._shape = shape_of(view, catalogue, self._shape)
        self.view, self._catalogue = view, catalogue

    def clear(self) -> None:
        """Drop the view and its frame."""
        self.view, self.frame, self.strips = None, NO_FRAME, []

    def boxes(self) -> Sequence[tuple[str, Box]]:
        """Return the regions of the frame with their boxes."""
        return tuple(self.plan.regions.items()) if self.plan else ()

    def draw(
        self,
        size: TerminalSize,
        options: PlanOptions,
        texts: TableTexts,
        cursor: Spot | None,
        picked: int | None,
        palette: Palette,
    ) -> None:
        """Draw the view."""
        assert self.view is not None
        assert self._shape is not None
        self.draws += 1
        self.plan = plan_of(self._shape, size, options)
        self.frame = draw(
            self.view, self._catalogue, self.plan, texts, cursor, picked, self._glyphs
        )
        self.strips = list(self._styled(palette))

    def _styled(self, palette: Palette) -> Iterator[Strip]:
        boxes = [box for name, box in self.boxes() if name in MIDDLE]
        # Blank rows between the regions of the middle also get its background.
        rows = range(boxes[0].y, boxes[-1].y + boxes[-1].height) if boxes else ()
        for y, row in enumerate(self.frame.rows):
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


class TableWidget(Widget, can_focus=True):
    """A table with its cursor, keys and mouse, played or replayed; it does not act itself.

    It draws a frame on demand: several changes before a refresh cost one drawing. `picked`: the
    action to show if the cursor has several.
    """

    DEFAULT_CSS = "TableWidget { width: 1fr; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = bindings((*CURSOR_KEYS, *NUMBER_KEYS))

    def __init__(self, glyphs: TableGlyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor: Spot | None = None
        self.picked: int | None = None
        self.texts = TableTexts()
        self._drawing = TableDrawing(glyphs)
        self._is_stale = False
        self._options = PlanOptions()
        self._palette: Palette | None = None  # the colours of the last drawing
        self._keys: Sequence[Key] = ()
        self._works: Works = bool
        self._stop: Stop | None = None  # the last stop of the cursor, also after its card is gone
        self._hovered: Spot | None = None
        self._is_placed = False  # the person moved the cursor since they are to act
        self._was_to_act = False
        self._described = -1  # the revision of the view in which the cursor was described last
        self._typed = ""  # the digits of a number so far

    @property
    def draws(self) -> int:
        """The number of drawn frames."""
        return self._drawing.draws

    @property
    def frame(self) -> Frame:
        """The drawn frame."""
        self._draw_changes()
        return self._drawing.frame

    @property
    def plan(self) -> Plan | None:
        """The plan of the frame; None before there is a view."""
        self._draw_changes()
        return self._drawing.plan

    def show_view(self, view: View, catalogue: CardCatalogue, log: Sequence[LogLine]) -> None:
        """Show a view and the log up to it; the cursor stays at its card if that is harmless."""
        self._drawing.set_view(view, catalogue)
        self.texts = self.texts._replace(log=log, scroll=0)
        self.outdate()
        self._keep_cursor()

    def clear(self) -> None:
        """Show an empty widget."""
        self._drawing.clear()
        self._stop, self.cursor, self.picked = None, None, None
        self.texts = TableTexts()
        self._is_stale = False
        self.refresh()

    def change(self, **texts: Any) -> None:
        """Draw again with other texts; see TableTexts."""
        changed = self.texts._replace(**texts)
        if changed != self.texts:
            self.texts = changed
            self.outdate()

    def clear_detail(self) -> None:
        """Clear the detail until the next view is shown, which describes the cursor's spot."""
        self.change(title="", detail="")
        self._described = -1

    def set_keys(self, keys: Sequence[Key], works: Works) -> None:
        """Set the keys of the footer; keys without effect are dimmed, or hidden after the game."""
        self._keys, self._works = keys, works

    def footer_keys(self) -> Sequence[Key]:
        """Return the keys that the footer shows now."""
        keys = _footer_keys(self._keys, self._works, self._view, self._options)
        if self._drawing.frame.is_cut and keys:
            keys.insert(0, INSPECT_KEY)
        return fitting(keys, self.size.width)

    def set_options(self, options: PlanOptions) -> None:
        """Plan the table again with other options."""
        if options != self._options:
            self._options = options
            self.outdate()

    def outdate(self) -> None:
        """Draw the frame again before it is shown."""
        self._is_stale = True
        self.refresh()

    def on_mount(self) -> None:
        """Draw again after each change of colours, which Textual also announces at the start."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self._use_colours())

    @override
    def render_line(self, y: int) -> Strip:
        self._draw_changes()
        width, strips = self.size.width, self._drawing.strips
        if y >= len(strips):
            return Strip.blank(width, self.rich_style)
        return strips[y].crop_extend(0, width, None)

    def _draw_changes(self) -> None:
        if not self._is_stale or self._view is None or not self.size.width:
            return
        self._is_stale = False
        was_cut = self._drawing.frame.is_cut
        self._draw()
        if self._drawing.frame.is_cut != was_cut:
            self._draw()  # with other keys in the footer
        self._stop = stop_of(self._drawing.frame.stops, self.cursor) or self._stop

    def _draw(self) -> None:
        footer = [FooterKey(key.shown, key.label, self._works(key)) for key in self.footer_keys()]
        self._palette = palette_of(self.app)
        self._drawing.draw(
            TerminalSize(self.size.width, self.size.height),
            self._options,
            self.texts._replace(footer=footer),
            self.cursor,
            self.picked,
            self._palette,
        )

    def _use_colours(self) -> None:
        if palette_of(self.app) != self._palette:
            self.outdate()

    @property
    def _view(self) -> View | None:
        return self._drawing.view

    def point_at(self, spot: Spot) -> None:
        """Move the cursor to a spot, if it is a stop."""
        if stop_of(self.frame.stops, spot) is not None:
            self._go_to(spot)

    def on_resize(self) -> None:
        """Plan and draw for the new size."""
        self.outdate()
        if self.cursor is None:
            self._keep_cursor()

    def action_go(self, direction: Direction) -> None:
        """Move the cursor to the nearest stop in a direction."""
        self._go_to(nearest(self.frame.stops, self.cursor, direction))

    def action_first(self) -> None:
        """Move the cursor to the first stop."""
        self._go_to(self.frame.stops[0].spot if self.frame.stops else None)

    def action_last(self) -> None:
        """Move the cursor to the last stop."""
        self._go_to(self.frame.stops[-1].spot if self.frame.stops else None)

    def action_region(self, step: int) -> None:
        """Move the cursor to another region; on a board to another group of one action."""
        if self._view is None:
            return
        group = next_group(self._view, self.cursor, self.picked, step)
        if group is None or not any(isinstance(area, GridView) for area in self._view.areas):
            self._go_to(next_region(self.frame.stops, self.cursor, step))
            return
        spots = next(choice.spots for choice in self._view.choices if choice.action == group)
        self._go_to(spots[0], picked=group)

    def action_legal(self, step: int) -> None:
        """Move the cursor to another legal spot."""
        if self._view is not None:
            self._go_to(next_legal(self.frame.stops, self._view, self.cursor, step) or self.cursor)

    def action_choose(self) -> None:
        """Act at the cursor."""
        if self.cursor is None or not self.frame.stops:
            return
        if reason := key_repeat(self.app).why_ignored:
            self.post_message(KeyIgnored(reason))
        else:
            self._choose(self.cursor)

    def action_inspect(self) -> None:
        """Open the whole detail."""
        self.post_message(TextWanted())

    def action_pick(self, digit: str) -> None:
        """Press the button with a number, typed digit by digit; or act at a legal spot."""
        # Without stops the terminal is too small for a table.
        if self._view is None or not self.frame.stops:
            return
        # The second digit of 11 is allowed, because the first one has not acted.
        reason = key_repeat(self.app).why_ignored
        if reason and not self._typed:
            self.post_message(KeyIgnored(reason))
            return
        # Digits belong to one number until another key is pressed or a button is reached.
        typed = self._typed + digit
        press = find_press(self._view, typed) or find_press(self._view, digit)
        self._typed = typed if press and not press.is_final else ""
        if press is not None:
            self._go_to(press.choice.spots[0], press.choice.action)
            if press.is_final:
                self._choose(press.choice.spots[0])
        elif not numbered(self._view):
            self._pick_legal(int(digit))

    def _pick_legal(self, number: int) -> None:
        """Act at a legal spot by its number, if the table has no buttons."""
        legal = self._view.legal_spots() if self._view else {}
        spots = [stop.spot for stop in self.frame.stops if stop.spot in legal]
        if 0 < number <= len(spots):
            self._go_to(spots[number - 1])
            self._choose(spots[number - 1])

    def action_scroll_log(self, rows: int) -> None:
        """Scroll the log back by `rows`, or forward if the number is negative."""
        shown = self.frame.logged.values()
        first = self.texts.log[0].step if self.texts.log else 0
        if rows < 0 or (shown and min(shown) > first):
            self.change(scroll=max(0, self.texts.scroll + rows))

    def on_click(self, event: events.Click) -> None:
        """Point at a spot, act if the cursor is already there, or go to a step of the log."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        stop = stop_at(self.frame.stops, offset.x, offset.y)
        if stop is None:
            self._click_elsewhere(offset.x, offset.y)
        elif stop.spot == self.cursor:
            self._choose(stop.spot)
        else:
            self._go_to(stop.spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Describe the spot under the mouse."""
        offset = event.get_content_offset(self)
        stop = stop_at(self.frame.stops, offset.x, offset.y) if offset else None
        spot = stop.spot if stop else None
        # Once for each spot, because details may be extended while the mouse rests there.
        if spot != self._hovered:
            self._hovered = spot
            if spot is not None:
                self.post_message(SpotPointed(spot, is_hovered=True))

    def on_mouse_scroll_up(self) -> None:
        """Scroll the log back."""
        self.action_scroll_log(WHEEL_ROWS)

    def on_mouse_scroll_down(self) -> None:
        """Scroll the log forward."""
        self.action_scroll_log(-WHEEL_ROWS)

    def _click_elsewhere(self, x: int, y: int) -> None:
        """Handle a click on the footer, the log or the detail."""
        region = next((name for name, box in self._drawing.boxes() if _is_in(box, x, y)), "")
        if region == "footer":
            key = key_at(self.footer_keys(), x)
            if key is not None:
                target = self if key in CURSOR_KEYS else self.screen
                self.screen.call_later(target.run_action, key.action)
        elif region == "log":
            for box, step in self.frame.logged.items():
                if _is_in(box, x, y):
                    self.post_message(StepChosen(step))
        elif region in ("detail", "here"):
            self.action_inspect()

    def _keep_cursor(self) -> None:
        if self._view is None or not self.frame.stops:
            return
        # At the beginning of a turn, the place of the cursor may be another player's card.
        begins = bool(self._view.choices) and not self._was_to_act
        self._was_to_act = bool(self._view.choices)
        self._is_placed = self._is_placed and not begins
        spot = kept_spot(self.frame.stops, self._stop, self._view, is_placed=self._is_placed)
        if spot != self.cursor:
            self._go_to(spot, is_placed=False)
        elif spot is not None and self._view.revision != self._described:
            self.post_message(SpotPointed(spot, is_kept=True))
        self._described = self._view.revision

    def _choose(self, spot: Spot) -> None:
        # After an action, the place of the cursor is not the person's choice any more.
        self._is_placed = False
        self.post_message(SpotChosen(spot, self.picked))

    def _go_to(
        self, spot: Spot | None, picked: int | None = None, *, is_placed: bool = True
    ) -> None:
        if (spot, picked) == (self.cursor, self.picked):
            return
        self.cursor, self.picked, self._is_placed = spot, picked, is_placed
        self.texts = self.texts._replace(title="", detail="")
        self.outdate()
        if spot is not None:
            self.post_message(SpotPointed(spot, is_kept=not is_placed))


def _is_in(box: Box, x: int, y: int) -> bool:
    return box.x <= x < box.x + box.width and box.y <= y < box.y + box.height


# Is called with the detail of a spot: a title in the first line, other texts in the second.
OnDetail = Callable[[str], None]


class DetailReader:
    """Asks a table about a spot; late answers about an earlier spot are dropped."""

    def __init__(self) -> None:
        self._number = 0

    def ask(
        self,
        reader: TableReader,
        view: View,
        spot: Spot,
        picked: int | None,
        on_detail: OnDetail,
        ask_why: Callable[[Spot, OnDetail], None] | None = None,
    ) -> None:
        """Call `on_detail` with the detail, and again after each further part of it arrives.

        `ask_why`: asks why a card in the viewer's hand is not legal.
        """
        self._number += 1
        number = self._number
        parts = {"about": "", "then": ""}

        def put(part: str, text: str) -> None:
            if number == self._number:
                parts[part] = text
                title, _, about = parts["about"].partition("\n")
                on_detail(f"{title}\n{sentences(about, parts['then'])}")

        reader.explain(spot, lambda text: put("about", text))
        choices = view.choices_at(spot)
        chosen = [choice for choice in choices if choice.action == picked] or choices
        if len(chosen) == 1:
            (choice,) = chosen
            if choice.amounts is not None:
                # A consequence is that of one amount.
                put("then", ASKS_AMOUNT)
                return
            enter = _enter(choice, spot)
            reader.consequence(choice.action, lambda text: put("then", sentences(enter, text)))
        elif choices:
            put("then", f"Enter lets you choose: {', '.join(choice.name for choice in choices)}.")
        elif ask_why is not None and view.choices and in_own_hand(view, spot):
            ask_why(spot, lambda text: put("then", text))

    def ask_why(self, model: TableModel, spot: Spot, on_detail: OnDetail) -> None:
        """Call `on_detail` with why no action is possible at a spot, or with its actions."""
        self._number += 1
        number = self._number

        def put(text: str) -> None:
            if number == self._number:
                on_detail(text)

        model.why_not(spot, put)

    def drop(self) -> None:
        """Ignore answers that arrive later."""
        self._number += 1


def _footer_keys(
    keys: Sequence[Key], works: Works, view: View | None, options: PlanOptions
) -> list[Key]:
    """Return the keys of a footer; after a game, only those with an effect.

    A replay keeps its keys, because it goes back from the end of its game.
    """
    is_over = view is not None and view.is_over and not options.controls
    return [key for key in keys if works(key) or not (key.hides or is_over)]


def in_own_hand(view: View, spot: Spot) -> bool:
    """Return whether a spot is a card in the viewer's hand."""
    if spot.kind != "card" or not 0 <= spot.area < len(view.areas):
        return False
    area = view.areas[spot.area]
    return isinstance(area, AreaView) and area.region == "hand"


def _enter(choice: ChoiceView, spot: Spot) -> str:
    """Return the effect of Enter: empty for a button, the verb for a card or a site."""
    if spot.kind == "button":
        return ""
    # At an area the verb may mean little without its object, as in `on A`.
    is_clear = choice.spots == (spot,) and spot.kind != "area"
    return f"Enter: {choice.verb if is_clear else choice.name}"
