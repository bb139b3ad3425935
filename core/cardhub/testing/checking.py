"""The base of all checks: how they fail, how they are run, how they compare states."""

from collections.abc import Callable
from typing import Any, Protocol

from cardhub.bots.asking import explain
from cardhub.errors import CardhubError, HiddenFaceError, SceneError
from cardhub.errors.source_lines import raising_line
from cardhub.game.game import Game
from cardhub.game.scene import Scene
from cardhub.table.state import State


class ConformanceError(AssertionError):
    """A violation of the contract of games: `check` is the failed check, `what` the violation."""

    def __init__(self, check: str, where: str, what: str) -> None:
        self.check = check
        self.what = what
        super().__init__(f"{where}: {what} ({check})")


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
    """Run a check and let its ConformanceError through."""
    check(game, subject, *more)
    return True


def error_line(error: BaseException) -> str:
    """Return an error as one line, with the file and line in third-party code that raised it."""
    # Not the core's own frames below it, which say nothing to the author.
    line = raising_line(error.__traceback__)
    if line is None or isinstance(error, SceneError):
        return str(error) if isinstance(error, CardhubError) else explain(error)
    # The message of a HiddenFaceError names the line itself.
    return explain(error) + ("" if isinstance(error, HiddenFaceError) else f" ({line})")


def freeze(state: State) -> dict[str, Any]:
    """Return a dict of all attributes of a state, lists copied as tuples."""
    return {name: _frozen(value) for name, value in vars(state).items()}


def differing(one: State, other: State) -> str:
    """Return the names of the attributes in which two unequal states differ."""
    mine, theirs = vars(one), vars(other)
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
    return list(whole.splitlines()) if isinstance(whole, str) else [whole]
