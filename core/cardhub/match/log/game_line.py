"""Lines of a match's log: game results encoded as JSON and decoded.

GameLine is the schema of a line: fields and types are validated when a line is decoded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Annotated, Any, TypeVar

import msgspec

from cardhub.errors import MatchError
from cardhub.match.match_json import canonical
from cardhub.match.task import End, FaultNote, GameResult, Timing
from cardhub.table.settings import Value

T = TypeVar("T")

# Fields with another name in the file.
NAMES = {"contest": "game"}
FIELDS = tuple(field.name for field in fields(GameResult))
# Maximum absolute value of a number: up to here floats represent every integer.
EXACT = 2**53

Count = Annotated[int, msgspec.Meta(ge=0, le=EXACT)]
Number = Annotated[int, msgspec.Meta(ge=-EXACT, le=EXACT)]
Words = tuple[str, ...]


class FaultLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Schema of a FaultNote."""

    seat: Count
    bot: str
    fault: str
    step: Count


class GameLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Schema of a GameResult, whose field `contest` is named `game`."""

    id: str
    game: str
    deal: Count
    bots: Words
    vary: Mapping[str, Value]
    seed: str
    seats: Words
    absent: tuple[Count, ...]
    cards: Words
    moves: tuple[tuple[int | str, str | Words], ...]
    end: End
    steps: Count
    scores: tuple[Number, ...]
    places: tuple[Count, ...]
    faults: tuple[FaultLine, ...]


_DECODER = msgspec.json.Decoder(GameLine)
_OBJECT = msgspec.json.Decoder(dict[str, Any])


def result_line(result: GameResult) -> str:
    """Return a game's line without its line end; equal games give equal bytes."""
    # Only the faults are dataclasses; asdict(result) would copy each move of every game.
    data = {NAMES.get(key, key): getattr(result, key) for key in FIELDS}
    return canonical(data | {"faults": [asdict(note) for note in result.faults]})


def read_result(line: str | bytes) -> GameResult:
    """Decode a line; raises MatchError, which names the invalid field."""
    found = _decoded(_DECODER, line)
    for wrong in _contradictions(found):
        raise MatchError(wrong)
    given = {key: getattr(found, NAMES.get(key, key)) for key in FIELDS}
    notes = tuple(FaultNote(n.seat, n.bot, n.fault, n.step) for n in found.faults)
    return GameResult(**(given | {"faults": notes}))


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


def timing_line(timing: Timing) -> str:
    """Return the line of a game in `timing.jsonl`."""
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


def _contradictions(game: GameLine) -> Iterator[str]:
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
