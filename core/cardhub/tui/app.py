"""The Textual app of the screens: theme, keys, signals and exit; and the app of one table."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import FrameType
from typing import Any, ClassVar, TypeVar

from rich.segment import Segments
from rich.text import Text
from textual import events
from textual.app import App, SystemCommand
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender
from typing_extensions import override

from cardhub.base.errors import CardhubError, HiddenFaceError, SceneError
from cardhub.base.errors.quoting import printable
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.plugins.registrations import Theme
from cardhub.tui.keys import KeyRepeat
from cardhub.tui.palette import DEFAULT_THEME, OWN_THEMES, as_textual
from cardhub.tui.table.game_over import GameOver
from cardhub.tui.table.play_screen import TableScreen
from cardhub.tui.table.table_view import TableView
from cardhub.view.layout.canvas import TABLES, TableGlyphs
from cardhub.view.text.glyphs import GlyphChoice, GlyphSet

# Signals that end the app; Windows lacks SIGHUP.
SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
# The exit codes after an action could not be recorded, and after a bot failed.
NOT_RECORDED, BOT_FAILED = 1, 3

# Characters that a terminal may show in two cells; some widen only one of the kinds.
SAMPLE = "─│●×"
# Writes the sample at the upper left, asks for the column after it, and erases it.
QUESTION = f"\x1b[H{SAMPLE}\x1b[6n\x1b[H\x1b[2K"
# The longest wait for the answer, in seconds: nearly all terminals answer at once, a few never.
PATIENCE = 0.5

R = TypeVar("R")


class AsciiScrollBar(ScrollBarRender):
    """Renderer of a scrollbar in whole cells: ASCII has no characters for fractions."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


class TerminalApp(App[R]):
    """The base of all apps: theme and characters, a palette of commands, signals and crashes.

    `glyphs`: the characters of tables; with the choice `auto` they are known when the first screen
    is opened, because the terminal is asked.
    """

    ENABLE_COMMAND_PALETTE = True
    TITLE = "cardhub"
    CSS = """
    TerminalApp.-ascii Dialog > .box, TerminalApp.-ascii HintPanel {
        border: ascii $foreground 60%;
    }
    """

    def __init__(self, *, glyphs: GlyphChoice = "auto", theme: Theme | str | None = None) -> None:
        is_plain = bool(os.environ.get("NO_COLOR"))
        # NO_COLOR works only with the terminal's own colours; Textual turns others into greys.
        super().__init__(ansi_color=True if is_plain else None)
        self.key_repeat = KeyRepeat()
        self._handlers: dict[int, Any] = {}
        self._asks_terminal = glyphs == "auto"
        self._answer: asyncio.Future[int] | None = None
        self.glyphs = self._use_glyphs("unicode" if glyphs == "auto" else glyphs)
        for built_in in OWN_THEMES:
            self.register_theme(as_textual(built_in))
        if isinstance(theme, Theme):
            self.register_theme(as_textual(theme))
            theme = theme.name
        # NO_COLOR takes precedence over all options for colours.
        self.theme = "ansi-dark" if is_plain else theme or DEFAULT_THEME

    @override
    def get_driver_class(self) -> type[Driver]:
        if sys.platform == "win32" or os.environ.get("TEXTUAL_DRIVER"):
            return super().get_driver_class()
        from cardhub.tui.terminal_driver import TerminalDriver  # Windows cannot import it

        return TerminalDriver

    def _use_glyphs(self, name: GlyphSet) -> TableGlyphs:
        """Use a set of characters for dialogs and scrollbars; return the characters of tables."""
        glyphs = TABLES[name]
        self.set_class(not glyphs.texts.has_frames, "-ascii")
        # Textual shares this class attribute between all apps of a process, so set it in any case.
        ScrollBar.renderer = ScrollBarRender if glyphs.texts.has_frames else AsciiScrollBar
        return glyphs._replace(has_brackets=True) if os.environ.get("NO_COLOR") else glyphs

    async def on_mount(self) -> None:
        """Install a handler for each of SIGNALS, find the characters, and open the first screen."""
        self._install_handlers()
        if self._asks_terminal and await self._has_wide_cells():
            self.glyphs = self._use_glyphs("narrow")
        self.open_first_screen()

    def open_first_screen(self) -> None:
        """Open the screen that the app begins with."""
        raise NotImplementedError

    @override
    def post_message(self, message: Message) -> bool:
        if not isinstance(message, events.CursorPosition):
            return super().post_message(message)
        # An answer after the end of the wait is not needed any more.
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(message.x)
        return True

    async def _has_wide_cells(self) -> bool:
        """Return whether the terminal shows characters of ambiguous width in two cells.

        Before the first screen is open, the app keeps all messages in its queue, so keys that are
        typed while it waits, and those typed before, reach that screen.
        """
        driver = self._driver
        if driver is None or driver.is_headless or driver.is_web:
            return False
        self._answer = asyncio.get_running_loop().create_future()
        driver.write(QUESTION)
        driver.flush()
        try:
            return await asyncio.wait_for(self._answer, PATIENCE) > len(SAMPLE)
        except TimeoutError:
            return False

    def _install_handlers(self) -> None:
        # Unlike handlers of `signal.signal`, these may call into Textual safely.
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is None:
                continue
            before = signal.getsignal(number)
            try:
                loop.add_signal_handler(number, self._leave_on, number)
            except (NotImplementedError, RuntimeError, ValueError):
                continue  # Windows, or not in the main thread
            self._handlers[number] = before

    def on_unmount(self) -> None:
        """Restore the previous signal handlers."""
        loop = asyncio.get_running_loop()
        for number, handler in self._handlers.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)

    @override
    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.key_repeat.note(event)
        await super().on_event(event)

    @override
    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        if isinstance(screen, TableView):
            for key in screen.keys:
                run = partial(self.call_later, screen.run_key, key)
                yield SystemCommand(f"{key.label.capitalize()} ({key.shown})", key.text, run)

    def action_help_quit(self) -> None:
        """Leave on Ctrl-C; Textual would only explain how to leave."""
        self._leave_on(signal.SIGINT)

    def fail(self, error: Exception) -> None:
        """End the app after an error outside its message handlers."""
        try:
            raise error
        except type(error):
            self._handle_exception(error)

    @override
    def _fatal_error(self) -> None:
        import rich
        from rich.traceback import Traceback  # its import takes 5 % of the time to the first board

        # Textual's handler prints local variables, which may contain hidden cards.
        self.bell()
        error = sys.exc_info()[1]
        # The message of a game's error includes its source line; a traceback would only hide it.
        is_explained = isinstance(error, SceneError | HiddenFaceError)
        shown = (
            Text(printable(f"Error: {error}"))
            if is_explained
            else Traceback(show_locals=False, width=None, suppress=[rich])
        )
        self._exit_renderables.append(Segments(self.console.render(shown, self.console.options)))
        self._close_messages_no_wait()

    def _leave_on(self, number: int, _frame: FrameType | None = None) -> None:
        self.exit(return_code=128 + number)  # the shell's code for the end by a signal


