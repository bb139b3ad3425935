"""Bots for Kuhn poker: one that makes no dominated choice, and one that makes all of them."""

from random import Random
from typing import Any

from typing_extensions import override

from cardhub import BotEntry, Observation, hookimpl

JACK, _, KING = range(3)
CHECK, BET, FOLD, CALL = range(4)


class Careful:
    """Bets and calls with the King only."""

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the action for the own card."""
        state = observation.state
        card = state.face[state.hand[state.seat][0]]
        if FOLD in observation.legal():
            return self.answer(card)
        return BET if card == KING else CHECK

    def answer(self, card: int) -> int:
        """Return the answer to a bet."""
        return CALL if card == KING else FOLD


class Blunderer(Careful):
    """Folds the King and calls with the Jack."""

    @override
    def answer(self, card: int) -> int:
        return CALL if card == JACK else FOLD


class Bluffer(Careful):
    """Bets always, because the other bots need bets to answer."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        return max(observation.legal()) if BET in observation.legal() else FOLD


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bots."""
    makers = {"careful": Careful, "blunderer": Blunderer, "bluffer": Bluffer}
    return [
        BotEntry(name, f"a {name} player", make, games=("kuhn",)) for name, make in makers.items()
    ]
