"""The search bots: information-set Monte-Carlo tree search, and flat search as a baseline."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from random import Random
from time import monotonic
from typing import Any

from typing_extensions import override

from cardhub.bots.bot import Adviser, Bot, BotEntry, Comparer, Interruptible, Rated
from cardhub.bots.option import AnyBot
from cardhub.bots.random_bot import RandomBot
from cardhub.bots.search.principal_line import principal_line
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import (
    DeterminizationSampler,
    Playout,
    bot_playout,
    quick_playout,
)
from cardhub.game.game import Game
from cardhub.hidden.observation import Observation
from cardhub.table.settings import Flag, Number, Option, Settings

PlayoutMaker = Callable[[Game[Any], Random], Playout[Any]]

# Share of the best action's visits from which another action is sampled, too.
NEAR_BEST = 0.5
# Number of iterations between checks of the clock.
CLOCK_INTERVAL = 8


class SearchBudget:
    """A number of iterations, or a time limit in milliseconds if that is not 0."""

    def __init__(self, iterations: int, milliseconds: int = 0) -> None:
        self._iterations = iterations
        self._seconds = milliseconds / 1000
        self._is_stopped = False

    def stop(self) -> None:
        """Stop the running search; called from another thread."""
        self._is_stopped = True

    def spend(self) -> Iterator[int]:
        """Yield the numbers of the iterations, at least one."""
        self._is_stopped = False
        # A stop that came after the previous search must not end this one.
        end = monotonic() + self._seconds
        for number in count() if self._seconds else range(self._iterations):
            yield number
            if self._is_stopped:
                return
            if self._seconds and number % CLOCK_INTERVAL == 0 and monotonic() >= end:
                return


class SearchBot(Bot, Adviser, Comparer, Interruptible):
    """Searches from many determinizations and chooses the most visited action.

    The search is MO-ISMCTS (Cowling, Powley, Whitehouse 2012), or with `is_flat` Monte-Carlo
    search without a tree. In a game with bluffs, an action that may deceive is sampled in
    proportion to its visits.
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
        self._tree: SearchTree[Any] | None = None
        self._before: Observation[Any] | None = None

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        weights = self.weights(observation)
        if not self._may_mix(observation.game, legal):
            return next(iter(weights))
        return self._rng.choices(list(weights), list(weights.values()))[0]

    def weights(self, observation: Observation[Any]) -> dict[int, int]:
        """Search, and return the actions that `choose` samples from, with their weights."""
        rated = self._rate(observation)
        if not self._may_mix(observation.game, observation.legal()):
            return {rated[0].action: 1}
        most = rated[0].visits
        return {r.action: r.visits for r in rated if r.visits >= NEAR_BEST * most}

    @override
    def advise(self, observation: Observation[Any], /) -> list[Rated]:
        best, *others = self._rate(observation)
        line = principal_line(self._tree, observation, best.action) if self._tree else ()
        return [best._replace(line=line), *others]

    @override
    def compare(self, observation: Observation[Any], actions: Sequence[int], /) -> list[Rated]:
        # A tree of its own, as one that is reused has other numbers of visits. The same
        # determinization for all actions: what chance does to both of two is no difference.
        tree = self._new_tree(observation)
        sampler = DeterminizationSampler(observation, self._rng)
        for _ in self._budget.spend():
            state = sampler.draw()
            for action in actions:
                tree.iterate_after(state.clone(), action)
        keys = {action: key for key, action in tree.keyed_actions(observation.state)}
        return [tree.rating(keys[action], action) for action in actions]

    def _rate(self, observation: Observation[Any]) -> list[Rated]:
        tree = self._tree_for(observation)
        sampler = DeterminizationSampler(observation, self._rng)
        for _ in self._budget.spend():
            tree.iterate(sampler.draw())
        rated = [tree.rating(*keyed) for keyed in tree.keyed_actions(observation.state)]
        return sorted(rated, key=lambda r: (-r.visits, -r.value, r.action))

    @override
    def interrupt(self) -> None:
        self._budget.stop()

    def _may_mix(self, game: Game[Any], legal: list[int]) -> bool:
        return self._mixes and may_bluff(game, legal)

    def _tree_for(self, observation: Observation[Any]) -> SearchTree[Any]:
        """Return the tree of the previous search if it can be reused, else an empty one."""
        before, self._before = self._before, observation
        if self._tree is None or before is None or before.seat != observation.seat:
            self._tree = self._new_tree(observation)
        elif not self._keeps or not self._advance(self._tree, before, observation):
            self._tree.reset()
        return self._tree

    def _new_tree(self, observation: Observation[Any]) -> SearchTree[Any]:
        playout = self._make_playout(observation.game, self._rng)
        return SearchTree(observation, self._rng, playout, is_flat=self._is_flat)

    def _advance(
        self, tree: SearchTree[Any], before: Observation[Any], now: Observation[Any]
    ) -> bool:
        """Move the root from the last decision to this one; return False if it cannot be."""
        past = len(before.history)
        if (
            now.history[:past] != before.history
            or now.state.shuffle_log != before.state.shuffle_log
        ):
            return False
        state = before.state.clone()
        # No shuffle lies between: so faces that fit this observation fitted the last one, too.
        state.face = now.determinize(self._rng).face
        return tree.advance_root(state, now.history[past:])


def may_bluff(game: Game[Any], legal: list[int]) -> bool:
    """Return whether one of these actions is of a kind that may deceive."""
    return any(game.actions.group(action)[0].verb in game.bluffs for action in legal)


def _search(
    rng: Random,
    *,
    iterations: int,
    milliseconds: int,
    rollout: Callable[[Random], Bot],
    keep: bool = False,
    mix: bool = False,
    is_flat: bool = False,
) -> SearchBot:
    # RandomBot in playouts would be slow; it stands for the game's own quick playout.
    is_quick = isinstance(rollout(rng), RandomBot)
    return SearchBot(
        rng,
        budget=SearchBudget(iterations, milliseconds),
        make_playout=quick_playout if is_quick else partial(bot_playout, make=rollout),
        keeps=keep,
        mixes=mix,
        is_flat=is_flat,
    )


def _uses_clock(settings: Settings) -> bool:
    return settings.number("milliseconds") > 0


BUDGET: dict[str, Option] = {
    "iterations": Number(1000, "Determinizations to search for one decision.", 1, 10_000_000),
    "milliseconds": Number(0, "Time for one decision instead, if not 0.", 0, 3_600_000),
    "rollout": AnyBot("random", "The bot for playouts; random: the game's own fast playout."),
}

ISMCTS = BotEntry(
    "ismcts",
    "information-set Monte-Carlo tree search over many determinizations",
    _search,
    options={
        **BUDGET,
        "keep": Flag(True, "Reuse the search tree of the previous decision."),
        "mix": Flag(True, "Sample among near-best actions where rivals could infer cards."),
    },
    uses_clock=_uses_clock,
)

PIMC = BotEntry(
    "pimc",
    "flat Monte-Carlo search over many determinizations: a baseline",
    partial(_search, is_flat=True),
    options=BUDGET,
    uses_clock=_uses_clock,
)
