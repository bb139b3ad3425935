"""The app of all screens: from home to tables and replays, and back."""

from dataclasses import replace
from pathlib import Path

from typing_extensions import override

from cardhub.play.advice import public_fault
from cardhub.play.host.opening import NewGame
from cardhub.play.host.saved.editions import Editions
from cardhub.play.host.saved.preferences import Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.table_commands import PlayForced
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui.app import TerminalApp, table_screen
from cardhub.tui.home.home_navigator import HomeNavigator
from cardhub.tui.home.home_screen import HomeScreen
from cardhub.view.text.glyphs import GlyphChoice


class HomeApp(TerminalApp[None]):
    """Opens the home screen; leaving a table leads back to it.

    An exception at a table, for example in the game's code, ends the app, because Textual cannot
    continue after it. `failure` then describes it; a new app can show this text as its `message`.
    """

    def __init__(
        self,
        registry: PluginRegistry,
        preferences: Preferences,
        *,
        glyphs: GlyphChoice = "auto",
        theme: Theme | str | None = None,
        message: str = "",
    ) -> None:
        super().__init__(glyphs=glyphs, theme=theme)
        self.failure = ""
        self._message = message
        self._plugins = registry
        self.navigator = HomeNavigator(
            self,
            registry,
            preferences,
            LoopScheduler(self.fail),
            self.glyphs.texts,
            self.play,
            self.show_replay,
        )
        self.host: Host | None = None

    @override
    def open_first_screen(self) -> None:
        self.navigator.glyphs = self.glyphs.texts
        self.navigator.open()
        if self._message:
            # The first drawing would cover an earlier message.
            self.call_after_refresh(self.navigator.show_message, self._message)

    def on_unmount(self) -> None:
        """Close the table in play, if there is one."""
        self._close()

    def play(self, host: Host) -> None:
        """Open the table of a host, and close the host when the table is left."""
        self._close()
        self.host = host
        preferences = self.navigator.preferences
        for seat in host.people:
            host.model(seat).send(PlayForced(is_on=preferences.plays_forced))
        self.push_screen(table_screen(host, self.glyphs, preferences), self._on_left)

    def show_replay(self, path: Path) -> None:
        """Open the replay of a record; raises RecordError or PluginError."""
        # Imported here, because the home screen does not need them.
        from cardhub.tui.replay.screen import ReplayScreen

        opener = replace(self.navigator.opener, editions=Editions(report=self._warn))
        replay = opener.replay(path)
        screen = ReplayScreen(
            replay,
            self.glyphs,
            self.navigator.opener,
            self.play,
            card_size=self.navigator.preferences.card_size,
        )
        self.push_screen(screen)

    def _warn(self, text: str) -> None:
        self.notify(text, severity="warning", markup=False, timeout=20)

    @override
    def _handle_exception(self, error: Exception) -> None:
        if self.host is None or self.failure:
            super()._handle_exception(error)
            return
        self.failure = (
            f"{self.host.title} failed: {type(error).__name__}: {error}\n"
            f"To see where: cardhub resume {self.host.path or ''}".rstrip()
        )
        self._close_messages_no_wait()

    def _on_left(self, following: NewGame | Host | None) -> None:
        message = self._problem_text()
        self._close()
        # Do not return to the screen on which the game was set up.
        while len(self.screen_stack) > 1 and not isinstance(self.screen, HomeScreen):
            self.pop_screen()
        if isinstance(following, Host):
            self.play(following)
        elif following is not None:
            self.navigator.start(following)
        if message:
            self.navigator.show_message(message)

    def _problem_text(self) -> str:
        """Return why the game ended early, or an empty text; save a bot's fault as a file."""
        host = self.host
        if host is None:
            return ""
        if host.activity.failure is not None:
            return str(host.activity.failure)
        if host.activity.fault is None:
            return ""
        path = host.save_fault(host.activity.fault)
        message = public_fault(host.players[host.bot_seat], host.activity.fault)
        return f"{message}\nTo reproduce it: cardhub bot repro {path}"

    def _close(self) -> None:
        if self.host is not None:
            self.host.close()
            self.host = None
