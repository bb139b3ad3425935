"""Search bots: information-set Monte-Carlo tree search, and flat search as a baseline."""

from collections.abc import Callable
from random import Random
from typing import Any

from cardhub.bots.bot import Rated
from cardhub.bots.search.budget import SearchBudget
from cardhub.bots.search.determinization_sampler import DeterminizationSampler
from cardhub.bots.search.playouts import Playout, quick_playout
from cardhub.bots.search.simulation import Simulation
from cardhub.bots.search.tree import Edge
from cardhub.game.game import Game
from cardhub.hidden.observation import Observation

PlayoutMaker = Callable[[Game[Any], Random], Playout[Any]]

SERIOUS = 0.5
"""Share of the best action's visits from which another action is sampled, too."""


class SearchBot:
    """Simulates games from many determinizations and chooses the most visited action.

    In a game with bluffs, an action that may deceive is sampled in proportion to its visits.
    """

    def __init__(
        self,
        rng: Random,
        *,
        budget: SearchBudget,
        make_playout: PlayoutMaker = quick_playout,
        keeps: bool = True,
        mixes: bool = True,
        is_flat: bool = False,
    ) -> None:
        self._rng = rng
        self._budget = budget
        self._make_playout = make_playout
        self._keeps = keeps
        self._mixes = mixes
        self._is_flat = is_flat
        self._simulation: Simulation[Any] | None = None
        self._before: Observation[Any] | None = None

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        rated = self.advise(observation)
        if not self._mixes or not may_bluff(observation.game, legal):
            return rated[0].action
        serious = [r for r in rated if r.visits >= SERIOUS * rated[0].visits]
        actions, visits = [r.action for r in serious], [r.visits for r in serious]
        return self._rng.choices(actions, visits)[0]

    def advise(self, observation: Observation[Any], /) -> list[Rated]:
        """See Adviser."""
        simulation = self._begin(observation)
        sampler = DeterminizationSampler(observation, self._rng)
        for _ in self._budget.spend():
            simulation.learn(sampler.draw())
        offers = simulation.offers(observation.state)
        edges = [(action, simulation.choices.get(key)) for key, action in offers]
        rated = [_rated(action, edge) for action, edge in edges]
        return sorted(rated, key=lambda r: (-r.visits, -r.value, r.action))

    def interrupt(self) -> None:
        """See Interruptible."""
        self._budget.stop()

    def _begin(self, observation: Observation[Any]) -> Simulation[Any]:
        """Return the simulation, with the previous search tree if it can be reused."""
        before, self._before = self._before, observation
        if self._simulation is None or before is None or before.seat != observation.seat:
            self._simulation = self._new(observation)
        elif not self._keeps or not self._follow(before, observation):
            self._simulation.forget()
        return self._simulation

    def _follow(self, before: Observation[Any], now: Observation[Any]) -> bool:
        """Move the tree from the last decision to this one; return False if that is impossible."""
        past = len(before.history)
        if (
            now.history[:past] != before.history
            or now.state.shuffle_log != before.state.shuffle_log
        ):
            return False
        world = before.state.clone()
        # A determinization of this state was consistent with the last one, too.
        world.face = now.determinize(self._rng).face
        return self._simulation is not None and self._simulation.follow(world, now.history[past:])

    def _new(self, observation: Observation[Any]) -> Simulation[Any]:
        game, rng = observation.game, self._rng
        playout = self._make_playout(game, rng)
        return Simulation(game, observation.seat, rng, playout, is_flat=self._is_flat)


def may_bluff(game: Game[Any], legal: list[int]) -> bool:
    """Return whether one of these actions is of a kind that may deceive."""
    return any(game.actions.group(action)[0].verb in game.bluffs for action in legal)


def _rated(action: int, edge: Edge | None) -> Rated:
    if edge is None or not edge.visits:
        return Rated(action, 0, 0.0)
    return Rated(action, edge.visits, 2 * edge.total / edge.visits - 1)
