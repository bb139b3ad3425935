"""The Textual app of one table: its theme, signals and exit."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import rich
from rich.segment import Segments
from rich.text import Text
from rich.traceback import Traceback
from textual.app import App
from textual.scrollbar import ScrollBar, ScrollBarRender
from typing_extensions import override

from cardhub.errors import BotFaultError, HiddenFaceError, RecordError, SceneError
from cardhub.errors.printable import printable
from cardhub.play.bot_process.client import BotClient
from cardhub.play.referee import Referee
from cardhub.plugins.registrations import Theme
from cardhub.text.glyphs import ASCII, UNICODE
from cardhub.tui.session import Session
from cardhub.tui.table_screen.screen import TableScreen
from cardhub.tui.textual_themes import as_textual

# Signals that end the app; Windows lacks SIGHUP.
SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")


class AsciiScrollBar(ScrollBarRender):
    """Renderer of a scrollbar in whole cells: ASCII has no characters for fractions."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


class TableApp(App[RecordError | BotFaultError]):
    """Plays one game at one terminal.

    The result is the exception for which the game could not be recorded, or was left unfinished.
    """

    ENABLE_COMMAND_PALETTE = False
    TITLE = "cardhub"
    CSS = """
    TableApp.-ascii Dialog > .box { border: ascii $foreground 60%; }
    TableApp.-ascii EventLog, TableApp.-ascii EventLog:focus, TableApp.-ascii HintPanel {
        border-left: ascii $foreground 60%;
    }
    TableApp.-ascii TableScreen.-narrow HintPanel {
        border-left: none; border-bottom: ascii $foreground 60%;
    }
    """

    def __init__(
        self,
        referee: Referee[Any],
        bots: BotClient,
        adviser: BotClient,
        *,
        hint: str,
        pace: float,
        ascii_only: bool = False,
        record: Path | None = None,
        theme: Theme | str | None = None,
    ) -> None:
        is_plain = bool(os.environ.get("NO_COLOR"))
        # NO_COLOR works only with the terminal's own colours; Textual turns others into greys.
        super().__init__(ansi_color=True if is_plain else None)
        session, glyphs = Session(referee, record), ASCII if ascii_only else UNICODE
        self._table = TableScreen(session, bots, adviser, hint=hint, pace=pace, glyphs=glyphs)
        self._handlers: dict[int, Any] = {}
        self.set_class(ascii_only, "-ascii")
        # A class attribute in Textual, shared by all apps of the process: it is set in both cases.
        ScrollBar.renderer = AsciiScrollBar if ascii_only else ScrollBarRender
        if isinstance(theme, Theme):
            self.register_theme(as_textual(theme))
            theme = theme.name
        if is_plain or theme:
            # NO_COLOR wins over a theme, as over all other options for colours.
            self.theme = "ansi-dark" if is_plain else str(theme)

    def on_mount(self) -> None:
        """Open the table; install a handler for each of SIGNALS."""
        self._catch_signals()
        self.push_screen(self._table)

    def on_unmount(self) -> None:
        """Restore the signal handlers from before."""
        loop = asyncio.get_running_loop()
        for number, handler in self._handlers.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)

    def action_help_quit(self) -> None:
        """Leave on Ctrl-C: the default of Textual only explains how to leave."""
        self._leave_on(signal.SIGINT)

    @override
    def _fatal_error(self) -> None:
        # Textual's own handler prints local variables, and with them hidden cards.
        self.bell()
        error = sys.exc_info()[1]
        # The message of an error of the game has its line; frames of cardhub would only hide that.
        is_explained = isinstance(error, SceneError | HiddenFaceError)
        shown = (
            Text(printable(f"Error: {error}"))
            if is_explained
            else Traceback(show_locals=False, width=None, suppress=[rich])
        )
        self._exit_renderables.append(Segments(self.console.render(shown, self.console.options)))
        self._close_messages_no_wait()

    def _catch_signals(self) -> None:
        # By the event loop, not by `signal.signal`: a handler may then call into Textual safely.
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

    def _leave_on(self, number: int, _frame: FrameType | None = None) -> None:
        self.exit(return_code=128 + number)  # as shells report the end by a signal
