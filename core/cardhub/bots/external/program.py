"""A running program that exchanges messages, which are lines of JSON, with cardhub."""

import json
import os
import re
import select
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
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
    BotMemoryError,
    BotPipeError,
    BotProcessesError,
    BotTimeoutError,
    OptionError,
)
from cardhub.base.errors.quoting import did_you_mean, printable
from cardhub.base.writing import clipped
from cardhub.bots.bot import is_among
from cardhub.bots.deadline import get_within
from cardhub.bots.processes.child_process import ChildProcess, Codec, FrameError, Read
from cardhub.bots.processes.control_groups import NO_USAGE, ResourceLimits, Usage
from cardhub.bots.processes.launch import UNSANDBOXED, Confinement, class_path_entries

# Pattern of words in a command that look like file names.
FILE = re.compile(r"[^\s-]\S*\.\w+")


def check_command(command: str, folder: str = "") -> None:
    """Raise OptionError, with a hint, unless a command's program exists.

    `folder`: where the program starts, or empty.
    """
    program = shlex.split(command)[0]
    if folder and os.sep in program:
        program = str(Path(folder, program))
    if which(program):
        return
    path = Path(program)
    if path.is_file():
        raise OptionError(
            f"{program!r} cannot be executed: put its interpreter first, as in python {program}"
            + (f", or make it executable and write ./{program}" if path.name == program else "")
        )
    if path.is_dir():
        raise OptionError(f"{program!r} is a folder, not a program")
    # A path is not searched on PATH, so names from PATH are not suggested.
    if path.name != program:
        raise OptionError(_no_file(program))
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    programs = (name for folder in folders for name in _names(Path(folder)))
    raise OptionError(f"there is no program {program!r}.{did_you_mean(program, programs)}")


def missing_file(words: Sequence[str]) -> str:
    """Return an error text for the first missing file that an argument names, or empty."""
    names = (
        name
        for before, word in pairwise(words)
        for name in class_path_entries(before, word) or ([word] if FILE.fullmatch(word) else [])
    )
    return next((_no_file(name) for name in names if not Path(name).exists()), "")


def _no_file(word: str) -> str:
    folder = Path(word).parent
    names = [str(folder / name) for name in _names(folder)]
    return f"there is no file {word!r}.{did_you_mean(word, names)}"


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


CHUNK = 1 << 16
# Whether a pipe can be read without waiting; the others need a thread for each.
CAN_POLL = sys.platform != "win32"
# Number of bytes from the end of stderr that are kept.
TAIL_BYTES = 4096
# Maximum number of characters of a game that are kept of stderr, and the line after them.
MOST_REMARKS, CUT_OFF = 512 * 1024, "\n(the rest is left out)\n"
# Seconds to wait for the last lines of a program that has ended.
LAST_REMARKS = 0.2
# Prefixes in a dialogue log: lines to the program, from the program, and from its stderr.
TO, FROM, ASIDE = ">", "<", "!"


class Tail:
    """The end of a program's stderr; a thread reads it and calls `on_line` with each line.

    On POSIX systems `text` reads, too, because the thread may not have read the last lines yet.
    """

    def __init__(self, pipe: IO[bytes] | None, on_line: Callable[[str], object]) -> None:
        if pipe is None:
            raise AssertionError  # for mypy: stderr is a pipe
        self._pipe = pipe
        self._on_line = on_line
        self._tail = b""
        self._lock = Lock()
        self._is_open = True
        if sys.platform != "win32":
            os.set_blocking(pipe.fileno(), False)
        self._thread = Thread(target=self._drain, daemon=True)
        self._thread.start()

    def text(self, seconds: float = 0.2) -> str:
        """Return the last lines; waits up to `seconds` if the program has just ended."""
        self._thread.join(seconds)
        if CAN_POLL:
            with self._lock:
                self._read()
        return self._tail.decode("utf-8", "replace").strip()

    def _drain(self) -> None:
        with self._pipe:
            if sys.platform == "win32":
                while self._is_open:
                    self._read()
            else:
                poll = select.poll()
                poll.register(self._pipe, select.POLLIN)
                while self._is_open:
                    poll.poll()
                    with self._lock:
                        self._read()

    def _read(self) -> None:
        """Read up to a whole pipe, without waiting if the system can poll pipes."""
        chunk = self._pipe.read(CHUNK) if self._is_open else None
        if chunk is None:  # nothing is there
            return
        self._is_open = bool(chunk)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        with suppress(BotError):  # a full disk must not block the program
            for line in chunk.decode("utf-8", "replace").splitlines():
                self._on_line(line)


