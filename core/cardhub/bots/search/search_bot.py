"""The search bots: information-set Monte-Carlo tree search, and flat search as a baseline."""

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from types import TracebackType
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.bots.bot import (
    Adviser,
    Bot,
    BotEntry,
    Comparer,
    Evaluator,
    Interruptible,
    Rated,
    Searcher,
)
from cardhub.bots.random_bot import RandomBot
from cardhub.bots.search.amount_search import best_of_each
from cardhub.bots.search.guided_tree import GuidedTree
from cardhub.bots.search.infosets import EXPLORED, action_keys
from cardhub.bots.search.search_budget import BudgetUse, SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import DeterminizationSampler, Playout
from cardhub.bots.search.struct_tree import BLOCK, StructTree, has_struct_tree
from cardhub.bots.search.workers.search_team import SearchTeam, WorkerPool
from cardhub.bots.spec import AnyBot, GuideBot, Workers
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.rounds import is_in_round
from cardhub.model.table.settings import Flag, Number, Option, Settings

# The number of iterations between two garbage collections.
INTERVAL = 500


class CollectionPause:
    """A context manager that disables automatic garbage collection.

    Trees and states do not contain reference cycles, so collections would only traverse the growing
    tree repeatedly. The rules of a game and other threads may create cycles, so call `collect`
    periodically. If garbage collection is already disabled, it stays disabled.
    """

    def __init__(self) -> None:
        self._is_on = False

    def __enter__(self) -> "CollectionPause":
        # If several threads search, the first one to end enables collections again, which only
        # makes the other ones slower.
        self._is_on = gc.isenabled()
        gc.disable()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._is_on:
            gc.enable()

    def collect(self) -> None:
        """Collect new objects, if this pause disabled the automatic collection."""
        if self._is_on:
            gc.collect(1)


# The number of determinizations that vote on each step, and the greatest number of steps.
VOTERS, LONGEST = 16, 3
# The least number of visits of an expected action, because fewer visits mean little.
LEAST = 8


def principal_line(
    tree: SearchTree[S], observation: Observation[S], action: int
) -> tuple[Step, ...]:
    """Return the most visited steps after an action at the root.

    Several determinizations vote on each step. The line ends before chance acts, if a step has no
    majority, and before an action on a card that the observation's seat has not seen.
    """
    # Use a separate generator, because the line must not influence later decisions of the bot.
    rng = Random(len(observation.history))
    states = [observation.determinize(rng) for _ in range(VOTERS)]
    voters = [(state, tree.begin(state)) for state in states]
    line = [Step(observation.seat, action)]
    while len(line) <= LONGEST:
        seat, last = line[-1]
        voters = [
            (state, views)
            for state, views in voters
            if state.seat == seat and last in observation.game.legal(state)
        ]
        for state, views in voters:
            tree.apply(state, last, views, rng)
        votes = Counter(
            Step(state.seat, choice)
            for state, views in voters
            if state.seat >= 0
            and (choice := tree.most_visited(state, views, LEAST)) is not None
            and _is_seen(observation, choice)
        )
        (step, count) = votes.most_common(1)[0] if votes else (None, 0)
        if step is None or 2 * count <= VOTERS:
            break
        line.append(step)
    return tuple(line[1:])


def _is_seen(observation: Observation[S], action: int) -> bool:
    token = observation.game.actions.token(action)
    return token is None or bool(observation.state.seen[token] >> observation.seat & 1)


BotMaker = Callable[[Random], Bot]

# Actions with at least this share of the best action's visits are sampled.
NEAR_BEST = 0.5
# Shorter searches use one process, because a second one needs about 100 ms to pay off.
LEAST_MILLISECONDS, LEAST_ITERATIONS = 100, 200
MOST_WORKERS = 64


