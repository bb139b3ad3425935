"""Results of games without playing them."""

from collections.abc import Collection, Sequence
from typing import Any

from cardhub.lab.match.match_spec import Contest, Score
from cardhub.lab.match.seat_scores import final_places
from cardhub.lab.match.task import FaultNote, GameResult, GameTask
from cardhub.model.table.scoring import Scoring


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


def contest(players: int, score: Score, *, lowest_wins: bool = False) -> Contest:
    """Return a contest scored in this way; all else is of no account."""
    return Contest(
        id="cup",
        game="cup",
        version="1",
        players=players,
        rules={},
        mirror={},
        seating="balanced",
        fill="none",
        fillers=(),
        score=score,
        lowest_wins=lowest_wins,
    )


def seated_result(
    seats: Sequence[str],
    scores: Sequence[int],
    out: Collection[int] = (),
    teams: Sequence[int] = (),
) -> GameResult:
    """Return a finished game with these bots and final scores; the bots at seats `out` failed."""
    scoring = Scoring(tuple(teams) or tuple(range(len(scores))))
    return GameResult(
        id="0",
        contest="cup",
        deal=0,
        bots=tuple(dict.fromkeys(seats)),
        vary={},
        seed="",
        seats=tuple(seats),
        absent=(),
        cards=(),
        moves=(),
        end="over",
        steps=0,
        scores=tuple(scores),
        places=final_places(scores, out, scoring, has_ended=True),
        faults=tuple(FaultNote(seat, seats[seat], "illegal", 0) for seat in out),
        teams=tuple(teams),
    )
