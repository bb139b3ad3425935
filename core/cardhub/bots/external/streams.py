"""The three pipes of a program, each with a thread of its own, and the log of their lines."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, NamedTuple

from cardhub.bots.deadline import get_within
from cardhub.errors import BotError

LONGEST = 1 << 20
"""Maximum length of a line in bytes."""
CHUNK = 1 << 16
KEPT = 4096
"""Number of bytes kept from the end of stderr."""
CLIPPED = 40
"""Number of bytes kept of a line that is too long."""
TO, FROM, ASIDE = ">", "<", "!"
"""Prefixes in a dialogue log: lines to the program, from it, and from its stderr."""


class Line(NamedTuple):
    """A line of a program without its end, or the beginning of one that is too long."""

    text: bytes
    is_whole: bool = True


class Outbox:
    """Writes lines to a program, in order, without blocking the sender."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        Thread(target=self._write, daemon=True).start()

    def send(self, line: bytes) -> None:
        """Queue a line."""
        self._lines.put(line)

    def close(self) -> None:
        """Close the pipe once all lines are written."""
        self._lines.put(None)

    def _write(self) -> None:
        try:
            with self._pipe:
                while (line := self._lines.get()) is not None:
                    self._write_all(line)
        except OSError:
            pass  # the program has closed its end; Inbox reports that

    def _write_all(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            left = left[self._pipe.write(left) :]


class Inbox:
    """Reads lines of a program; at most one is expected at any time.

    After two unread lines the pipe is closed, so that a flood does not fill the memory.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._heard: SimpleQueue[Line | None] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    @property
    def is_empty(self) -> bool:
        """Whether there is no unread line."""
        return self._heard.empty()

    def take(self, seconds: float) -> Line | None:
        """Return the next line, None at the end of the output; raises TimeoutError.

        Time in which this process was stopped does not count.
        """
        try:
            return get_within(self._heard, seconds)
        except Empty:
            raise TimeoutError from None

    def _read(self) -> None:
        with self._pipe:
            for line in self._lines():
                self._heard.put(line)
                if self._heard.qsize() > 1:
                    return
        self._heard.put(None)

    def _lines(self) -> Iterator[Line]:
        begun = bytearray()
        while chunk := self._pipe.read(CHUNK):
            *whole, rest = chunk.split(b"\n")
            for end in whole:
                yield Line(bytes(begun + end))
                begun.clear()
            begun += rest
            if len(begun) > LONGEST:
                yield Line(bytes(begun[:CLIPPED]), is_whole=False)
                return
        if begun:
            yield Line(bytes(begun))


class Tail:
    """Reads a program's stderr, keeps the end of it, and passes on its lines."""

    def __init__(self, pipe: IO[bytes], hear: Callable[[str], object]) -> None:
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
