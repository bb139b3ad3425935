"""A running program that is asked by messages, which are lines of JSON."""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from signal import Signals
from typing import Any, NamedTuple

from cardhub.base.errors import (
    BotCrashError,
    BotFaultError,
    BotGarbageError,
    BotPipeError,
    BotTimeoutError,
)
from cardhub.base.errors.printable import printable
from cardhub.base.errors.quoting import clip
from cardhub.bots.deadline import get_within
from cardhub.bots.external.dialogue_log import ASIDE, FROM, TO, DialogueLog, Tail
from cardhub.bots.processes.child_process import PATIENCE, ChildProcess, Codec, FrameError, Read
from cardhub.bots.processes.launch import UNSANDBOXED, Confinement

# Seconds for a program to end after it has closed its output.
GONE = 1.0
# Maximum length of a line in bytes.
LONGEST = 1 << 20
CHUNK = 1 << 16
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
        what = f"it wrote {clip(text)!r}, which is not JSON ({error}). {SPEAK_ONCE}"
        raise BotGarbageError(what, clip(text, 1000), last_words()) from None
    if not isinstance(answer, dict):
        what = f"it wrote {clip(text)!r}; a message is a JSON object"
        raise BotGarbageError(what, clip(text, 1000), last_words())
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
