"""Redact records: blank the faces that one viewer has not seen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import Outcome
from cardhub.model.hidden.labels import Labels
from cardhub.play.history_entries import Dealt, Entry, Hinted, Shuffled, Taken, TakenBack
from cardhub.play.records.known_branches import KnownBranch, known_branches
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
    branches = known_branches(referee, viewer)
    if branches[0].answers:
        secret["answers"] = list(branches[0].answers)
    lines = [line_of(referee, entry) for entry in _redacted(referee, viewer, branches)]
    lines[0] |= secret
    lines[-1].pop("reveal", None)
    return "".join(map(as_line, lines))


def redacted_entries(referee: Referee[Any], viewer: int) -> Iterator[Entry]:
    """Yield the entries of a game as `viewer` knows them now, with its own hints only."""
    return _redacted(referee, viewer, known_branches(referee, viewer))


def _redacted(
    referee: Referee[Any], viewer: int, branches: Sequence[KnownBranch]
) -> Iterator[Entry]:
    game, following = referee.game, iter(branches)
    branch = next(following)
    labels, epoch = _labels(game, branch), 0
    for entry in referee.entries:
        match entry:
            case Dealt():
                yield Dealt(Outcome(tuple(branch.faces[0]), tuple(branch.backs[0])))
            case Shuffled():
                tokens = branch.shuffled[epoch]
                epoch += 1
                values = branch.faces[epoch], branch.backs[epoch]
                yield Shuffled(Outcome(*(tuple(each[t] for t in tokens) for each in values)))
            case Taken(_, action):
                yield replace(entry, notation=notation_with_token(game, labels[epoch], action))
            case TakenBack():
                branch = next(following)
                labels, epoch = _labels(game, branch), branch.first
                yield replace(entry, answers=branch.answers)
            case Hinted(seat) if seat != viewer:
                continue
            case _:
                yield entry


def _labels(game: Game[Any], branch: KnownBranch) -> list[Labels]:
    return [Labels(game, *each) for each in zip(branch.faces, branch.backs, strict=True)]
