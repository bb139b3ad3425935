"""The base of all checks: how they fail, how they are run, how they compare states."""

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import takewhile
from math import inf
from time import monotonic, process_time
from types import CodeType, FrameType
from typing import Any, Protocol

import msgspec

from cardhub.base.errors import CardhubError, HiddenFaceError, SceneError
from cardhub.base.errors.source_lines import SourceLine, raising_line, third_party_frames
from cardhub.bots.asking import explain
from cardhub.bots.deadline import TICK, TooLateError, watched
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Scene
from cardhub.model.table.state import State, fields_of

# Processor seconds after which a call of the rules counts as one that never returns.
LIMIT = 10.0
# A call that waits, and uses no processor, counts as one after this multiple of LIMIT.
WAIT_FACTOR = 6


class FaultyLine(msgspec.Struct, frozen=True, order=True):
    """A line of the game that is wrong, and why; `file` is an absolute path."""

    file: str
    line: int
    problem: str

    @classmethod
    def at(cls, line: SourceLine, problem: str) -> "FaultyLine":
        """Return a line with its problem."""
        return cls(line.path, line.number, problem)

    def __str__(self) -> str:
        return f"{SourceLine(self.file, self.line)}: {self.problem}"


class ConformanceError(AssertionError):
    """A violation of the contract of games: the failed `check` and the `problem`.

    `lines` are the lines of the game that the problem names.
    """

    def __init__(
        self,
        check: str,
        where: str,
        problem: str,
        lines: Sequence[FaultyLine] = (),
    ) -> None:
        self.check = check
        self.problem = problem
        self.lines = tuple(lines)
        super().__init__(f"{where}: {problem} ({check})")


class UnfinishedError(Exception):
    """The time of a check was over before it ended, which is not a fault of the game."""


class CheckRunner(Protocol):
    """Runs a check of a game and returns whether it passes.

    `check` is called with the game, the subject (a Trial, Position or Comparison) and further
    arguments; it raises ConformanceError if it fails.
    """

    def __call__(
        self, check: Callable[..., object], game: Game[Any], subject: Any, *more: Any
    ) -> bool:
        """Run `check`."""
        ...


