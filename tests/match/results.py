"""Results of games without playing them."""

from typing import Any

from cardhub.match.task import GameResult, GameTask


def invented_result(task: GameTask, **values: Any) -> GameResult:
    """Return a finished game of a task, by default without cards, moves, scores and faults."""
    planned: dict[str, Any] = {
        "id": task.id,
        "contest": task.contest,
        "deal": task.deal,
        "bots": task.bots,
        "vary": dict(task.vary),
        "seed": task.seed,
        "seats": tuple(seat.bot for seat in task.seats),
        "absent": tuple(n for n, seat in enumerate(task.seats) if seat.is_absent),
    }
    ended = {"cards": (), "moves": (), "end": "over", "steps": 0, "scores": (), "faults": ()}
    return GameResult(**planned | ended | values)
