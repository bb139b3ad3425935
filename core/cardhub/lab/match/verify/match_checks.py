"""Checks of a match: replays of its games, comparison of results, and the self-play audit."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isclose
from typing import Any, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.lab.match.block_seeds import seeds_of
from cardhub.lab.match.blocks import Block, Games, audited, groups
from cardhub.lab.match.log.transcript import cards_of, moves_of
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.seat_scores import final_places, seat_scores
from cardhub.lab.match.task import GameResult, GameTask, differing, player_names
from cardhub.model.game.game import Game
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry

# Tolerances of `is_rounding`: other machines and library versions sum in another order.
RELATIVE = 1e-6
ABSOLUTE = 1e-9
# Bot of the audit; its seed depends on the seat only, so all seatings play the same game.
PROBE = "random"
FAIR = Fraction(1, 2)


def disagreements(task: GameTask, result: GameResult, game: Game[Any]) -> Iterator[str]:
    """Yield a message for each field of a result that differs from its replay.

    The result belongs to the task (`GameTask.differences`). Deal and chance are sampled again from
    the seed; only the bots' actions come from the result.
    """
    try:
        yield from differing(_replayed(task, result, game), result)
    except (CardhubError, LookupError) as error:
        yield f"its moves cannot be replayed: {error}"


def _replayed(task: GameTask, result: GameResult, game: Game[Any]) -> dict[str, Any]:
    names = player_names([seat.bot for seat in task.seats])
    players = [Player(name, seat.use) for name, seat in zip(names, task.seats, strict=True)]
    referee = set_up(game, players, {**task.rules, **task.vary}, task.seed)
    referee.proceed()
    # A bot's fault is noted with the number of actions before it: at that action the seat must act,
    # whether a substitute acts for it or the game ends.
    due = {note.step: note.seat for note in result.faults}
    for seat, move in result.moves:
        # Chance moves are skipped: the replay has to sample the same ones.
        if isinstance(seat, int) and isinstance(move, str):
            step = referee.action_count
            _act(referee, seat, move, due.get(step, seat), step)
    out = {*result.absent, *result.faulty}
    is_fault = bool(result.faults) and task.limits.policy == "loss"
    end = "over" if referee.is_over else "fault" if is_fault else "steps"
    scores = tuple(referee.scores())
    return {
        "cards": cards_of(referee),
        "moves": moves_of(referee),
        "steps": referee.action_count,
        "end": end,
        "scores": scores,
        "places": final_places(scores, out, referee.scoring, has_ended=result.end != "fault"),
        "teams": referee.scoring.shared_teams,
    }


def _act(referee: Referee[Any], seat: int, action: str, faulty: int, step: int) -> None:
    if referee.seat != seat:
        raise LookupError(f"seat {referee.seat} is to act after {step} actions, not seat {seat}")
    if faulty != seat:
        raise LookupError(f"seat {faulty} was not to act after {step} actions, when it failed")
    referee.apply(referee.read_action(action))


class Difference(NamedTuple):
    """Path in a result, such as `statistics.games[0].blocks`, with actual and expected value."""

    place: str
    actual: Any
    expected: Any

    @property
    def is_rounding(self) -> bool:
        """Whether the values are floats within the tolerance."""
        values = self.actual, self.expected
        if not all(isinstance(value, float) for value in values):
            return False
        return isclose(*values, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def differences(actual: Any, expected: Any, place: str = "") -> Iterator[Difference]:
    """Yield the differences between two JSON values, in order of their paths."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        for key in sorted({*actual, *expected}):
            where = f"{place}.{key}" if place else key
            if key in actual and key in expected:
                yield from differences(actual[key], expected[key], where)
            else:
                yield Difference(where, actual.get(key, "missing"), expected.get(key, "nothing"))
    elif isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        for number, pair in enumerate(zip(actual, expected, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    # 1, 1.0 and True are equal in Python, but have different bytes in JSON.
    elif actual != expected or type(actual) is not type(expected):
        yield Difference(place, actual, expected)


def self_play_audit(match: Match, registry: PluginRegistry, blocks: int = 1) -> dict[str, str]:
    """Return a message for each contest, empty if its blocks pass the audit.

    The same bot plays some blocks in all seats under the names of the entrants. Each name must
    score exactly 1/2 in each block.
    """
    if match.has_unknown_secret:
        match = replace(match, salt=None)  # any deal serves the audit
    games = Games(match, registry.directories)
    return {contest.id: _audit_problem(match, contest, games, blocks) for contest in match.contests}


def _audit_problem(match: Match, contest: Contest, games: Games, blocks: int) -> str:
    # One group of each size: whole teams, and mixed partners.
    by_size = {len(bots): bots for bots in reversed(groups(match, contest))}
    blocks_of = (
        Block(contest.id, deal, bots) for bots in by_size.values() for deal in range(blocks)
    )
    problems = (_block_problem(match, contest, games, block) for block in blocks_of)
    return next(filter(None, problems), "")


def _block_problem(match: Match, contest: Contest, games: Games, block: Block) -> str:
    # Bots are seeded by seat: all seatings play the same game under permuted names, so a score
    # other than 1/2 is a bug of the engine, the seeds or the seatings.
    seeds = seeds_of(match, contest, block.deal)
    results = [play(audited(task, seeds, PROBE)).result for task in games.of(block)]
    if len({result.cards for result in results}) > 1:
        return f"deal {block.deal} is not the same in all games of its block"
    for bot, score in _scores(results).items():
        if score != FAIR:
            return f"{bot} scores {score} against itself in block {block.deal}"
    return ""


def _scores(results: list[GameResult]) -> dict[str, Fraction]:
    by_bot: dict[str, list[Fraction]] = {}
    for result in results:
        scores = seat_scores(result.places, "rank", result.teams)
        for bot, score in zip(result.seats, scores, strict=True):
            by_bot.setdefault(bot, []).append(score)
    return {bot: sum(scores, Fraction(0)) / len(scores) for bot, scores in by_bot.items()}
