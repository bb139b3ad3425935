"""The log of the messages to a program and from it, and the end of its stderr."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import IO

from cardhub.base.errors import BotError

CHUNK = 1 << 16
# Number of bytes kept from the end of stderr.
KEPT = 4096
# Prefixes in a dialogue log: lines to the program, from it, and from its stderr.
TO, FROM, ASIDE = ">", "<", "!"


class Tail:
    """Reads a program's stderr, keeps the end of it, and passes on its lines."""

    def __init__(self, pipe: IO[bytes] | None, hear: Callable[[str], object]) -> None:
        if pipe is None:
            raise AssertionError  # for mypy: it is a pipe
        self._pipe = pipe
        self._hear = hear
        self._kept = b""
        self._thread = Thread(target=self._drain, daemon=True)
        self._thread.start()

    def text(self, seconds: float = 0.2) -> str:
        """Return the last lines; waits briefly for those of a program that has just ended."""
        self._thread.join(seconds)
        return self._kept.decode("utf-8", "replace").strip()

    def _drain(self) -> None:
        with self._pipe:
            while chunk := self._pipe.read(CHUNK):
                self._kept = (self._kept + chunk)[-KEPT:]
                with suppress(BotError):  # a full disk is no reason to let the program wait
                    for line in chunk.decode("utf-8", "replace").splitlines():
                        self._hear(line)


class DialogueLog:
    """Appends lines to a file, or to none if `name` is empty; raises BotError if it cannot."""

    def __init__(self, name: str) -> None:
        self._path = Path(name) if name else None
        self._lock = Lock()
        # Writes no line, but fails at the start of a game if the file cannot be written.
        self.add(TO)

    def add(self, sign: str, *lines: str) -> None:
        """Write lines at once; can be called from any thread."""
        if self._path is None:
            return
        try:
            with (
                self._lock,
                self._path.open("a", encoding="utf-8", errors="backslashreplace") as file,
            ):
                file.writelines(f"{sign} {line}\n" for line in lines)
        except OSError as error:
            raise BotError(f"log {self._path} cannot be written: {error.strerror}") from error