class Remarks:
    """The lines that a program writes to stderr in a game: the first MOST_REMARKS characters."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._room = MOST_REMARKS
        self._lock = Lock()

    def add(self, line: str) -> None:
        """Add a line, or the part of it for which there is room; any thread can call it."""
        with self._lock:
            if self._room > 0:
                self._lines.append(f"{line}\n"[: self._room])
                self._room -= len(line) + 1
                if self._room <= 0:
                    self._lines.append(CUT_OFF)

    def take(self) -> str:
        """Return the lines since the last call."""
        with self._lock:
            text, self._lines, self._room = "".join(self._lines), [], MOST_REMARKS
        return text


class DialogueLog:
    """A log file to which lines are appended; with an empty `name` lines are discarded.

    Raises BotError if the file cannot be written.
    """

    def __init__(self, name: str) -> None:
        self._path = Path(name) if name else None
        self._lock = Lock()
        # Open the file without writing a line, to report an error at the start of a game.
        self.add(TO)

    def add(self, sign: str, *lines: str) -> None:
        """Write lines immediately; any thread can call it."""
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


# Seconds that a program has to end after it has closed its output.
GONE = 1.0
# Maximum length of a line in bytes.
LONGEST = 1 << 20
# Number of bytes that are kept of a line that is too long.
CLIPPED = 40
SPEAK_ONCE = "Answer each question with one line, and write texts for people to stderr"


class Line(NamedTuple):
    """A line of a program without its end, or the beginning of a line that is too long."""

    text: bytes
    is_whole: bool = True


class Hello(NamedTuple):
    """A program's answer to the handshake; `games`: the games that it plays, or None for all."""

    name: str
    games: tuple[str, ...] | None = None

    def plays(self, game: str) -> bool:
        """Return whether the program plays the game of this name."""
        return is_among(game, self.games)


