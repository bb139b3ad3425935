"""Redact records: blank the faces that one viewer has not seen."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.chance import Outcome
from cardhub.hidden.labels import Labels
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots
from cardhub.play.records.reading import Record
from cardhub.play.records.recording import Recorder
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.table.faces import MaskedFaces
from cardhub.table.state import State


class Redactor:
    """A Journal that forwards entries to a recorder, limited to one seat's knowledge at the end."""

    def __init__(self, recorder: Recorder, game: Game[Any], known: State) -> None:
        self._game = game
        self._recorder = recorder
        self._past = known.shuffle_log
        faces, backs = face_snapshots(known), back_snapshots(known)
        self._known = [(MaskedFaces(f), b) for f, b in zip(faces, backs, strict=True)]
        self._labels_of_state = [Labels(game, faces, backs) for faces, backs in self._known]
        self._epoch = 0

    def open(self, deal: Outcome) -> None:
        """See Journal."""
        faces, backs = self._known[0]
        self._recorder.open(Outcome(tuple(faces.blanked()), tuple(backs)))

    def take(self, seat: int, action: int, labels: Labels, legal: Sequence[int]) -> None:
        """See Journal; always with the token, as omitting it would reveal a unique name."""
        token = self._game.actions.token(action)
        redacted = self._labels_of_state[self._epoch].notation(action)
        tag = "" if token is None or "#" in redacted else f"#{token}"
        self._recorder.note(seat, redacted + tag)

    def shuffle(self, outcome: Outcome) -> None:
        """See Journal."""
        tokens = self._past[self._epoch].tokens
        self._epoch += 1
        faces, backs = self._known[self._epoch]
        blanked = faces.blanked()
        known = (tuple(values[token] for token in tokens) for values in (blanked, backs))
        self._recorder.shuffle(Outcome(*known))

    def undo(self, seat: int) -> None:
        """See Journal."""
        self._recorder.undo(seat)

    def hint(self, seat: int, bot: str) -> None:
        """See Journal."""
        self._recorder.hint(seat, bot)

    def end(self, scores: list[int], places: list[int], returns: list[float]) -> None:
        """See Journal."""
        self._recorder.end(scores, places, returns)


def redact(game: Game[Any], record: Record, viewer: int) -> str:
    """Return a record with the faces blanked that `viewer` has not seen by its end.

    Raises RecordError.
    """
    return redact_game(replayed(record, open_record(game, record)), viewer, record.is_finished)


def redact_game(referee: Referee[Any], viewer: int, is_finished: bool = False) -> str:
    """Return the record of a referee's game so far, redacted for `viewer`.

    If it `is_finished`, the last line has the scores.
    """
    known = referee.observe(viewer).state
    text = StringIO()
    recorder = Recorder(referee, text.write, viewer, known.answers)
    redactor = Redactor(recorder, referee.game, known)
    referee.retell(redactor)
    if is_finished:
        redactor.end(referee.scores(), referee.places(), referee.returns())
    return text.getvalue()
