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

    The result is one of the task (`GameTask.differences`). Deal and chance are sampled again from
    the seed, so only the bots' actions are taken from the result.
    """
    try:
        yield from differing(_replayed(task, result, game), result)
    except (CardhubError, LookupError) as error:
        yield f"its moves do not replay: {error}"


def _replayed(task: GameTask, result: GameResult, game: Game[Any]) -> dict[str, Any]:
    names = player_names([seat.bot for seat in task.seats])
    players = [Player(name, seat.use) for name, seat in zip(names, task.seats, strict=True)]
    referee = set_up(game, players, {**task.rules, **task.vary}, task.seed)
    referee.proceed()
    # A bot's fault is noted with the number of actions before it: at that action the seat must act,
    # whether a substitute acts for it or the game ends.
    due = {note.step: note.seat for note in result.faults}
    for who, what in result.moves:
        # Moves of chance are not taken from the result: the replay has to sample the same ones.
        if isinstance(who, int) and isinstance(what, str):
            step = referee.action_count
            _act(referee, who, what, due.get(step, who), step)
    out = {*result.absent, *result.faulty}
    scores = tuple(referee.scores())
    return {
        "cards": cards_of(referee),
        "moves": moves_of(referee),
        "steps": referee.action_count,
        "end": _end(referee, task, result),
        "scores": scores,
        "places": final_places(scores, out, referee.scoring, has_ended=result.end != "fault"),
        "teams": referee.scoring.shared_teams,
    }


def _act(referee: Referee[Any], who: int, what: str, faulty: int, step: int) -> None:
    if referee.seat != who:
        raise LookupError(f"seat {referee.seat} is to act after {step} actions, not seat {who}")
    if faulty != who:
        raise LookupError(f"seat {faulty} was not to act after {step} actions, when it failed")
    referee.apply(referee.read_action(what))


def _end(referee: Referee[Any], task: GameTask, result: GameResult) -> str:
    if referee.is_over:
        return "over"
    return "fault" if result.faults and task.limits.policy == "loss" else "steps"


class Difference(NamedTuple):
    """Path in a result, such as `statistics.games[0].blocks`, with the found and the true value."""

    place: str
    found: Any
    true: Any

    @property
    def is_rounding(self) -> bool:
        """Whether the values are floats within the tolerance."""
        both = self.found, self.true
        if not all(isinstance(value, float) for value in both):
            return False
        return isclose(*both, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def differences(found: Any, true: Any, place: str = "") -> Iterator[Difference]:
    """Yield the differences between two JSON values, in order of their paths."""
    if isinstance(found, Mapping) and isinstance(true, Mapping):
        for key in sorted({*found, *true}):
            where = f"{place}.{key}" if place else key
            if key in found and key in true:
                yield from differences(found[key], true[key], where)
            else:
                yield Difference(where, found.get(key, "missing"), true.get(key, "nothing"))
    elif isinstance(found, list) and isinstance(true, list) and len(found) == len(true):
        for number, pair in enumerate(zip(found, true, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    # 1, 1.0 and True are equal in Python, but not the same bytes.
    elif found != true or type(found) is not type(true):
        yield Difference(place, found, true)


def self_play_audit(match: Match, registry: PluginRegistry, blocks: int = 1) -> dict[str, str]:
    """Return a message for each contest, empty if its blocks pass the audit.

    The same bot plays some blocks in all seats under the names of the entrants. Each name must
    score exactly 1/2 in each block.
    """
    if match.has_unknown_secret:
        match = replace(match, salt=None)  # any deal serves the audit
    games = Games(match, registry.directories)
    return {contest.id: _wrong(match, contest, games, blocks) for contest in match.contests}


def _wrong(match: Match, contest: Contest, games: Games, blocks: int) -> str:
    # One group of each size: whole teams, and mixed partners.
    by_size = {len(bots): bots for bots in reversed(groups(match, contest))}
    blocks_of = (
        Block(contest.id, deal, bots) for bots in by_size.values() for deal in range(blocks)
    )
    wrong = (_wrong_block(match, contest, games, block) for block in blocks_of)
    return next(filter(None, wrong), "")


def _wrong_block(match: Match, contest: Contest, games: Games, block: Block) -> str:
    # Bots are seeded by seat: all seatings play one and the same game under permuted names, and any
    # score but 1/2 is due to the engine, the seeds or the seatings.
    seeds = seeds_of(match, contest, block.deal)
    results = [play(audited(task, seeds, PROBE)).result for task in games.of(block)]
    if len({result.cards for result in results}) > 1:
        return f"deal {block.deal} is not the same in all games of its block"
    for bot, score in _scores(results).items():
        if score != FAIR:
            return f"{bot} scores {score} against itself in block {block.deal}"
    return ""


def _scores(results: list[GameResult]) -> dict[str, Fraction]:
    found: dict[str, list[Fraction]] = {}
    for result in results:
        scores = seat_scores(result.places, "rank", result.teams)
        for bot, gained in zip(result.seats, scores, strict=True):
            found.setdefault(bot, []).append(gained)
    return {bot: sum(gained, Fraction(0)) / len(gained) for bot, gained in found.items()}
