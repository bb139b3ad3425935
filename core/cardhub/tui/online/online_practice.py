"""The screen of a practice table at a server."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from typing_extensions import override

from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.wire.client_messages import EndPractice
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.table_messages import TableStatus
from cardhub.play.table_model import TableModel
from cardhub.tui.keys import bindings
from cardhub.tui.online.online_keys import TABLE_KEYS_ONLINE
from cardhub.tui.table.play_screen import PlayScreen
from cardhub.tui.table.practice_screen import BACK, KEYS, show_comment
from cardhub.view.layout.canvas import TableGlyphs


class OnlinePracticeScreen(PlayScreen):
    """A decision of the review at a server's table, which the person takes again and plays on."""

    KEYS = TABLE_KEYS_ONLINE
    BINDINGS: ClassVar[list[BindingType]] = bindings(TABLE_KEYS_ONLINE)

    def __init__(
        self,
        client: RemoteClient,
        model: TableModel,
        glyphs: TableGlyphs,
        preferences: Preferences = DEFAULTS,
    ) -> None:
        super().__init__(glyphs, preferences, says_you=True)
        self._client = client
        self._model = model
        self._unsubscribe: Callable[[], None] | None = None
        self._first = self._verdict = client.practice.verdict

    @property
    @override
    def session(self) -> TableModel:
        return self._model

    @override
    def on_mount(self) -> None:
        self._unsubscribe = self._client.subscribe(self._follow)
        super().on_mount()
        show_comment(self, self.glyphs, "Practice", self._first)

    def on_unmount(self) -> None:
        """Unsubscribe from the table, and end the practice."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._client.send(EndPractice())

    @override
    def refresh_table(self) -> None:
        verdict = self._client.practice.verdict
        has_changed, self._verdict = verdict != self._verdict, verdict
        super().refresh_table()
        if has_changed and verdict != self._first and self.is_attached:
            show_comment(self, self.glyphs, "Your new choice", f"{verdict}\n\n{KEYS}")

    @override
    def _show_result(self) -> None:
        result = self.session.result()
        if result is not None:
            text = f"{result.sentence}.\n\n{BACK}"
            show_comment(self, self.glyphs, "The practice is over", text)

    @override
    def _turn_tag(self, status: TableStatus) -> str:
        tag = super()._turn_tag(status)
        return tag or ("PRACTICE" if self._client.practice.verdict == self._first else "")

    def _follow(self) -> None:
        """Draw a change, or go back to the result if the practice has ended."""
        if self._client.practice.model is self._model:
            self.on_change()
        elif self.is_current:
            self.dismiss(None)