def run_or_raise(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> bool:
    """Run a check within its time and let its ConformanceError through."""
    run_limited(check, game, subject, *more)
    return True


class CallWatch:
    """Observer of a check that ends it if a call of the rules, or the check itself, takes too long.

    Only a call of the rules that does not return is the game's fault. A check may itself take long,
    because it plays and replays whole games: that ends it without blame. `late` describes the call.
    """

    def __init__(self, call: float, check: float, ends: float) -> None:
        self.late = ""
        self._limit = call
        self._check_ends = process_time() + check
        self._ends = ends
        # The frames that have been there since `_began`: the last one has the loop.
        self._frames: list[FrameType] = []
        self._began, self._ticks = 0.0, 0

    def __call__(self, frame: FrameType | None) -> bool:
        """Look at the running frame; return whether the check has to end."""
        now, frames = process_time(), third_party_frames(frame, _run_check.__code__)
        pairs = zip(self._frames, frames, strict=False)
        self._frames = [mine for mine, _ in takewhile(lambda pair: pair[0] is pair[1], pairs)]
        if not self._frames:
            self._frames, self._began, self._ticks = frames, now, 0
        self._ticks += 1
        if self._frames and not self.late:
            self.late = self._describe(now - self._began)
        return bool(self.late) or now >= self._check_ends or monotonic() >= self._ends

    def exclude(self, seconds: float) -> None:
        """Exclude the processor time of a nested check."""
        self._check_ends += seconds

    def _describe(self, used: float) -> str:
        # Ticks, not the clock: time in which this process is stopped has none.
        waited = self._ticks * TICK
        if used >= self._limit:
            after = f"{self._limit:g} seconds of processor time"
        elif waited >= WAIT_FACTOR * self._limit:
            after = f"a wait of {WAIT_FACTOR * self._limit:g} seconds"
        else:
            return ""
        call, last = self._frames[0], self._frames[-1]
        line = SourceLine(last.f_code.co_filename, last.f_lineno)
        return f"{call.f_code.co_name}() has not returned after {after} ({line})"


# The observers of the checks that are running, innermost last.
_WATCHES: list[CallWatch] = []


def run_limited(
    check: Callable[..., object],
    game: Game[Any],
    subject: Any,
    *more: Any,
    part: float = 1.0,
    seconds: float = inf,
    ends: float = inf,
) -> None:
    """Run a check; raises ConformanceError for `time` if a call of the rules does not return.

    Such a call may take `part` of LIMIT. Raises UnfinishedError after `seconds` of processor time,
    and if the monotonic clock reaches `ends`.
    """
    watch, began = CallWatch(LIMIT * part, seconds, ends), process_time()
    _WATCHES.append(watch)
    try:
        watched(watch, _run_check, check, game, subject, *more)
    except TooLateError as error:
        if not watch.late:
            raise UnfinishedError from None
        raise ConformanceError("time", game.name, watch.late) from error
    finally:
        _WATCHES.pop()
        if _WATCHES:
            _WATCHES[-1].exclude(process_time() - began)


def _run_check(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> None:
    """Run a check; its frame is where CallWatch stops looking for calls of the rules."""
    check(game, subject, *more)


def error_line(error: BaseException) -> str:
    """Return an error as one line, with the file and line in third-party code that raised it."""
    # Without the core's frames below it, which do not help the author.
    line = raising_line(error.__traceback__)
    if line is None or isinstance(error, SceneError):
        return str(error) if isinstance(error, CardhubError) else explain(error)
    # The message of a HiddenFaceError names the line itself.
    return explain(error) + ("" if isinstance(error, HiddenFaceError) else f" ({line})")


def first_line(function: Callable[..., object]) -> SourceLine | None:
    """Return the line of `def` of a method; None if it is compiled."""
    code = getattr(function, "__code__", None)
    return None if code is None else line_of_def(code)


def line_of_def(code: CodeType) -> SourceLine:
    """Return the line of `def` of a function, not of a decorator before it."""
    lines: list[str] = []
    with suppress(OSError):  # the file is gone
        lines, _ = inspect.getsourcelines(code)
    before = next((n for n, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return SourceLine(code.co_filename, code.co_firstlineno + before)


def freeze(state: State) -> dict[str, Any]:
    """Return a dict of all attributes of a state, lists copied as tuples.

    The history of views is left out, because the core adds to it before each action.
    """
    fields = fields_of(state)
    fields.pop(state.views_field, None)
    return {name: _frozen(value) for name, value in fields.items()}


def differing(one: State, other: State) -> str:
    """Return the names of the attributes in which two unequal states differ."""
    mine, theirs = fields_of(one), fields_of(other)
    return ", ".join(name for name in mine if mine[name] != theirs.get(name)) or "type"


def first_difference(one: object, other: object) -> tuple[str, str]:
    """Return the first parts in which two scenes, texts or sequences differ."""
    for mine, theirs in zip(_parts(one), _parts(other), strict=False):
        if mine != theirs:
            return str(mine).strip(), str(theirs).strip()
    return str(one), str(other)


def _frozen(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    # By the first element: checking each one would slow down every step of a game.
    is_nested = bool(value) and isinstance(value[0], list)
    return tuple(map(_frozen, value)) if is_nested else tuple(value)


def _parts(whole: object) -> list[object]:
    if isinstance(whole, Scene):
        return [
            f"the prompt {whole.prompt!r}",
            *whole.areas,
            whole.points,
            f"the marks {whole.marks}",
        ]
    if isinstance(whole, bytes):  # the JSON form of a view
        return [*msgspec.json.format(whole).decode().splitlines()]
    return list(whole.splitlines()) if isinstance(whole, str) else [whole]
