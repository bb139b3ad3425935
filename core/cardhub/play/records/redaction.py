"""Redact records: blank the faces that one viewer has not seen."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.chance import Outcome
from cardhub.hidden.labels import Labels
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots
from cardhub.play.history_entries import Dealt, Entry, Hinted, Shuffled, Taken
from cardhub.play.records.notation import notation_with_token
from cardhub.play.records.reading import Record
from cardhub.play.records.recording import as_line, line_of
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee


def redact(game: Game[Any], record: Record, viewer: int) -> str:
    """Return a record without the faces that `viewer` has not seen; raises RecordError."""
    return redact_game(replayed(record, open_record(game, record)), viewer)


def redact_game(referee: Referee[Any], viewer: int) -> str:
    """Return the record of a referee's game so far, redacted for `viewer`."""
    # The seed determines all cards, and the last line would reveal it.
    secret: dict[str, Any] = {"seed": None, "viewer": viewer}
    if answers := referee.observe(viewer).state.answers:
        secret["answers"] = list(answers)
    lines = [line_of(referee, entry) for entry in redacted_entries(referee, viewer)]
    lines[0] |= secret
    lines[-1].pop("reveal", None)
    return "".join(map(as_line, lines))


def redacted_entries(referee: Referee[Any], viewer: int) -> Iterator[Entry]:
    """Yield the entries of a game as `viewer` knows them now, with its own hints only."""
    game, known = referee.game, referee.observe(viewer).state
    faces, backs = face_snapshots(known), back_snapshots(known)
    labels = [Labels(game, *each) for each in zip(faces, backs, strict=True)]
    # Between two shuffles a token keeps its face, and a face seen later is known earlier as well.
    # So there is one set of labels for each epoch, which is the number of shuffles before.
    epoch = 0
    for entry in referee.entries:
        match entry:
            case Dealt():
                yield Dealt(Outcome(tuple(faces[0]), tuple(backs[0])))
            case Shuffled():
                tokens = known.shuffle_log[epoch].tokens
                epoch += 1
                values = faces[epoch], backs[epoch]
                yield Shuffled(Outcome(*(tuple(each[t] for t in tokens) for each in values)))
            case Taken(_, action):
                yield replace(entry, notation=notation_with_token(game, labels[epoch], action))
            case Hinted(seat) if seat != viewer:
                continue
            case _:
                yield entry
