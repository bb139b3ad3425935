"""The correction terms of a finished game, after Burch, Schmid, Moravcik, Morrill and Bowling 2018.

At each step whose probabilities are known, a term is the mean of the values after all possible
outcomes minus the value after the actual outcome. Its mean is 0 with any value function. So the
score plus all terms has the same mean as the score, and the variance is smaller with better values.
These steps are actions and shuffles of chance, and the actions of bots whose policies are known, or
from whose policies cardhub drew them.

The terms are computed after the game, when all cards and actions may be known. No bot gets them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import BotError, OptionError, PluginError
from cardhub.bots import LLM, Bot, MixedBot, parse_spec
from cardhub.bots.bot import SamplingBot
from cardhub.bots.language.exchanges import Exchanges, KeepsAnswers
from cardhub.bots.solving.game_tree import Tree, TreeNode, path_to
from cardhub.lab.match.match_spec import Score
from cardhub.lab.match.task import Corrections, DrawnAction, FaultNote, GameTask
from cardhub.lab.match.variance.value_functions import (
    KnownPolicy,
    PartlyRandomPolicy,
    PlayoutValues,
    SampledPolicy,
    StatedPolicy,
    TreeValues,
    Values,
    small_tree,
)
from cardhub.model.hidden.chance import advance, sample_action
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.state import CHANCE
from cardhub.play.history_entries import Entry, Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.plugins.registry import PluginRegistry

# What plays for bots with unknown policies in the values of a small game, and in which share of
# decisions; in the others any action is equally likely. So the values suit weak bots as well.
MODEL, MODEL_SHARE = "cfr:200", 0.6
# Samples of the outcome of a step in games that are too large for a tree.
SAMPLES = 4
# Terms are whole millionths: sums of floats differ by rounding from machine to machine.
UNIT = 1_000_000
# A larger term is cut off; only a broken evaluation is so large.
MOST = 10.0**9

Policies = Sequence[KnownPolicy | None]
Weights = Sequence[tuple[int, int]]
# A term of each seat, and whether chance made the step, or a seat.
Term = tuple[Values, bool]


class CountedPolicies(NamedTuple):
    """By seat the policy, or None, and the number of a game's actions up to which it holds.

    `weights`: those by which cardhub drew an action for a program, by the action's number.
    """

    policies: Policies
    until: Sequence[int]
    weights: Mapping[int, Weights] = {}

    def at(self, seat: int, step: int) -> KnownPolicy | StatedPolicy | None:
        """Return the policy with which a seat took the action with this number, if it is known."""
        if seat < 0 or step >= self.until[seat]:
            return None
        return StatedPolicy(self.weights[step]) if step in self.weights else self.policies[seat]


class Corrector:
    """Computes the terms of games; it asks the bots of one registry for their policies."""

    def __init__(self, registry: PluginRegistry) -> None:
        self._registry = registry
        self._policies: dict[tuple[str, str], KnownPolicy | None] = {}
        self._values: dict[tuple[object, ...], TreeValues] = {}

    def of(
        self,
        task: GameTask,
        referee: Referee[Any],
        faults: Sequence[FaultNote],
        drawn: Sequence[DrawnAction],
    ) -> Corrections | None:
        """Return the terms of a game, or None if its task has no plan for them.

        From its fault on a seat has no known policy, nor has the seat of a withdrawn bot.
        """
        plan = task.corrections
        if plan is None:
            return None
        failed = {note.seat: note.step for note in reversed(faults)}
        seats = range(len(task.seats))
        policies = [self._general_policy(task, s) for s in seats]
        steps = referee.action_count if plan.with_policies else 0
        counted = CountedPolicies(
            [policies[s] or self._stored_policy(task, s) for s in seats],
            [min(steps, failed.get(s, steps)) for s in seats],
            {action.step: action.weights for action in drawn},
        )
        tree = small_tree(referee.game, len(policies), tuple(sorted(referee.settings.items())))
        if tree is None:
            rng = Random(f"{task.seed} variance")
            terms = sampled_terms(referee, counted, rng)
        else:
            values = self._tree_values(tree, task.game, plan.score, referee.scoring, policies)
            whole = referee.observe(EVERYTHING)
            path = path_to(tree, whole.state, whole.history)
            terms = tree_terms(values, path, counted)
        return _sums(terms, len(policies), is_exact=tree is not None)

    def _tree_values(
        self, tree: Tree[Any], game: str, score: Score, scoring: Scoring, policies: Policies
    ) -> TreeValues:
        # With all known policies even if their terms do not count: any values will do.
        key = (tree, score, *policies)
        if key not in self._values:
            solved = self._policy(game, MODEL)
            model = PartlyRandomPolicy(solved, MODEL_SHARE) if solved else None
            models = [policy or model for policy in policies]
            self._values[key] = TreeValues(tree, models, scoring, score)
        return self._values[key]

    def _general_policy(self, task: GameTask, number: int) -> KnownPolicy | None:
        """Return the policy of a seat if it is known in all states, not only in its game."""
        seat, answers = task.seats[number], task.answers
        if seat.is_absent:
            return None
        if answers is None or not answers.has_states(seat.bot):
            return self._policy(task.game, seat.use)
        key = task.game, f"{answers.folder / seat.bot}"
        if key not in self._policies:
            complete = answers._replace(is_complete=True)
            exchanges = complete.of_states(seat.bot)
            self._policies[key] = self._answered_policy(task.game, seat.use, exchanges)
        return self._policies[key]

    def _policy(self, game: str, use: str) -> KnownPolicy | None:
        key = (game, use)
        if key not in self._policies:
            self._policies[key] = self._known_policy(game, use)
        return self._policies[key]

    def _known_policy(self, game: str, use: str) -> KnownPolicy | None:
        bot = self._own_bot(game, use)
        # A language model would be asked, and paid, for states that its games did not reach.
        if isinstance(bot, KeepsAnswers) or not isinstance(bot, MixedBot):
            return None
        return KnownPolicy(bot)

    def _stored_policy(self, task: GameTask, number: int) -> KnownPolicy | None:
        """Return the policy of a language model in its game, from its stored answers."""
        seat = task.seats[number]
        if seat.is_absent or parse_spec(seat.use).name != LLM.name:
            return None
        exchanges = task.answers_of(number, is_complete=True)
        if exchanges is None:
            return None
        return self._answered_policy(task.game, seat.use, exchanges)

    def _answered_policy(self, game: str, use: str, exchanges: Exchanges) -> KnownPolicy | None:
        """Return the policy of a language model in its stored answers."""
        bot = self._own_bot(game, use)
        if not isinstance(bot, KeepsAnswers):
            return None
        bot.keep_answers(exchanges)
        if isinstance(bot, SamplingBot):
            return KnownPolicy(SampledPolicy(bot))
        return KnownPolicy(bot) if isinstance(bot, MixedBot) else None

    def _own_bot(self, game: str, use: str) -> Bot | None:
        """Return a bot that comes with cardhub or with the game; None for others.

        Those have no policy here, because a wrong one would raise the score of its bot.
        """
        try:
            parts = list(self._registry.parts(use, game))
            if any(p.command or p.files or (p.origin and p.origin.is_guest) for p in parts):
                return None
            return self._registry.make_bot(use, game, Random(0))
        except (PluginError, OptionError, BotError):
            return None


def tree_terms(
    values: TreeValues,
    path: Iterable[tuple[TreeNode[Any], int]],
    counted: CountedPolicies,
) -> Iterator[Term]:
    """Yield the terms of a small game: `path` has its nodes, each with the step that was taken."""
    for node, step in path:
        odds, by_chance = node.odds, node.due.kind != "turn"
        if not by_chance:
            policy = counted.at(node.state.seat, len(node.history))
            odds = policy.odds(node) if policy else []
        if odds:
            yield _less(values.mean(node, odds), values.of(node.child(step))), by_chance


def sampled_terms(referee: Referee[Any], counted: CountedPolicies, rng: Random) -> Iterator[Term]:
    """Yield the terms of a large game: a few samples stand for all outcomes of a step.

    The deal has no term, because each deal of a block is played in all seats: it would cancel.
    """
    game, again = referee.game, referee.restarted()
    values = PlayoutValues(game, rng)
    for taken, shuffles in _actions(referee.entries):
        before, seat = again.observe(EVERYTHING).state, again.seat
        if taken is None:
            _repeat(again, shuffles)
            continue
        policy = counted.at(seat, again.action_count)
        chances = policy.ask(again.observe(seat)) if policy else None
        _repeat(again, (taken, *shuffles))
        if not (chances or shuffles or seat == CHANCE):
            continue
        samples = []
        for _ in range(SAMPLES):
            state, action = before.clone(), taken.action
            if seat == CHANCE:
                action = sample_action(game, state, rng)
            elif chances:
                action = rng.choices([*chances], [*chances.values()])[0]
            advance(game, state, action, rng)
            samples.append(values.of(state))
        mean = tuple(fsum(column) / SAMPLES for column in zip(*samples, strict=True))
        yield _less(mean, values.of(again.observe(EVERYTHING).state)), not chances


def _actions(entries: Sequence[Entry]) -> Iterator[tuple[Taken | None, list[Entry]]]:
    """Yield each action with the shuffles after it; the shuffles of the deal have no action."""
    taken: Taken | None = None
    shuffles: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Taken):
            yield taken, shuffles
            taken, shuffles = entry, []
        elif isinstance(entry, Shuffled):
            shuffles.append(entry)
    yield taken, shuffles


def _repeat(referee: Referee[Any], entries: Sequence[Entry]) -> None:
    for entry in entries:
        referee.apply_entry(entry)


def _less(mean: Values, actual: Values) -> Values:
    return tuple(first - second for first, second in zip(mean, actual, strict=True))


def _sums(terms: Iterator[Term], seats: int, *, is_exact: bool) -> Corrections:
    by_chance: list[Values] = []
    by_policies: list[Values] = []
    for values, is_chance in terms:
        (by_chance if is_chance else by_policies).append(values)
    return Corrections(_total(by_chance, seats), _total(by_policies, seats), is_exact)


def _total(terms: Sequence[Values], seats: int) -> tuple[int, ...]:
    sums = (fsum(values[seat] for values in terms) for seat in range(seats))
    total = tuple(round(UNIT * min(MOST, max(-MOST, value))) for value in sums)
    return total if any(total) else ()
