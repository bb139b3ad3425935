"""The replay of a game from the bots' actions in its result, to compare the result with it."""

from collections.abc import Iterator
from typing import Any

from cardhub.base.errors import CardhubError
from cardhub.lab.match.log.transcript import cards_of, moves_of
from cardhub.lab.match.seat_scores import final_places
from cardhub.lab.match.task import GameResult, GameTask, differing, player_names
from cardhub.model.game.game import Game
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up


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