class Program:
    """A program that answers questions.

    No call waits longer than its time limit. `log`: the name of a file for a dialogue log, or
    empty. `hello`: its answer to the handshake, set after it. Raises BotCrashError if the program
    cannot be started.
    """

    hello: Hello

    def __init__(
        self, words: Sequence[str], log: str = "", confinement: Confinement = UNSANDBOXED
    ) -> None:
        self._log = DialogueLog(log)
        self._inbox: SimpleQueue[Line | None] = SimpleQueue()
        try:
            self._process = ChildProcess(
                words,
                LINES,
                self._on_line,
                lambda *_: self._inbox.put(None),
                confinement,
                stderr=subprocess.PIPE,
            )
        except (OSError, ValueError) as error:
            raise BotCrashError(f"{shlex.join(words)} cannot be started: {error}") from error
        self._limits = confinement.limits
        self._counted = self._asked = NO_USAGE
        self._remarks = Remarks()
        self._tail = Tail(self._process.stderr, self._on_remark)

    @property
    def is_usable(self) -> bool:
        """Whether the program runs and has no unread output."""
        return self._process.is_running and self._inbox.empty()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message that has no answer."""
        text = json.dumps(message, separators=(",", ":"))  # ASCII is valid in every encoding
        self._log.add(TO, text)
        self._process.send(text)

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and return its answer, a JSON object; raises BotFaultError."""
        # A line that was written before the question cannot be its answer.
        if not self._inbox.empty():
            line = self._read_line(0, self._process.usage())
            # Parse it first: the fault of an invalid line must not depend on when the line came.
            parse_message(line, self.last_words)
            message_text = f"it wrote a line without being asked: {printable(line)}. {SPEAK_ONCE}"
            raise self._garbage(message_text)
        before = self._asked = self._process.usage()
        self._process.resume()
        self.tell(message)
        try:
            return parse_message(self._read_line(seconds, before), self.last_words)
        finally:
            self._process.pause()

    @property
    def used_since_asked(self) -> Usage:
        """What the program has used since the last question, also if it was killed since."""
        return self._process.usage().since(self._asked)

    def last_words(self) -> str:
        """Return the end of the program's stderr."""
        return printable(self._tail.text(), lines=True)

    def take_usage(self) -> Usage:
        """Return what the program has used since the last call."""
        usage = self._process.usage()
        since, self._counted = usage.since(self._counted), usage
        return since

    def take_remarks(self) -> str:
        """Return the lines on the program's stderr since the last call, without too many."""
        self._tail.text(0.0 if self._process.is_running else LAST_REMARKS)
        return self._remarks.take()

    def close_input(self) -> None:
        """Close the program's input."""
        self._process.close_input()

    def close(self) -> None:
        """Close the program's input, kill it after a timeout, and wait for its end."""
        self._process.end()

    def kill(self) -> None:
        """Kill the program and its process group."""
        self._process.kill()
        self._process.reap()

    def _on_line(self, process: object, line: Line) -> None:
        self._inbox.put(line)
        if self._inbox.qsize() > 1:
            # At most one line is due at any time. Stop reading, because a flood of lines would fill
            # the memory.
            raise FrameError("a line without a question")

    def _on_remark(self, line: str) -> None:
        self._remarks.add(line)
        self._log.add(ASIDE, line)

    def _read_line(self, seconds: float, before: Usage) -> str:
        """Return the next line; `before`: what the program had used when it was asked."""
        try:
            line = get_within(self._inbox, seconds)
        except Empty:
            raise self._late_fault(seconds, before) from None
        if line is None:
            raise self._end_fault(before)
        text = line.text.decode("utf-8", "backslashreplace")
        self._log.add(FROM, text)
        if not line.is_whole:
            raise self._garbage(f"a line of more than {LONGEST} bytes, which begins with {text!r}")
        return text

    def _garbage(self, message: str) -> BotFaultError:
        return BotGarbageError(message, details=self.last_words())

    def _late_fault(self, seconds: float, before: Usage) -> BotFaultError:
        used = self._process.usage().since(before)
        hint = "" if self._tail.text(0) else ". Does it flush its output after every line?"
        text = f"no answer within {seconds:g} seconds{hint}"
        return self._limit_fault(used) or BotTimeoutError(text, details=self.last_words())

    def _end_fault(self, before: Usage) -> BotFaultError:
        code = self._process.wait(GONE)
        words = self.last_words()
        used = self._process.usage().since(before)
        if fault := self._limit_fault(used):
            return fault
        if code is None:
            return BotPipeError("it closed its output, but is still running", details=words)
        stderr = f"; last on stderr:\n{words}" if words else " and wrote nothing on stderr"
        if used.refused and self._limits:
            return BotProcessesError(
                f"it ended with {_exit_text(code)} after it had reached its limit of "
                f"{self._limits.processes} processes and threads{stderr}",
                details=words,
            )
        return BotCrashError(f"it ended with {_exit_text(code)}{stderr}", details=words)

    def _limit_fault(self, used: Usage) -> BotFaultError | None:
        """Return the fault of a program of which a process was killed for its memory, or None."""
        if not used.killed or self._limits is None:
            return None
        return memory_fault(self._limits, self.last_words())


def memory_fault(limits: ResourceLimits, details: str = "") -> BotMemoryError:
    """Return the fault of a bot that has reached its limit of memory."""
    most = f"{(limits.memory or 0) / 2**20:g} MiB"
    return BotMemoryError(f"a process was killed at the limit of memory, {most}", details=details)


def parse_message(text: str, last_words: Callable[[], str] = str) -> dict[str, Any]:
    """Return a program's message, a JSON object; raises BotGarbageError.

    `last_words`: a function that returns the end of the program's stderr.
    """
    try:
        answer = json.loads(text)
    # The parser recurses into nested lists, so their depth is limited by the stack.
    except (ValueError, RecursionError) as error:
        message = f"it wrote {clipped(text)!r}, which is not JSON ({error}). {SPEAK_ONCE}"
        raise BotGarbageError(message, clipped(text, 1000), last_words()) from None
    if not isinstance(answer, dict):
        message = f"it wrote {clipped(text)!r}; a message is a JSON object"
        raise BotGarbageError(message, clipped(text, 1000), last_words())
    return answer


def _exit_text(code: int) -> str:
    """Return the text of an exit code; codes above 128, or below 0 without a guard, are signals."""
    number = -code if code < 0 else code - 128
    names = {signal.value: signal.name for signal in Signals}
    return f"exit code {code}" + (f" ({names[number]})" if number in names else "")


def _decode_lines(read: Read) -> Iterator[Line]:
    partial_line = bytearray()
    while chunk := read(CHUNK):
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            yield Line(bytes(partial_line + end))
            partial_line.clear()
        partial_line += rest
        if len(partial_line) > LONGEST:
            yield Line(bytes(partial_line[:CLIPPED]), is_whole=False)
            return
    if partial_line:
        yield Line(bytes(partial_line))


LINES: Codec[str, Line] = Codec(lambda text: text.encode() + b"\n", _decode_lines)
