"""Bots that draw from a policy, and the bot `cfr`, which solves a small game for one."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotRefusalError, SolvingError
from cardhub.bots.bot import Bot, BotEntry, MixedBot
from cardhub.bots.solving.game_tree import MOST_NODES
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Number, Settings


class PolicyBot(Bot, MixedBot):
    """A bot that draws each action from its `policy`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        policy = self.policy(observation)
        return self._rng.choices(list(policy), list(policy.values()))[0]


class SolvedBot(PolicyBot):
    """A bot that samples from the average strategy of CFR+; see `bots.solving.sequence_form`.

    Each process solves the game once, in the warm-up or at the first decision. A game that is too
    large raises BotRefusalError.
    """

    def __init__(self, rng: Random, *, iterations: int, nodes: int = MOST_NODES) -> None:
        super().__init__(rng)
        self._iterations = iterations
        self._nodes = nodes

    @override
    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        # Imported late, because it loads numpy, which other bots do not need.
        from cardhub.bots.solving.sequence_form import solved

        try:
            state = observation.state
            table = observation.game, state.seats, state.settings
            solution = solved(*table, self._iterations, self._nodes)
        except SolvingError as error:
            raise BotRefusalError(str(error)) from error
        return solution.policy(observation)


def warm_up(game: Game[Any], settings: Settings, seats: int, options: Settings) -> None:
    """Solve a game with the options of a table, and cache the solution in this process."""
    from cardhub.bots.solving.sequence_form import solved

    with suppress(SolvingError):  # the first decision raises BotRefusalError
        solved(game, seats, options, settings.number("iterations"), settings.number("nodes"))


CFR = BotEntry(
    "cfr",
    "near-perfect play of small games: solves the whole game by CFR+",
    SolvedBot,
    options={
        "iterations": Number(1000, "Iterations of CFR+; more come closer to perfect.", 1, 10**6),
        "nodes": Number(MOST_NODES, "Refuse games whose tree has more nodes.", 1, 10**8),
    },
    warm_up=warm_up,
    needs_determinizations=True,
)
