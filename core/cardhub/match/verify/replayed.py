"""A game of a log once more, from its moves alone: whether it comes to what the log says."""

from collections.abc import Iterator
from typing import Any

from cardhub.errors import CardhubError
from cardhub.game.game import Game
from cardhub.match.log.transcript import CHANCES, Transcript
from cardhub.match.scoring import final_places
from cardhub.match.task import GameResult, GameTask, differing, player_names
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up


def disagreements(task: GameTask, result: GameResult, game: Game[Any]) -> Iterator[str]:
    """Yield what in a result is not as it should be, given the game that was to be played.

    The deal and chance are drawn again from the seed, so nothing but the bots' own actions is taken
    from the result.
    """
    yield from task.differences(result)
    try:
        yield from differing(_replayed(task, result, game), result)
    except (CardhubError, LookupError) as error:
        yield f"its moves do not replay: {error}"


def _replayed(task: GameTask, result: GameResult, game: Game[Any]) -> dict[str, Any]:
    """Return what follows from the moves of the bots."""
    names = player_names([seat.bot for seat in task.seats])
    players = [Player(name, seat.use) for name, seat in zip(names, task.seats, strict=True)]
    referee = set_up(game, players, {**task.rules, **task.vary}, task.seed)
    transcript = Transcript(game)
    referee.record_in(transcript)
    referee.proceed()
    due = {note.step: note.seat for note in result.faults}
    for who, what in result.moves:
        if who != CHANCES:
            _act(referee, who, what, due.get(transcript.steps, who), transcript.steps)
    out = {*result.absent, *result.faulty}
    scores = tuple(referee.scores())
    return {
        "cards": transcript.cards,
        "moves": transcript.moves,
        "steps": transcript.steps,
        "end": _end(referee, task, result),
        "scores": scores,
        "places": final_places(
            scores, out, lowest_wins=game.lowest_wins, has_ended=result.end != "fault"
        ),
    }


def _act(referee: Referee[Any], who: int, what: str, faulty: int, step: int) -> None:
    if referee.seat != who:
        raise LookupError(f"seat {referee.seat} is to act after {step} actions, not seat {who}")
    if faulty != who:
        raise LookupError(f"seat {faulty} was not to act after {step} actions, when it failed")
    referee.act(referee.read_action(what))


def _end(referee: Referee[Any], task: GameTask, result: GameResult) -> str:
    if referee.is_over:
        return "over"
    return "fault" if result.faults and task.limits.policy == "loss" else "steps"
