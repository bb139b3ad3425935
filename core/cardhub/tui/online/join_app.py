"""The app for a table of a server: its waiting room and its games."""

import asyncio
from time import monotonic

from typing_extensions import override

from cardhub.base.errors import RemoteError
from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_client import open_table
from cardhub.online.remote.table_connection import Patience
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.table_commands import PlayForced
from cardhub.play.table_model import TableModel
from cardhub.plugins.registrations import Theme
from cardhub.tui.app import TerminalApp
from cardhub.tui.online.online_screen import NOTICE_SECONDS, OnlineScreen
from cardhub.tui.online.waiting_room import WaitingRoom
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.text.glyphs import GlyphChoice

# The exit code if the connection cannot be restored.
UNREACHABLE = 1


class JoinApp(TerminalApp[RemoteError]):
    """Shows a table until the person leaves. The result is the error that ended it, or None."""

    def __init__(
        self,
        address: TableAddress,
        name: str | None = None,
        seat: int | None = None,
        *,
        glyphs: GlyphChoice = "auto",
        theme: Theme | str | None = None,
        preferences: Preferences = DEFAULTS,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(glyphs=glyphs, theme=theme)
        scheduler = LoopScheduler(self.fail)
        self.client: RemoteClient = open_table(
            address, scheduler, name=name, seat=seat, patience=patience
        )
        self._address = address
        self._preferences = preferences
        self._model: TableModel | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._notice, self._noticed_at = "", -NOTICE_SECONDS

    @override
    def open_first_screen(self) -> None:
        name = self._preferences.name
        usual = "" if name == Preferences().name else name
        room = WaitingRoom(self.client, self._address, self.glyphs.texts, usual)
        self.push_screen(room, lambda _: self.exit())
        self.client.on_notice = self._report
        self.client.subscribe(self._follow)
        connection = self.client.connection
        assert connection is not None
        self._connecting = asyncio.create_task(connection.run())

    @override
    async def on_unmount(self) -> None:  # type: ignore[override]  # Textual awaits it
        super().on_unmount()
        self.client.leave()
        if self._connecting is not None:
            await self._connecting

    def _follow(self) -> None:
        """Open the screen of another game or seat on top of the waiting room."""
        client = self.client
        if client.failure is not None:
            self.exit(client.failure, return_code=UNREACHABLE)
        elif client.model is not self._model:
            self._model = client.model
            while len(self.screen_stack) > 1 and not isinstance(self.screen, WaitingRoom):
                self.pop_screen()
            if client.model is not None:
                if self._preferences.plays_forced and client.is_seated:
                    client.model.send(PlayForced(is_on=True))
                screen = OnlineScreen(
                    client, client.model, self._address, self.glyphs, preferences=self._preferences
                )
                if monotonic() - self._noticed_at < NOTICE_SECONDS:
                    screen.report(self._notice)  # the table covers it before anybody can read it
                self.push_screen(screen, self._leave)

    def _report(self, text: str) -> None:
        """Show a notice of the server at the table, or else in the waiting room."""
        self._notice, self._noticed_at = as_notice(text), monotonic()
        for screen in reversed(self.screen_stack):
            if isinstance(screen, OnlineScreen):
                screen.report(self._notice)
                return
            if isinstance(screen, WaitingRoom):
                screen.say(self._notice)

    def _leave(self, _: object) -> None:
        self.exit()
