"""The board: a sheet on the screen, with a cursor."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cardhub.text.sheet import Line, Sheet, Spot
from cardhub.tui.table_screen.cursor import (
    Direction,
    Stop,
    distance,
    find_stops,
    neighbour,
    spot_at,
)
from cardhub.tui.table_screen.styles import ANSI, DARK, LIGHT, SpanStyles
from cardhub.tui.table_screen.table_messages import ActionChosen, ChoiceWanted, Pointed
from cardhub.tui.textual_themes import card_colours

Draw = Callable[[int], Sheet]
"""Lays out what is to be shown in so many cells."""
Explain = Callable[[Spot], str]
"""Says what is at a spot."""


class Board(ScrollView, can_focus=True):
    """Shows a sheet, drawn anew for every width; posts ActionChosen, ChoiceWanted and Pointed."""

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
        self._place = 0
        self._column = 0.0  # where the cursor aims when it goes up or down
        self._paint = SpanStyles(DARK)

    @property
    def cursor(self) -> Spot | None:
        """What the cursor stands on."""
        return self._stops[self._place].spot if self._stops else None

    @property
    def stops(self) -> Sequence[Stop]:
        """Where the cursor can stand, in lines and cells of the sheet."""
        return self._stops

    def show(self, draw: Draw, explain: Explain) -> None:
        """Show what `draw` lays out, now and after every change of size."""
        self._draw, self._explain = draw, explain
        self._paint = SpanStyles(self._colours())
        if self.size.width:
            self._lay_out()
        else:  # out of sight: nothing of what was there can be chosen any more
            self._sheet, self._stops, self._place = None, [], 0

    def _colours(self) -> Mapping[str, str]:
        if self.app.native_ansi_color:
            return ANSI
        theme = self.app.current_theme
        return (DARK if theme.dark else LIGHT) | card_colours(theme.variables)

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """Return one line of the visible part."""
        offset, width = self.scroll_offset, self.size.width
        number = y + offset.y
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        strip = Strip(self._paint.segments(self._lines[number], self._cursor_spots()))
        strip = strip.crop_extend(offset.x, offset.x + width, None)
        return strip.apply_style(self.rich_style)

    def action_go(self, direction: Direction) -> None:
        """Move the cursor."""
        if self._stops:
            column = self._column
            self._set_place(neighbour(self._stops, self._place, direction, column))
            if direction in ("up", "down"):
                self._column = column

    def action_first(self) -> None:
        """Move the cursor to the first stop."""
        self._set_place(0)

    def action_last(self) -> None:
        """Move the cursor to the last stop."""
        self._set_place(len(self._stops) - 1)

    def action_next_legal(self) -> None:
        """Move the cursor to the next stop with which something can be done."""
        legal = self._legal_places()
        if legal:
            self._set_place(next((n for n in legal if n > self._place), legal[0]))

    def action_choose(self) -> None:
        """Do what can be done at the cursor."""
        if self.cursor is not None:
            self._choose(self.cursor)

    def action_inspect(self) -> None:
        """Have everything told about what the cursor stands on."""
        if self.cursor is not None:
            self._point(self.cursor, opened=True)

    def action_pick(self, number: int) -> None:
        """Choose a button by its number, or what is legal on the table if there is no button."""
        legal = [self._stops[n].spot for n in self._legal_places()]
        buttons = [spot for spot in legal if spot.target.kind == "button"]
        choices = buttons or legal
        if number <= len(choices):
            self._go_to(choices[number - 1])
            self._choose(choices[number - 1])

    def on_click(self, event: events.Click) -> None:
        """Do what can be done with what was clicked."""
        spot = self._spot_under(event)
        if spot is not None:
            self._go_to(spot)
            self._choose(spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say what is under the mouse."""
        spot = self._spot_under(event)
        if spot is not None:
            self._point(spot)

    def _lay_out(self) -> None:
        if self._draw is None:
            return
        before = self._stops[self._place] if self._stops else None
        self._sheet = self._draw(self.scrollable_content_region.width)
        self._lines = (*self._sheet.lines, (), *self._sheet.buttons)
        self._stops = find_stops(self._lines)
        width = max((sum(s.width for s in line) for line in self._lines), default=0)
        self.virtual_size = Size(width, len(self._lines))
        self._place = self._place_of(before)
        self._set_place(self._place)

    def _place_of(self, before: Stop | None) -> int:
        """Return where the cursor stays: it leaves what is idle now for what is legal nearby."""
        legal = self._legal_places()
        kept = [n for n, stop in enumerate(self._stops) if before and stop.spot == before.spot]
        if kept and (not legal or self._stops[kept[0]].is_legal):
            return kept[0]
        choice = legal or range(len(self._stops))
        if before is None or not choice:
            return choice[0] if choice else 0
        line, column = before.line, before.middle
        return min(choice, key=lambda n: distance(self._stops[n], line, column))

    def _legal_places(self) -> list[int]:
        return [n for n, stop in enumerate(self._stops) if stop.is_legal]

    def _set_place(self, place: int) -> None:
        if self._stops:
            self._place = place
            self._column = self._stops[place].middle
            self._scroll_to_cursor()
            self._point(self._stops[place].spot)
        self.refresh()

    def _scroll_to_cursor(self) -> None:
        """Show the line of the cursor with one line above and the details beneath."""
        stop = self._stops[self._place]
        region = Region(stop.start, max(0, stop.line - 1), stop.end - stop.start, 3)
        self.scroll_to_region(region, animate=False, force=True)

    def _go_to(self, spot: Spot) -> None:
        for number, stop in enumerate(self._stops):
            if stop.spot == spot:
                self._set_place(number)

    def _cursor_spots(self) -> Sequence[Spot]:
        """Return the cursor's spot, then those that what is legal there points at as well."""
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
            self._point(spot, opened=True)

    def _point(self, spot: Spot, *, opened: bool = False) -> None:
        names = self._sheet.names(spot) if self._sheet and spot.area >= 0 else []
        text = " ".join([self._explain(spot), *(f"[{name}]" for name in names)])
        self.post_message(Pointed(text, opened=opened))

    def _spot_under(self, event: events.MouseEvent) -> Spot | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        line = offset.y + self.scroll_offset.y
        if line >= len(self._lines):
            return None
        return spot_at(self._lines[line], offset.x + self.scroll_offset.x)
