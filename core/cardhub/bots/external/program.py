"""A running program that is asked by messages, which are lines of JSON."""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import which
from signal import Signals
from threading import Lock, Thread
from typing import IO, Any, NamedTuple

from cardhub.base.errors import (
    BotCrashError,
    BotError,
    BotFaultError,
    BotGarbageError,
    BotPipeError,
    BotTimeoutError,
    OptionError,
)
from cardhub.base.errors.quoting import did_you_mean, printable
from cardhub.base.writing import clipped
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import PATIENCE, ChildProcess, Codec, FrameError, Read
from cardhub.bots.processes.launch import UNSANDBOXED, Confinement

# Pattern of words in a command that look like file names.
FILE = re.compile(r"[^\s-]\S*\.\w+")


def check_command(command: str) -> None:
    """Raise OptionError, with a hint, unless a command's program exists."""
    program = shlex.split(command)[0]
    if which(program):
        return
    path = Path(program)
    if path.is_file():
        raise OptionError(
            f"{program!r} cannot be executed: name what runs it, too, such as python {program}"
            + (f", or make it executable and say ./{program}" if path.name == program else "")
        )
    if path.is_dir():
        raise OptionError(f"{program!r} is a folder, not a program")
    # A path is not searched for on PATH, so programs there are no suggestion.
    if path.name != program:
        raise OptionError(_no_file(program))
    raise OptionError(f"there is no program {program!r}.{did_you_mean(program, _programs())}")


def missing_file(words: Sequence[str]) -> str:
    """Return an error text for the first argument that looks like a file and does not exist."""
    missing = (word for word in words[1:] if FILE.fullmatch(word) and not Path(word).exists())
    return next(map(_no_file, missing), "")


def _no_file(word: str) -> str:
    folder = Path(word).parent
    names = [str(folder / name) for name in _names(folder)]
    return f"there is no file {word!r}.{did_you_mean(word, names)}"


def _programs() -> Iterator[str]:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        yield from _names(Path(folder))


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


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


# Seconds for a program to end after it has closed its output.
GONE = 1.0
# Maximum length of a line in bytes.
LONGEST = 1 << 20
# Number of bytes kept of a line that is too long.
CLIPPED = 40
SPEAK_ONCE = "One line answers one question; what is for people goes to stderr"


class Line(NamedTuple):
    """A line of a program without its end, or the beginning of one that is too long."""

    text: bytes
    is_whole: bool = True


class Program:
    """A program that answers questions.

    No call waits longer than its time limit. `log` names a file for a dialogue log, if any. Raises
    BotCrashError if the program cannot be started.
    """

    def __init__(
        self, words: Sequence[str], log: str = "", confinement: Confinement = UNSANDBOXED
    ) -> None:
        self._log = DialogueLog(log)
        self._inbox: SimpleQueue[Line | None] = SimpleQueue()
        try:
            self._process = ChildProcess(
                words, LINES, self._heard, self._closed, confinement, stderr=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise BotCrashError(f"{shlex.join(words)} cannot be started: {error}") from error
        self._tail = Tail(self._process.stderr, partial(self._log.add, ASIDE))

    @property
    def is_waiting(self) -> bool:
        """Whether the program runs and has no unread output."""
        return self._process.is_running and self._inbox.empty()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message that has no answer."""
        text = json.dumps(message, separators=(",", ":"))  # ASCII, which no encoding spoils
        self._log.add(TO, text)
        self._process.send(text)

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and return the answer to it, an object; raises BotFaultError."""
        # A line from before the question cannot be its answer.
        if not self._inbox.empty():
            unasked = self._hear(0)
            # The fault of a line that is no message must not depend on when the line came.
            parse_message(unasked, self.last_words)
            what = f"it wrote a line without being asked: {printable(unasked)}. {SPEAK_ONCE}"
            raise self._garbage(what)
        self.tell(message)
        return parse_message(self._hear(seconds), self.last_words)

    def last_words(self) -> str:
        """Return the end of the program's stderr."""
        return printable(self._tail.text(), lines=True)

    def close_input(self) -> None:
        """Close the program's input."""
        self._process.close_input()

    def end(self) -> None:
        """Close the program's input, and kill it after a timeout."""
        self._process.end(PATIENCE)
        self._process.reap()

    def kill(self) -> None:
        """Kill the program and its process group."""
        self._process.kill()
        self._process.reap()

    def _heard(self, process: object, line: Line) -> None:
        self._inbox.put(line)
        if self._inbox.qsize() > 1:
            # At most one line is due at any time: a flood must not fill the memory.
            raise FrameError("a line without a question")

    def _closed(self, process: object, error: FrameError | None) -> None:
        self._inbox.put(None)

    def _hear(self, seconds: float) -> str:
        try:
            line = get_within(self._inbox, seconds)
        except Empty:
            hint = "" if self._tail.text(0) else ". Does it flush its output after every line?"
            raise BotTimeoutError(
                f"no answer within {seconds:g} seconds{hint}", details=self.last_words()
            ) from None
        if line is None:
            raise self._end_fault()
        text = line.text.decode("utf-8", "backslashreplace")
        self._log.add(FROM, text)
        if not line.is_whole:
            raise self._garbage(f"a line of more than {LONGEST} bytes, which begins with {text!r}")
        return text

    def _garbage(self, what: str) -> BotFaultError:
        return BotGarbageError(what, details=self.last_words())

    def _end_fault(self) -> BotFaultError:
        code = self._process.wait(GONE)
        words = self.last_words()
        if code is None:
            return BotPipeError("it closed its output, but goes on", details=words)
        said = f"; last on stderr:\n{words}" if words else " and wrote nothing on stderr"
        return BotCrashError(f"it ended with {_told(code)}{said}", details=words)


def parse_message(text: str, last_words: Callable[[], str] = str) -> dict[str, Any]:
    """Return a program's message, a JSON object; raises BotGarbageError.

    `last_words` returns what the program wrote on stderr.
    """
    try:
        answer = json.loads(text)
    # The parser recurses into nested lists, so their depth is limited by the stack.
    except (ValueError, RecursionError) as error:
        what = f"it wrote {clipped(text)!r}, which is not JSON ({error}). {SPEAK_ONCE}"
        raise BotGarbageError(what, clipped(text, 1000), last_words()) from None
    if not isinstance(answer, dict):
        what = f"it wrote {clipped(text)!r}; a message is a JSON object"
        raise BotGarbageError(what, clipped(text, 1000), last_words())
    return answer


def _told(code: int) -> str:
    """Return an exit code; above 128, or below 0 without a guard, it is a signal's."""
    number = -code if code < 0 else code - 128
    names = {signal.value: signal.name for signal in Signals}
    return f"exit code {code}" + (f" ({names[number]})" if number in names else "")


def _encode_line(text: str) -> bytes:
    return text.encode() + b"\n"


def _decode_lines(read: Read) -> Iterator[Line]:
    begun = bytearray()
    while chunk := read(CHUNK):
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


LINES = Codec(_encode_line, _decode_lines)