class SearchBot(Bot, Adviser, Comparer, Searcher, Interruptible):
    """A bot that searches many determinizations and chooses the most visited action.

    The search is MO-ISMCTS (Cowling, Powley, Whitehouse 2012), or with `is_flat` a Monte-Carlo
    search without a tree. In a game with bluffs, near-best actions are sampled in proportion to
    their visits if one of the legal actions may deceive; where several seats choose at the same
    time, all actions are. `guide`: the bot that replaces playouts, or None. `team`: worker
    processes that also search, or None; all trees repeatedly exchange their new statistics.
    """

    def __init__(
        self,
        rng: Random,
        *,
        budget: SearchBudget,
        rollout: BotMaker | None = None,
        guide: Evaluator | None = None,
        keeps: bool = True,
        mixes: bool = True,
        is_flat: bool = False,
        team: SearchTeam | None = None,
    ) -> None:
        self._rng = rng
        self._budget = budget
        self._use = budget.begin()
        self._team = team
        self._rollout = rollout
        self._guide = guide
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
        if not self._may_mix(observation, legal):
            return next(iter(weights))
        return self._rng.choices(list(weights), list(weights.values()))[0]

    def weights(self, observation: Observation[Any]) -> dict[int, int]:
        """Search, and return the actions that `choose` samples from, with their weights."""
        rated = self._rate(observation)
        if not self._may_mix(observation, observation.legal()):
            return {rated[0].action: 1}
        if is_in_round(observation.state):
            return round_weights(observation, rated)
        return bluff_weights(rated)

    @override
    def visits(self, observation: Observation[Any], /) -> dict[int, int]:
        rated = self._rate(observation)
        if is_in_round(observation.state):
            return round_weights(observation, rated)
        return {rating.action: rating.visits for rating in rated}

    @override
    def advise(self, observation: Observation[Any], /) -> list[Rated]:
        best, *worse = self._rate(observation)
        tree = self._tree.in_python(observation) if self._tree else None
        line = principal_line(tree, observation, best.action) if tree else ()
        return [best._replace(line=line), *worse]

    @override
    def compare(self, observation: Observation[Any], actions: Sequence[int], /) -> list[Rated]:
        return self._rated(observation, actions)

    @override
    def interrupt(self) -> None:
        self._use.stop()
        if self._team is not None:
            self._team.stop()

    def close(self) -> None:
        """Return the processes of the team to their pool."""
        if self._team is not None:
            self._team.close()

    def tree_for(
        self, observation: Observation[Any], actions: Sequence[int] | None
    ) -> SearchTree[Any]:
        """Return a new tree for a comparison of `actions`, or with None the bot's own tree."""
        # A comparison needs equal numbers of visits, which a reused tree does not have.
        return self._reused_tree(observation) if actions is None else self._new_tree(observation)

    def grow(
        self,
        tree: SearchTree[Any],
        observation: Observation[Any],
        actions: Sequence[int] | None,
        iterations: Iterable[int],
    ) -> None:
        """Search; each iteration simulates each of `actions` once, or with None a selected one."""
        sampler = DeterminizationSampler(observation, self._rng)
        with CollectionPause() as pause:
            for number in iterations:
                state = sampler.draw()
                if actions is None:
                    tree.iterate(state)
                else:
                    # Use the same determinization for all actions, because chance must affect all
                    # of them equally.
                    for action in actions:
                        tree.iterate_after(state.clone(), action)
                if number % INTERVAL == INTERVAL - 1:
                    pause.collect()

    def _search(self, tree: StructTree[Any], observation: Observation[Any], use: BudgetUse) -> None:
        """Search in C, with as many iterations at a time as the budget allows."""
        sampler = DeterminizationSampler(observation, self._rng)
        done = 0
        with CollectionPause() as pause:
            for count in use.spend_blocks(BLOCK):
                tree.search(sampler, count)
                done += count
                if done >= INTERVAL:
                    pause.collect()
                    done = 0

    def _rate(self, observation: Observation[Any]) -> list[Rated]:
        rated = self._rated(observation, None)
        ordered = sorted(rated, key=lambda r: (-r.visits, -r.value, r.action))
        is_grouped = bool(action_keys(observation.game).blocks)
        return best_of_each(observation.game, ordered) if is_grouped else ordered

    def _rated(self, observation: Observation[Any], actions: Sequence[int] | None) -> list[Rated]:
        # Create a new use, because a late stop of the previous search must not end this one.
        use = self._use = self._budget.begin()
        tree, team = self.tree_for(observation, actions), self._team
        if team is None and actions is None and isinstance(tree, StructTree) and tree.is_in_c:
            self._search(tree, observation, use)
        elif team is None:
            self.grow(tree, observation, actions, use.spend())
        else:
            team.begin(observation, actions, tree)
            self.grow(tree, observation, actions, team.in_rounds(use.spend()))
            if use.is_stopped or self._budget.milliseconds:
                team.stop()
            team.finish()
        rated = observation.legal() if actions is None else actions
        return [tree.rating(observation.state, action) for action in rated]

    def _may_mix(self, observation: Observation[Any], legal: list[int]) -> bool:
        is_guessed = is_in_round(observation.state) or may_bluff(observation.game, legal)
        return self._mixes and is_guessed

    def _reused_tree(self, observation: Observation[Any]) -> SearchTree[Any]:
        """Return the tree of the previous search if it can be reused, else an empty tree."""
        before, self._before = self._before, observation
        if self._tree is None or before is None or before.seat != observation.seat:
            self._tree = self._new_tree(observation)
        elif not self._keeps or not self._advance(self._tree, before, observation):
            self._tree.reset(observation)
        return self._tree

    def _new_tree(self, observation: Observation[Any]) -> SearchTree[Any]:
        if self._guide is not None:
            return GuidedTree(observation, self._rng, self._guide)
        bot = self._rollout(self._rng) if self._rollout else None
        playout = Playout(observation.game, self._rng, bot)
        if not self._is_flat and has_struct_tree(observation.game, self._rng, playout):
            return StructTree(observation, self._rng, playout)
        return SearchTree(observation, self._rng, playout, is_flat=self._is_flat)

    def _advance(
        self, tree: SearchTree[Any], before: Observation[Any], current: Observation[Any]
    ) -> bool:
        """Move the root from the last decision to this one; return False if this is impossible."""
        past = len(before.history)
        if (
            current.history[:past] != before.history
            or current.state.shuffle_log != before.state.shuffle_log
            # The past of such a tree is another one in each determinization.
            or current.state.views_field
        ):
            return False
        state = before.state.clone()
        # Without a shuffle in between, faces that fit this observation also fit the last one.
        state.face = current.determinize(self._rng).face
        return tree.advance_root(state, current.history[past:], current)


