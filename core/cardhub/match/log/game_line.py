"""Lines of a match's log: game results encoded as JSON, decoded and checked."""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from cardhub.errors import MatchError
from cardhub.match.match_json import canonical
from cardhub.match.task import GameResult, Timing

T = TypeVar("T")

_DECODER = msgspec.json.Decoder(GameResult)
_OBJECT = msgspec.json.Decoder(dict[str, Any])


def log_line(written: GameResult | Timing) -> str:
    """Return a line of a log without its line end; equal games give equal bytes."""
    return canonical(msgspec.to_builtins(written))


def read_result(line: str | bytes) -> GameResult:
    """Decode a line; raises MatchError, which names the invalid field."""
    found = _decoded(_DECODER, line)
    for wrong in _contradictions(found):
        raise MatchError(wrong)
    return found


def read_object(text: str | bytes) -> dict[str, Any]:
    """Decode a JSON object; raises MatchError."""
    return _decoded(_OBJECT, text)


def _decoded(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise MatchError(_explained(error)) from error


def _explained(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "not JSON: nested too deeply"
    what, _, where = str(error).partition(" - at `")
    place = where.removesuffix("`").removeprefix("$").removeprefix(".")
    if isinstance(error, msgspec.ValidationError):
        return f"{place or 'the line'}: {what[:1].lower()}{what[1:]}"
    return f"not JSON: {what}"


def _contradictions(game: GameResult) -> Iterator[str]:
    seats = len(game.seats)
    if not seats:
        yield "seats: a game has at least one"
    for name, values in (("scores", game.scores), ("places", game.places)):
        if len(values) != seats:
            yield f"{name}: there are {len(values)} for {seats} seats"
    # Otherwise scores would lie outside [0, 1]; other places that no ranking has are left to the
    # audit of blocks, which counts them.
    covered = [place + game.places.count(place) - 1 for place in game.places]
    if seats and (min(game.places) != 1 or max(covered) > seats):
        yield f"places: {list(game.places)}: the best is 1, and a tie of k seats takes k places"
    if not all(seat < seats for seat in game.absent):
        yield f"absent: seats go from 0 to {seats - 1}"
    for number, note in enumerate(game.faults):
        if note.seat >= seats or game.seats[note.seat] != note.bot:
            yield f"faults[{number}]: {note.bot} has no seat {note.seat}"
