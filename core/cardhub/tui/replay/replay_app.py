"""The app of a replay; it stands apart because it loads Textual, which `run_replay` must not do."""

from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.plugins.registrations import Theme
from cardhub.tui.app import TerminalApp
from cardhub.tui.replay.screen import ReplayScreen
from cardhub.tui.table.game_over import GameOver
from cardhub.tui.table.play_screen import TableScreen
from cardhub.view.text.glyphs import GlyphChoice


class ReplayApp(TerminalApp[CardhubError]):
    """Shows a replay until the person leaves; a continued game leads back to it."""

    def __init__(
        self,
        replay: Replay,
        opener: Opener,
        *,
        viewer: int | None = None,
        glyphs: GlyphChoice = "auto",
        theme: Theme | str | None = None,
    ) -> None:
        super().__init__(glyphs=glyphs, theme=theme)
        self._replay = replay
        self._opener = opener
        self._viewer = viewer
        self._host: Host | None = None

    @override
    def open_first_screen(self) -> None:
        if isinstance(self._opener.scheduler, LoopScheduler):
            self._opener.scheduler.failed = self.fail
        screen = ReplayScreen(
            self._replay, self.glyphs, self._opener, self._play, viewer=self._viewer
        )
        self.push_screen(screen, lambda _: self.exit())

    def on_unmount(self) -> None:
        """Close the table of a continued game."""
        self._close()

    def _play(self, host: Host) -> None:
        self._close()
        self._host = host
        self.push_screen(TableScreen(host, self.glyphs, GameOver), self._left)

    def _left(self, following: NewGame | Host | None) -> None:
        failure = self._host.activity.failure if self._host else None
        self._close()
        if failure is not None:
            self.exit(failure, return_code=1)
        elif isinstance(following, Host):
            self._play(following)
        elif following is not None:
            self._start(following)

    def _start(self, new: NewGame) -> None:
        try:
            self._play(self._opener.start(new))
        except CardhubError as error:
            self.exit(error, return_code=1)

    def _close(self) -> None:
        if self._host is not None:
            self._host.close()
            self._host = None
