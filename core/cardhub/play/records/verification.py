"""Verify that a game was played with the seed and the deal of its commitment."""

from collections.abc import Iterator
from typing import Any

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.table.faces import BLANK
from cardhub.play.records.header import UNREDACTED, read_faces
from cardhub.play.records.reading import Record
from cardhub.play.records.recording import line_of
from cardhub.play.records.replaying import open_record, read_entry
from cardhub.play.referee import Referee
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import set_up

NO_COMMITMENT = (
    "no commitment: whoever chose the seed knew the deal, or the game is one of a match, "
    "which `cardhub match verify` checks"
)

CONTINUED = "it continues another game, whose cards its players may have known: {}, step {}"


def verify_record(game: Game[Any], record: Record) -> Iterator[str]:
    """Yield errors in a whole record of a finished game.

    The revealed seed must match the commitment; deal, chance outcomes and scores must follow from
    the seed and the players' actions. Raises RecordError if the record cannot be replayed.
    """
    open_record(game, record)
    # In this order: each check relies on those before it.
    header, number = record.header, record.lines[-1][0] if record.lines else 1
    if header.viewer is not None:
        yield _at(record, 1, "a redacted record has no seed: the whole one is needed")
    elif header.played_on is not None:
        yield _at(record, 1, CONTINUED.format(*header.played_on))
    elif header.commitment is None:
        yield _at(record, 1, NO_COMMITMENT)
    elif not record.is_finished:
        yield _at(record, number, "the game is not over: its seed is revealed with the scores")
    elif (seed := record.lines[-1][1].get("reveal")) is None:
        yield _at(record, number, "the last line does not reveal the seed")
    elif commitment_to(str(seed)) != header.commitment:
        yield _at(record, number, "the revealed seed is not the one committed to in line 1")
    elif seed != header.seed:
        yield _at(record, 1, "the seed is not the one that is revealed")
    else:
        yield from _not_following(game, record, seed)


def verify_redacted(game: Game[Any], whole: Record, redacted: Record) -> Iterator[str]:
    """Yield differences in game and deal between a redacted record and the whole one.

    Raises RecordError if the redacted record cannot be replayed.
    """
    open_record(game, redacted)
    if redacted.header.viewer is None:
        yield _at(redacted, 1, "this record is not redacted for a viewer")
    for key in (*UNREDACTED, "commitment"):
        if getattr(redacted.header, key) != getattr(whole.header, key):
            yield _at(redacted, 1, f"{key}: not the same as in {whole.path}")
            return
    seen, true = (read_faces(game, record.header.deal).faces for record in (redacted, whole))
    # A blank face is not a difference: the viewer had not seen it.
    wrong = [token for token, face in enumerate(seen) if face not in (BLANK, true[token])]
    if wrong:
        yield _at(redacted, 1, f"card {wrong[0]} of the deal is not that of {whole.path}")


def _not_following(game: Game[Any], record: Record, seed: Seed) -> Iterator[str]:
    # The game is played again from the seed, with the actions of players only.
    header = record.header
    referee = set_up(game, header.players, header.options, seed, header.commitment)
    if tuple(line_of(referee, referee.dealt)["deal"]) != header.deal:
        yield _at(record, 1, "the deal does not follow from the seed")
        return
    referee.proceed()
    for number, line in record.lines:
        try:
            _act(referee, line)
        except (CardhubError, LookupError) as error:
            yield _at(record, number, str(error))
            return
    true = [line_of(referee, entry) for entry in referee.entries[1:]]
    for (number, line), follows in zip(record.lines, true, strict=False):
        if line != follows:
            yield _at(record, number, "this does not follow from the seed")
            return
    if len(true) != len(record.lines):
        number = record.lines[-1][0]
        yield _at(
            record, number, f"{len(true)} lines follow from the seed, not {len(record.lines)}"
        )


def _act(referee: Referee[Any], line: dict[str, Any]) -> None:
    # Outcomes of chance are drawn again, not repeated: they must follow from the seed.
    if "action" in line and line["seat"] != "chance":
        referee.apply(referee.read_action(line["action"]))
    elif "undo" in line:
        referee.undo(line["seat"])
    elif "hint" in line:
        referee.note_hint(line["hint"], line["seat"])
    elif "takeback" in line:
        referee.take_back(line["seat"], line["agreed"], is_anew="chance" in line)
    elif "player" in line or "note" in line or "edition" in line:
        referee.apply_entry(read_entry(referee, line))


def _at(record: Record, number: int, message: str) -> str:
    return f"{record.path}:{number}: {message}"
