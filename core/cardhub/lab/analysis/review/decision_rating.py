"""Rate single decisions: the functions that worker processes run."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import fsum
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from cardhub.base.errors import BotFaultError
from cardhub.base.writing import clipped
from cardhub.bots.asking import advise, compare
from cardhub.bots.bot import Bot, Comparer, Rated
from cardhub.lab.analysis.review.exact_rating import ContestRater, ExactRating
from cardhub.lab.analysis.review.review_schema import ConfirmedDecision, ScreenedDecision
from cardhub.lab.analysis.review.weighted_rating import UNKNOWN, Belief, WeightedRater
from cardhub.lab.match.log.game_page import match_replay
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.playing import plugins_in
from cardhub.lab.match.task import GameResult
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.scoring import Scoring
from cardhub.play.advice import loss_factor, value_text
from cardhub.play.host.replays.replay import Replay
from cardhub.play.mixtures import mixture_of
from cardhub.play.review import RatedDecision, rated_decision
from cardhub.play.setup import close
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import board_lines, seat_lines, table_lines

# Number of sentences of the log before a decision, and the maximum length of a line of facts.
NEWS, LONGEST = 2, 200
# The place of the heading in the lines of a table.
HEADING = 0


def table_facts(replay: Replay, step: int, seat: int) -> tuple[list[str], list[str]]:
    """Return facts on a position as a seat saw it after a step, and the whole table, both as lines.

    The facts are the heading of the table, its board if it has one, the other players, the seat
    with its cards, and the last sentences of its log.
    """
    players = [player.name for player in replay.players]
    view = build_view(replay.observe(step, seat), players)
    catalogue = build_catalogue(replay.game)
    table = table_lines(view, catalogue)
    others = [n for n in range(len(view.players)) if n != seat]
    rivals = "; ".join(seat_lines(view, catalogue, n)[0] for n in others)
    own_lines = seat_lines(view, catalogue, seat)
    facts = [table[HEADING], *board_lines(view, catalogue), *filter(None, [rivals]), *own_lines]
    sentences = [line.text for line in replay.log(seat, step) if line.text]
    if sentences:
        facts.append(f"before: {'; '.join(sentences[-NEWS:])}")
    return [clipped(line, LONGEST) for line in facts], table


# Number of independent searches for a decision that is rated again.
REPEATS = 8
# Number of digits of the hash of a situation.
DIGITS = 16

# The last replay of this process, because the decisions of a game are rated in sequence.
_LAST: dict[tuple[str, str], Replay] = {}
# The last exact rater of this process, for the same reason.
_RATERS: dict[tuple[str, str, tuple[str, ...]], ContestRater] = {}


@dataclass(frozen=True, slots=True)
class RatingTask:
    """Input of a worker: a decision to rate.

    `seed` is the seed of the searches, `match_digest` the SHA-256 of the match. `best` is the name
    of the better action for a decision that is rated again. `is_exact`: rate it in the whole tree;
    `is_weighted`: rate it by the policies of all bots at the table, if they are known. `asked` are
    the bots whose policies count in both.
    """

    match: Match
    match_digest: str
    result: GameResult
    directories: tuple[Path, ...]
    reviewer: str
    seed: str
    seat: int
    step: int
    best: str = ""
    is_exact: bool = False
    asked: tuple[str, ...] = ()
    is_weighted: bool = False


class _Position(NamedTuple):
    """A decision: its replay and observation, the action taken, and names of all legal actions."""

    replay: Replay
    observation: Observation[Any]
    taken: int
    names: dict[int, str]


def replay_of(
    match: Match, match_digest: str, result: GameResult, directories: tuple[Path, ...]
) -> Replay:
    """Return the replay of a game of a match; raises PluginError or RecordError."""
    key = match_digest, result.id
    if key not in _LAST:
        game = plugins_in(directories).game(match.contest(result.contest).game)
        replay = match_replay(match, result, game)
        _LAST.clear()
        _LAST[key] = replay
    return _LAST[key]


def screen(task: RatingTask) -> ScreenedDecision:
    """Rate the action taken against the best one: exactly, by the known bots, or by searches."""
    position = _position(task)
    if task.is_exact:
        rating = _exact_rating(task, position)
        factor = loss_factor(_scoring(position.observation))
        gains = tuple(factor * gain for gain in rating.gains)
        return _screened(task, position, rating.best, factor * rating.loss, gains)
    if _knows_table(task, position):
        with suppress(BotFaultError):  # a bot that fails in another position has no known policy
            return _weighted(task, position)
    return _searched(task, position)


def _knows_table(task: RatingTask, position: _Position) -> bool:
    """Return whether the policies of all bots at the table of a decision are known."""
    result = task.result
    # After a fault or in the place of a withdrawn bot, another one plays.
    are_known = set(result.seats) <= set(task.asked) and not (result.absent or result.faults)
    return task.is_weighted and are_known and len(position.names) > 1


def _weighted(task: RatingTask, position: _Position) -> ScreenedDecision:
    """Rate the action taken by the known bots of the table."""
    rater = _weighted_rater(task, position)
    best, loss = rater.choice.best, 0.0
    if best != position.taken:
        taken_value, best_value = rater.values("compare")
        loss = loss_factor(_scoring(position.observation)) * (best_value - taken_value)
    return _screened(task, position, best, loss, belief=rater.choice.belief)


def _weighted_rater(task: RatingTask, position: _Position) -> WeightedRater:
    registry, game = plugins_in(task.directories), task.match.contest(task.result.contest).game
    makers = {
        bot: partial(registry.make_bot, task.match.entrant(bot).use, game)
        for bot in task.result.seats
    }
    return WeightedRater(position.observation, position.taken, task.result.seats, makers, task.seed)


def _searched(task: RatingTask, position: _Position) -> ScreenedDecision:
    """Find the best action by a search; rate it and the action taken by another search."""
    _, observation, taken, names = position
    advice = _asked(task, "search", lambda bot: advise(bot, observation))
    # Any action of a mixture is as good as the best one.
    is_mixed = taken in mixture_of(observation, advice).actions
    best = taken if is_mixed else advice[0].action
    loss = 0.0
    # Not the ratings of the first search: it tends to overrate its best action, and may have hardly
    # tried the action taken.
    if best != taken:
        rated = _compared(task, observation, [best, taken], "compare")
        decision = rated_decision(task.step, taken, names, observation, rated)
        loss = _loss(decision, observation)
    return _screened(task, position, best, loss)


def _screened(
    task: RatingTask,
    position: _Position,
    best: int,
    loss: float,
    gains: tuple[float, ...] = (),
    belief: Belief = UNKNOWN,
) -> ScreenedDecision:
    _, observation, taken, names = position
    data = repr((observation.information_state(), taken))
    return ScreenedDecision(
        game_id=task.result.id,
        seat=task.seat,
        step=task.step,
        legal=len(names),
        verb=observation.game.actions.group(taken)[0].verb,
        situation=sha256(data.encode()).hexdigest()[:DIGITS],
        taken=names[taken],
        best=names[best],
        loss=loss,
        gains=gains,
        worlds=belief.worlds,
        trust=belief.trust,
    )


def confirm(task: RatingTask) -> ConfirmedDecision:
    """Rate the action taken and a better action again: exactly, or REPEATS times by samples."""
    position = _position(task)
    observation = position.observation
    scoring = _scoring(observation)
    if task.is_exact:
        rating = _exact_rating(task, position)
        worse, better = (value_text(value, scoring) for value in rating.values)
        return _confirmed(task, position, (loss_factor(scoring) * rating.loss,), (worse, better))
    if _knows_table(task, position):
        with suppress(BotFaultError):
            return _weighted_again(task, position)
    _, _, taken, names = position
    best = next(action for action, name in names.items() if name == task.best)
    all_rated = [_compared(task, observation, [best, taken], f"again {n}") for n in range(REPEATS)]
    losses = [
        _loss(rated_decision(task.step, taken, names, observation, rated), observation)
        for rated in all_rated
    ]
    mean = rated_decision(task.step, taken, names, observation, list(_means(all_rated)))
    return _confirmed(task, position, tuple(losses), mean.value_texts)


def _weighted_again(task: RatingTask, position: _Position) -> ConfirmedDecision:
    rater, scoring = _weighted_rater(task, position), _scoring(position.observation)
    rows = [rater.values(f"again {n}") for n in range(REPEATS)]
    losses = tuple(loss_factor(scoring) * (best - taken) for taken, best in rows)
    worse, better = (value_text(fmean(column), scoring) for column in zip(*rows, strict=True))
    return _confirmed(task, position, losses, (worse, better))


def _confirmed(
    task: RatingTask, position: _Position, losses: tuple[float, ...], worths: tuple[str, str]
) -> ConfirmedDecision:
    facts, table = table_facts(position.replay, task.step, task.seat)
    return ConfirmedDecision(
        game_id=task.result.id,
        seat=task.seat,
        step=task.step,
        losses=losses,
        worths=worths,
        facts=tuple(facts),
        table=tuple(table),
    )


def _exact_rating(task: RatingTask, position: _Position) -> ExactRating:
    key = task.match_digest, task.result.contest, task.asked
    if key not in _RATERS:
        contest = task.match.contest(task.result.contest)
        rater = ContestRater(task.match, contest, task.asked, plugins_in(task.directories))
        _RATERS.clear()
        _RATERS[key] = rater
    return _RATERS[key].rate(task.result, position.observation, position.taken)


def _position(task: RatingTask) -> _Position:
    replay = replay_of(task.match, task.match_digest, task.result, task.directories)
    observation, entry = replay.observe(task.step, task.seat), replay.action_after(task.step)
    if entry is None:
        raise ValueError(f"game {task.result.id}: no action follows step {task.step}")
    labels = observation.labels([player.name for player in replay.players])
    names = {action: name for name, action in labels.choices(observation.legal()).items()}
    return _Position(replay, observation, entry.action, names)


def _asked(task: RatingTask, purpose: str, question: Callable[[Bot], list[Rated]]) -> list[Rated]:
    # Each search uses a new bot, because searches must be independent.
    registry, game = plugins_in(task.directories), task.match.contest(task.result.contest).game
    bot: Bot = registry.make_bot(task.reviewer, game, Random(f"{task.seed} {purpose}"))
    try:
        return question(bot)
    finally:
        close(bot)


def _compared(
    task: RatingTask, observation: Observation[Any], actions: Sequence[int], purpose: str
) -> list[Rated]:
    def question(bot: Bot) -> list[Rated]:
        if not isinstance(bot, Comparer):
            raise TypeError(f"{task.reviewer} does not implement compare")
        return compare(bot, observation, actions)

    return _asked(task, purpose, question)


def _means(all_rated: Sequence[Sequence[Rated]]) -> Iterator[Rated]:
    ratings: tuple[Rated, ...]
    for ratings in zip(*all_rated, strict=True):
        visits = sum(rated.visits for rated in ratings)
        yield ratings[0]._replace(
            visits=visits, value=fsum(rated.value for rated in ratings) / len(ratings)
        )


def _scoring(observation: Observation[Any]) -> Scoring:
    return game_scoring(observation.game, observation.state.settings, observation.state.seats)


def _loss(decision: RatedDecision, observation: Observation[Any]) -> float:
    if decision.loss is None:
        raise ValueError(f"step {decision.move.step}: the search has not tried both actions")
    return loss_factor(_scoring(observation)) * decision.loss
