"""What a check says when a game breaks a promise, and errors in a stranger's code in one line."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cardhub
from cardhub.bots.asking import explain
from cardhub.errors import CardhubError
from cardhub.game.game import Game
from cardhub.game.scene import Scene
from cardhub.table.state import State

OWN = str(Path(cardhub.__file__).parent)


class ConformanceError(AssertionError):
    """A game breaks a promise; `check` is the name of the check that found out, `what` how."""

    def __init__(self, check: str, where: str, what: str) -> None:
        self.check = check
        self.what = what
        super().__init__(f"{where}: {what} ({check})")


def explained(error: BaseException) -> str:
    """Return an error in one line, with the line of a stranger's code that it comes from."""
    said = explain(error)
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(OWN)]
    if isinstance(error, CardhubError) and not theirs:
        return str(error)
    return f"{said} ({Path(theirs[-1].filename).name}:{theirs[-1].lineno})" if theirs else said


class Run(Protocol):
    """Runs a check of a game at some place, and returns whether it holds.

    `check` is called with the game, the place (a Trial, a Position or a Doubt) and whatever comes
    after; it raises ConformanceError if it does not hold.
    """

    def __call__(
        self, check: Callable[..., object], game: Game[Any], place: Any, *more: Any
    ) -> bool:
        """See Run."""
        ...


def at_once(check: Callable[..., object], game: Game[Any], place: Any, *more: Any) -> bool:
    """Run a check that raises if it does not hold."""
    check(game, place, *more)
    return True


def first_difference(one: object, other: object) -> tuple[str, str]:
    """Return the smallest parts of two scenes, texts or sequences that are not the same."""
    for mine, theirs in zip(_parts(one), _parts(other), strict=False):
        if mine != theirs:
            return (str(mine).strip(), str(theirs).strip())
    return str(one), str(other)


def _parts(whole: object) -> list[object]:
    if isinstance(whole, Scene):
        return [f"the prompt {whole.prompt!r}", *whole.areas, whole.points]
    return list(whole.splitlines()) if isinstance(whole, str) else [whole]


def freeze(state: State) -> dict[str, Any]:
    """Return all that is in a state, as nothing that happens to it can change."""
    return {name: _frozen(value) for name, value in vars(state).items()}


def _frozen(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(map(_frozen, value)) if value and isinstance(value[0], list) else tuple(value)


def differing(one: State, other: State) -> str:
    """Return the names of what differs between two states."""
    mine, theirs = vars(one), vars(other)
    return ", ".join(name for name in mine if mine[name] != theirs.get(name)) or "type"
