"""The driver of a terminal, apart from the app because Windows cannot import it.

A terminal may be closed, or refuse text, at any time.
"""

import os
import sys
from contextlib import suppress
from typing import Any, TextIO

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from typing_extensions import override


class TerminalOutput:
    """The output of a terminal, which drops text that the terminal does not take.

    Textual writes in a thread. An error would end that thread, and then the app would wait forever
    for the thread to take the next text.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write text; without a terminal, do nothing."""
        try:
            return self._file.write(text)
        except OSError as error:
            self._recover(error)
            return len(text)

    def flush(self) -> None:
        """Flush the text; without a terminal, do nothing."""
        try:
            self._file.flush()
        except OSError as error:
            self._recover(error)

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._file.fileno()

    def _recover(self, error: OSError) -> None:
        # Other programs at the same terminal may have set it to refuse text instead of waiting.
        if isinstance(error, BlockingIOError) and sys.platform != "win32":
            with suppress(OSError):
                os.set_blocking(self._file.fileno(), True)
                self._file.flush()


class TerminalDriver(LinuxDriver):
    """Textual's driver for terminals, which also ends if the terminal is closed."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        assert sys.__stderr__ is not None  # an app without a terminal has another driver
        self._file = TerminalOutput(sys.__stderr__)  # type: ignore[assignment]  # all that it uses

    @override
    def _sigcont_application(self, *arguments: object) -> None:
        # The system sends SIGCONT after SIGHUP, too, and a closed terminal cannot be resumed.
        if os.isatty(self.fileno):
            super()._sigcont_application(*arguments)