def round_weights(observation: Observation[Any], rated: Sequence[Rated]) -> dict[int, int]:
    """Return the visits of a round's actions without the visits that explored.

    The best action is first in `rated`. Equal cards share their visits, and one of them is chosen.
    """
    edge_key = action_keys(observation.game).edge_key
    by_key = {edge_key(observation.state, r.action): r for r in reversed(rated)}
    visits: int = sum(r.visits for r in by_key.values())
    explored = EXPLORED * visits / len(by_key)
    weights = {r.action: int(r.visits - explored) for r in by_key.values()}
    kept = {action: weight for action, weight in weights.items() if weight > 0}
    return kept or {rated[0].action: 1}


def bluff_weights(rated: Sequence[Rated]) -> dict[int, int]:
    """Return the visits of the near-best actions, where rivals could infer cards from an action.

    The action with most visits is first in `rated`.
    """
    most = rated[0].visits
    return {r.action: r.visits for r in rated if r.visits >= NEAR_BEST * most}


def may_bluff(game: Game[Any], legal: list[int]) -> bool:
    """Return whether one of these actions is of a kind that may deceive."""
    bluffs = game.heuristics.bluffs
    return any(game.actions.group(action)[0].verb in bluffs for action in legal)


def _search(
    rng: Random,
    *,
    iterations: int,
    milliseconds: int,
    rollout: BotMaker,
    net: BotMaker | None = None,
    keep: bool = False,
    mix: bool = False,
    is_flat: bool = False,
    workers: WorkerPool | None = None,
) -> SearchBot:
    # RandomBot means the game's own fast playout, because RandomBot itself would be slow.
    is_quick = isinstance(rollout(rng), RandomBot)
    budget = SearchBudget(iterations, milliseconds)
    shares = _shares(budget, workers.count if workers else 1)
    return SearchBot(
        rng,
        budget=shares[0],
        rollout=None if is_quick else rollout,
        guide=_guide(net(rng)) if net else None,
        keeps=keep,
        mixes=mix,
        is_flat=is_flat,
        team=SearchTeam(workers, rng, shares[1:]) if workers and shares[1:] else None,
    )


def _guide(bot: Bot) -> Evaluator:
    """Return a bot as the guide of a search; raises BotError if it estimates no positions."""
    if not isinstance(bot, Evaluator):
        raise BotError(
            f"{type(bot).__name__} cannot guide a search: it estimates no positions. "
            "fix: net=FILE, a file of cardhub train"
        )
    return bot


def _shares(budget: SearchBudget, workers: int) -> list[SearchBudget]:
    """Return the budgets of the bot and its workers; only one budget for a short search."""
    is_long = (
        budget.milliseconds >= LEAST_MILLISECONDS
        if budget.milliseconds
        else budget.iterations >= LEAST_ITERATIONS
    )
    parts = workers if is_long else 1
    return [budget.share(part, parts) for part in range(parts)]


def _uses_clock(settings: Settings) -> bool:
    return settings.number("milliseconds") > 0


BUDGET: dict[str, Option] = {
    "iterations": Number(1000, "Determinizations to search for one decision.", 1, 10_000_000),
    "milliseconds": Number(0, "Time for one decision instead, if not 0.", 0, 3_600_000),
    "rollout": AnyBot("random", "The bot for playouts; random: the game's own fast playout."),
    "workers": Workers(1, "Processes that search, if it thinks for long.", 1, MOST_WORKERS),
}

ISMCTS = BotEntry(
    "ismcts",
    "information-set Monte-Carlo tree search over many determinizations",
    _search,
    options={
        **BUDGET,
        "net": GuideBot("random", "The network that guides it, instead of playouts; random: none."),
        "keep": Flag(True, "Reuse the search tree of the previous decision."),
        "mix": Flag(True, "Sample among near-best actions where rivals could infer cards."),
    },
    uses_clock=_uses_clock,
    needs_determinizations=True,
)

PIMC = BotEntry(
    "pimc",
    "flat Monte-Carlo search over many determinizations: a baseline",
    partial(_search, is_flat=True),
    options=BUDGET,
    uses_clock=_uses_clock,
    needs_determinizations=True,
)
