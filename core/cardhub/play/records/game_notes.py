"""The frequencies that a game counts for its statistics, read from a record."""

from collections.abc import Mapping
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.table.state import State
from cardhub.play.history_entries import Taken, TakenBack, Undone
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import open_record, replay


def record_notes(game: Game[Any], record: Record, seat: int) -> Mapping[str, Frequency]:
    """Return the counts of a game for a seat in a finished record; raises RecordError.

    A record redacted for another seat has faces that this seat saw as unseen ones: then
    HiddenFaceError is raised.
    """
    # Without the method no state need be copied, and most games have none.
    if type(game).notes is Game.notes:
        return {}
    return game.notes(played_steps(game, record, seat), seat)


def played_steps(game: Game[Any], record: Record, viewer: int) -> list[PlayedStep[State]]:
    """Return the actions of a record as a viewer saw them, without those that were undone."""
    referee = open_record(game, record)
    before, steps = referee.observe(viewer).state, []
    for _ in replay(record, referee):
        after = referee.observe(viewer).state
        match referee.entries[-1]:
            case Taken(_, action):
                steps.append(PlayedStep(before, action, after))
            case Undone():
                steps.pop()
            case TakenBack(_, count):
                del steps[-count:]
        before = after
    return steps
