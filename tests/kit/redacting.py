"""Redacted records as texts, for tests of what a viewer may read."""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.play.records.reading import Record
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record, replayed


def redact(game: Game[Any], record: Record, viewer: int) -> str:
    """Return a record without the faces that `viewer` has not seen; raises RecordError."""
    return redact_game(replayed(record, open_record(game, record)), viewer)
