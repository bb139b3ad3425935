"""How a check is run: so that its failure ends all, or so that it is noted."""

from collections.abc import Callable
from typing import Any, Protocol

from cardhub.game.game import Game


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