class TableApp(TerminalApp[CardhubError]):
    """Plays the game of a host at one terminal, and the further games that the person starts.

    `on_opened` is called with the host of each further game; the app does not close hosts. The
    result is the exception because of which a game could not be opened or recorded, or was left.
    """

    def __init__(
        self,
        host: Host,
        *,
        glyphs: GlyphChoice = "auto",
        theme: Theme | str | None = None,
        preferences: Preferences = DEFAULTS,
        on_opened: Callable[[Host], object] = lambda _: None,
    ) -> None:
        super().__init__(glyphs=glyphs, theme=theme)
        self.host = host
        self._preferences = preferences
        self._on_opened = on_opened

    @override
    def open_first_screen(self) -> None:
        if isinstance(self.host.scheduler, LoopScheduler):
            self.host.scheduler.failed = self.fail
        self._show()

    def _show(self) -> None:
        screen = table_screen(self.host, self.glyphs, self._preferences)
        self.push_screen(screen, self._on_left)

    def _on_left(self, following: NewGame | Host | None) -> None:
        host = self.host
        if host.activity.failure is not None:
            self.exit(host.activity.failure, return_code=NOT_RECORDED)
        elif host.activity.fault is not None or following is None:
            self.exit(host.activity.fault, return_code=BOT_FAILED if host.had_fault else 0)
        else:
            self._follow(following)

    def _follow(self, following: NewGame | Host) -> None:
        if isinstance(following, NewGame):
            host = self.host
            if host.registry is None:
                self.exit()
                return
            opener = Opener(host.registry, host.scheduler, host.turns.pace)
            try:
                following = opener.start(following)
            except CardhubError as error:
                self.exit(error, return_code=NOT_RECORDED)
                return
        self.host = following
        self._on_opened(following)
        self._show()


def table_screen(host: Host, glyphs: TableGlyphs, preferences: Preferences = DEFAULTS) -> TableView:
    """Return the screen of a table, of a lesson, or of a game between bots."""
    # Imported here, because most tables need neither screen and replays take long to import.
    if not host.people:
        from cardhub.tui.table.watch_screen import WatchScreen

        return WatchScreen(host, glyphs, card_size=preferences.card_size)
    if host.is_lesson:
        from cardhub.play.host.lessons.lesson_table import LessonHost
        from cardhub.tui.table.lesson_screen import LessonScreen

        assert isinstance(host, LessonHost)
        return LessonScreen(host, glyphs, preferences)
    return TableScreen(host, glyphs, GameOver, preferences)
