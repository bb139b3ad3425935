"""The base of all checks: how they fail, how they are run, how they compare states."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from cardhub.base.errors import CardhubError, HiddenFaceError, SceneError
from cardhub.base.errors.source_lines import raising_line
from cardhub.bots.asking import explain
from cardhub.bots.deadline import TIMER, TooLateError, within
from cardhub.model.game.game import Game
from cardhub.model.game.scene import Scene
from cardhub.model.table.state import State, fields_of

# Seconds after which a check of one position counts as one that never returns.
LIMIT = 10.0
# Checks that play whole games take longer, by this factor.
LONG_FACTOR = 6
DEAL_CHECKS = ("deal_is_fair", "deal_is_blind")
RECORD_CHECKS = ("replay", "record", "same_record", "same_errors", "same_messages", "golden")
SAMPLING_CHECKS = ("determinization", "variety", "guesses", "goal", "room", "plan")
LONG_CHECKS = (*DEAL_CHECKS, *RECORD_CHECKS, *SAMPLING_CHECKS)


class ConformanceError(AssertionError):
    """A violation of the contract of games: the failed `check` and the `problem`."""

    def __init__(self, check: str, where: str, problem: str) -> None:
        self.check = check
        self.problem = problem
        super().__init__(f"{where}: {problem} ({check})")


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


def run_limited(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> None:
    """Run a check; raises ConformanceError for the check `time` if it takes too long."""
    name = check.__name__.removeprefix("check_")
    seconds = LIMIT * (LONG_FACTOR if name in LONG_CHECKS else 1)
    outer = TIMER.deadline
    try:
        within(seconds, check, game, subject, *more)
    except TooLateError as error:
        # The interruption itself has the lines of the code that it ended.
        stopped = error.__context__
        line = raising_line(stopped.__traceback__) if stopped else None
        problem = f"{line.functions[-1]}()" if line else f"the check `{name}`"
        where = f" ({line})" if line else ""
        problem = f"{problem} has not returned after {seconds:g} seconds{where}"
        raise ConformanceError("time", game.name, problem) from error
    finally:
        TIMER.deadline = outer  # checks run others, whose limits end before theirs


def error_line(error: BaseException) -> str:
    """Return an error as one line, with the file and line in third-party code that raised it."""
    # Without the core's frames below it, which do not help the author.
    line = raising_line(error.__traceback__)
    if line is None or isinstance(error, SceneError):
        return str(error) if isinstance(error, CardhubError) else explain(error)
    # The message of a HiddenFaceError names the line itself.
    return explain(error) + ("" if isinstance(error, HiddenFaceError) else f" ({line})")


def freeze(state: State) -> dict[str, Any]:
    """Return a dict of all attributes of a state, lists copied as tuples."""
    return {name: _frozen(value) for name, value in fields_of(state).items()}


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
