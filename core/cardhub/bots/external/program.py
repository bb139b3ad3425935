"""A running program that is asked by messages, which are lines of JSON."""

import json
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from signal import Signals
from typing import Any

from cardhub.bots.external import guard
from cardhub.bots.external.launch import IS_GUARDED, UNSANDBOXED, Confinement, Started, start
from cardhub.bots.external.streams import ASIDE, FROM, LONGEST, TO, DialogueLog, Inbox, Outbox, Tail
from cardhub.errors import (
    BotCrashError,
    BotFaultError,
    BotGarbageError,
    BotPipeError,
    BotTimeoutError,
)
from cardhub.errors.printable import printable
from cardhub.errors.quoting import clip

Message = Mapping[str, Any]

PATIENCE = guard.GRACE + guard.LAST_GRACE + 0.5
"""Seconds from the end of a program's input until it is killed."""
GONE = 1.0
"""Seconds for a program to end after it has closed its output."""
SPEAK_ONCE = "One line answers one question; what is for people goes to stderr"


class Program:
    """A program and its pipes.

    No call waits longer than its time limit. `log` names a file for a dialogue log, if any. Raises
    BotCrashError if the program cannot be started.
    """

    def __init__(
        self, words: Sequence[str], log: str = "", confinement: Confinement = UNSANDBOXED
    ) -> None:
        self.words, self.log = tuple(words), log
        self._log = DialogueLog(log)
        self._started = _start(words, confinement)
        self._process = self._started.process
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        if None in pipes:  # for mypy: all three are pipes
            raise AssertionError(pipes)
        stdin, stdout, stderr = (pipe for pipe in pipes if pipe is not None)
        self._outbox, self._inbox = Outbox(stdin), Inbox(stdout)
        self._tail = Tail(stderr, partial(self._log.add, ASIDE))

    @property
    def is_waiting(self) -> bool:
        """Whether the program runs and has no unread output."""
        return self._process.poll() is None and self._inbox.is_empty

    def tell(self, message: Message) -> None:
        """Send a message that has no answer."""
        text = json.dumps(message, separators=(",", ":"))  # ASCII, which no encoding spoils
        self._log.add(TO, text)
        self._outbox.send(text.encode() + b"\n")

    def ask(self, message: Message, seconds: float) -> dict[str, Any]:
        """Send a message and return the answer to it, an object; raises BotFaultError."""
        if not self._inbox.is_empty:
            unasked = printable(self._hear(0))
            raise self._garbage(f"it wrote a line without being asked: {unasked}. {SPEAK_ONCE}")
        self.tell(message)
        return self._parse(self._hear(seconds))

    def last_words(self) -> str:
        """Return the end of the program's stderr."""
        return printable(self._tail.text(), lines=True)

    def close_input(self) -> None:
        """Close the program's input."""
        self._outbox.close()

    def end(self) -> None:
        """Close the program's input, and kill it after a timeout."""
        self.close_input()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
        self._started.clean_up()

    def kill(self) -> None:
        """Kill the program and its process group at once."""
        self.close_input()
        if IS_GUARDED:
            self._process.terminate()  # the guard then kills the group
        else:
            self._process.kill()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # not even the guard answers
            self._process.kill()
            self._process.wait()
        self._started.clean_up()

    def _hear(self, seconds: float) -> str:
        try:
            line = self._inbox.take(seconds)
        except TimeoutError:
            hint = "" if self._tail.text(0) else ". Does it flush its output after every line?"
            raise BotTimeoutError(
                f"no answer within {seconds:g} seconds{hint}", details=self.last_words()
            ) from None
        if line is None:
            raise self._ended()
        text = line.text.decode("utf-8", "backslashreplace")
        self._log.add(FROM, text)
        if not line.is_whole:
            raise self._garbage(f"a line of more than {LONGEST} bytes, which begins with {text!r}")
        return text

    def _parse(self, text: str) -> dict[str, Any]:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as error:
            what = f"it wrote {clip(text)!r}, which is not JSON ({error}). {SPEAK_ONCE}"
            raise self._garbage(what, text) from None
        if not isinstance(answer, dict):
            raise self._garbage(f"it wrote {clip(text)!r}; a message is a JSON object", text)
        return answer

    def _garbage(self, what: str, text: str | None = None) -> BotFaultError:
        return BotGarbageError(what, text and clip(text, 1000), self.last_words())

    def _ended(self) -> BotFaultError:
        """Return the fault of a program that has closed its output."""
        try:
            code = self._process.wait(GONE)
        except subprocess.TimeoutExpired:
            return BotPipeError("it closed its output, but goes on", details=self.last_words())
        words = self.last_words()
        said = f"; last on stderr:\n{words}" if words else " and wrote nothing on stderr"
        return BotCrashError(f"it ended with {_told(code)}{said}", details=words)


def _told(code: int) -> str:
    """Return an exit code; above 128, or below 0 without a guard, it is a signal's."""
    number = -code if code < 0 else code - 128
    names = {signal.value: signal.name for signal in Signals}
    return f"exit code {code}" + (f" ({names[number]})" if number in names else "")


def _start(words: Sequence[str], confinement: Confinement) -> Started:
    try:
        return start(words, confinement)
    except (OSError, ValueError) as error:  # ValueError: a NUL in a word
        raise BotCrashError(f"{shlex.join(words)} cannot be started: {error}") from error
