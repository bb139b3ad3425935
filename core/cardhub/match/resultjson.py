"""The lines of a match's log: games as JSON, and back."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from cardhub.errors import MatchError
from cardhub.match.canonical import canonical
from cardhub.match.task import FaultNote, GameResult, Timing

NAMES = {"contest": "game"}
"""What is called otherwise in the file."""
FIELDS = tuple(field.name for field in fields(GameResult))


def result_line(result: GameResult) -> str:
    """Return the line of a game, without its end; the same game always gives the same bytes."""
    # The faults alone hold more than plain data; asdict would copy each move of every game.
    data = {NAMES.get(key, key): getattr(result, key) for key in FIELDS}
    return canonical(data | {"faults": [asdict(note) for note in result.faults]})


def read_result(line: str | bytes) -> GameResult:
    """Return the game of a line; raises MatchError if it is none."""
    try:
        return _result(json.loads(line))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise MatchError(f"this is no game of a match: {error!r}") from error


def timing_line(timing: Timing) -> str:
    """Return the line of a game's timing."""
    bots = {
        bot: {"answers": spent.answers, "longest": spent.longest, "seconds": spent.seconds}
        for bot, spent in timing.bots.items()
    }
    return canonical(
        {
            "bots": bots,
            "host": timing.host,
            "id": timing.id,
            "process": timing.process,
            "seconds": timing.seconds,
        }
    )


def _result(data: Mapping[str, Any]) -> GameResult:
    given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
    given["contest"] = given.pop("game")
    given["moves"] = tuple((who, _move(what)) for who, what in given["moves"])
    given["faults"] = tuple(FaultNote(**note) for note in given["faults"])
    return GameResult(**given)


def _move(what: Any) -> Any:
    return tuple(what) if isinstance(what, list) else what
