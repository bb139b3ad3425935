"""The widget of a table: draws a view, with a cursor, keys and the mouse."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType

from cardhub.tui.held_keys import is_held
from cardhub.tui.keys import CURSOR_KEYS, NUMBER_KEYS, bindings, key_at
from cardhub.tui.table_screen.frame_widget import NO_FRAME, FrameWidget
from cardhub.tui.table_screen.table_messages import (
    KeyHeld,
    SpotChosen,
    SpotPointed,
    StepChosen,
    TextWanted,
)
from cardhub.view.layout.buttons import numbered, press
from cardhub.view.layout.cursor import kept_spot
from cardhub.view.layout.drawing.table_painter import TableTexts
from cardhub.view.layout.frame import Box
from cardhub.view.layout.navigation import (
    Direction,
    nearest,
    next_group,
    next_legal,
    next_region,
    stop_at,
    stop_of,
)
from cardhub.view.layout.shape import shape_of
from cardhub.view.spots import Spot
from cardhub.view.view import CardCatalogue, GridView, LogLine, View

# Rows by which one turn of the wheel scrolls the log.
WHEEL_ROWS = 3


class TableWidget(FrameWidget):
    """A table with its cursor, keys and mouse, played or replayed; it does not act itself."""

    BINDINGS: ClassVar[list[BindingType]] = bindings((*CURSOR_KEYS, *NUMBER_KEYS))

    def show_view(self, view: View, catalogue: CardCatalogue, log: Sequence[LogLine]) -> None:
        """Show a view and the log up to it; the cursor stays at its card where that is harmless."""
        if self._view is None or self._view.game != view.game:
            self._shape = None
        # Regions never move in a game: a shape only grows.
        self._shape = shape_of(view, catalogue, self._shape)
        self._view, self._catalogue = view, catalogue
        self.texts = self.texts._replace(log=log, scroll=0)
        self.outdate()
        self._keep_cursor()

    def clear(self) -> None:
        """Show no table at all."""
        self._view, self._stop, self.cursor, self.picked = None, None, None, None
        self.texts = TableTexts()
        self._strips, self._frame, self._is_stale = [], NO_FRAME, False
        self.refresh()

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
        spots = next(each.spots for each in self._view.choices if each.action == group)
        self._go_to(spots[0], picked=group)

    def action_legal(self, step: int) -> None:
        """Move the cursor to another legal spot."""
        if self._view is not None:
            self._go_to(next_legal(self.frame.stops, self._view, self.cursor, step) or self.cursor)

    def action_choose(self) -> None:
        """Act at the cursor."""
        if self.cursor is None or not self.frame.stops:
            return
        if is_held(self.app):
            self.post_message(KeyHeld())
        else:
            self._choose(self.cursor)

    def action_inspect(self) -> None:
        """Read the whole of the detail."""
        self.post_message(TextWanted())

    def action_pick(self, digit: str) -> None:
        """Press the button with a number, typed digit by digit; or act at a legal spot."""
        # Without stops the terminal is too small for a table.
        if self._view is None or not self.frame.stops:
            return
        # The second digit of 11 is no repetition: the first one has not acted.
        if is_held(self.app) and not self._typed:
            self.post_message(KeyHeld())
            return
        # Digits belong to one number until another key is pressed or a button is reached.
        typed = self._typed + digit
        found = press(self._view, typed) or press(self._view, digit)
        self._typed = typed if found and not found.is_final else ""
        if found is not None:
            self._go_to(found.choice.spots[0], found.choice.action)
            if found.is_final:
                self._choose(found.choice.spots[0])
        elif not numbered(self._view):
            self._pick_legal(int(digit))

    def _pick_legal(self, number: int) -> None:
        """Act at a legal spot of the table by its number, where there are no buttons."""
        legal = self._view.legal_spots() if self._view else {}
        spots = [stop.spot for stop in self.frame.stops if stop.spot in legal]
        if 0 < number <= len(spots):
            self._go_to(spots[number - 1])
            self._choose(spots[number - 1])

    def action_scroll_log(self, rows: int) -> None:
        """Scroll the log back by some rows, forward if negative."""
        shown = [row.step for row in self.frame.logged]
        first = self.texts.log[0].step if self.texts.log else 0
        if rows < 0 or (shown and min(shown) > first):
            self.change(scroll=max(0, self.texts.scroll + rows))

    def on_click(self, event: events.Click) -> None:
        """Point at a spot, or act at it if the cursor is there; go to a step of the log."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        stop = stop_at(self.frame.stops, offset.x, offset.y)
        if stop is None:
            self._click_beside(offset.x, offset.y)
        elif stop.spot == self.cursor:
            self._choose(stop.spot)
        else:
            self._go_to(stop.spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Describe the spot under the mouse."""
        offset = event.get_content_offset(self)
        stop = stop_at(self.frame.stops, offset.x, offset.y) if offset else None
        spot = stop.spot if stop else None
        # Only once: the detail may have more to say about the spot meanwhile.
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

    def _click_beside(self, x: int, y: int) -> None:
        """Act on a click that is on no stop: on the footer, the log or the detail."""
        region = next((name for name, box in self._boxes() if _is_in(box, x, y)), "")
        if region == "footer":
            key = key_at(self.footer_keys(), x)
            if key is not None:
                self.screen.call_later(self.screen.run_action, key.action)
        elif region == "log":
            for row in self.frame.logged:
                if _is_in(row.box, x, y):
                    self.post_message(StepChosen(row.step))
        elif region in ("detail", "here"):
            self.action_inspect()

    def _keep_cursor(self) -> None:
        if self._view is None or not self.frame.stops:
            return
        spot = kept_spot(self.frame.stops, self._stop, self._view, is_placed=self._is_placed)
        if spot != self.cursor:
            self._go_to(spot, is_placed=False)
        elif spot is not None and self._view.revision != self._described:
            self.post_message(SpotPointed(spot, is_kept=True))
        self._described = self._view.revision

    def _choose(self, spot: Spot) -> None:
        # The cursor was where the last action was: that does not count for the next one.
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
