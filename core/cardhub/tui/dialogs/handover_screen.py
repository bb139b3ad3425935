"""The screens between the turns of people at one terminal: the handover, and a look at cards."""

from collections.abc import Callable, Mapping
from time import monotonic

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.widgets import Static
from typing_extensions import override

from cardhub.play.table_model import TableModel
from cardhub.tui.dialogs.dialog import SingleResultScreen
from cardhub.tui.table.table_widget import TableWidget
from cardhub.view.layout.canvas import TableGlyphs

LEAVE_KEYS = ("q", "ctrl+q", "ctrl+c")
# Seconds during which keys are ignored, because they were meant for the previous table.
GRACE = 0.5


class HandoverScreen(SingleResultScreen[bool]):
    """Hides the table until the next person presses a key or clicks.

    The result is True, or False after a key that leaves the game. `others`: the names of people who
    may look at their cards first, by key; `on_look` is called with such a key.
    """

    DEFAULT_CSS = """
    HandoverScreen { align: center middle; }
    HandoverScreen Static { width: auto; text-align: center; }
    """

    def __init__(
        self,
        player: str,
        others: Mapping[str, str] | None = None,
        on_look: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self._player = player
        self._others = others or {}
        self._on_look = on_look
        self._shown_at = 0.0

    @override
    def compose(self) -> ComposeResult:
        text = f"Pass to {self._player}.\n\n{self._player}, press a key."
        if self._others:
            keys = " · ".join(f"{key} {name}" for key, name in self._others.items())
            text += f"\n\nTo look at your own cards before your turn, press your key: {keys}"
        yield Static(text, markup=False)

    def on_mount(self) -> None:
        """Start the grace period."""
        self._shown_at = monotonic()

    def on_screen_resume(self) -> None:
        """Start the grace period again after a look."""
        self._shown_at = monotonic()

    def on_key(self, event: events.Key) -> None:
        """Show the table, the cards of another person, or leave."""
        event.stop()
        # Leaving is possible at any time, because it shows no cards.
        if event.key in LEAVE_KEYS:
            self.dismiss(False)
        elif not self._is_ready:
            return
        elif event.key in self._others and self._on_look is not None:
            self._on_look(event.key)
        else:
            self.dismiss(True)

    def on_click(self) -> None:
        """Show the table."""
        if self._is_ready:
            self.dismiss(True)

    @property
    def _is_ready(self) -> bool:
        return monotonic() - self._shown_at >= GRACE


class LookScreen(SingleResultScreen[None]):
    """Shows the table as a person sees it, without actions, until any key or click."""

    AUTO_FOCUS = ""

    def __init__(self, model: TableModel, glyphs: TableGlyphs) -> None:
        super().__init__()
        self._model = model
        self._glyphs = glyphs

    @override
    def compose(self) -> ComposeResult:
        yield TableWidget(self._glyphs, id="look")

    def on_mount(self) -> None:
        """Show the table."""
        view, table = self._model.view(), self.query_one(TableWidget)
        table.can_focus = False
        name = view.players[view.viewer].name
        # The view's prompt is for the player to act.
        without_prompt = replace(view, prompt="Press any key to hide your cards")
        table.change(turn=f"{name.upper()}'S CARDS", says_you=False)
        table.show_view(without_prompt, self._model.catalogue, self._model.log())

    def on_key(self, event: events.Key) -> None:
        """Hide the cards."""
        event.stop()
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Hide the cards."""
        event.stop()
        self.dismiss(None)
