"""Playthroughs: replayed records as exporters get them, for one viewer."""

from typing import Any

from cardhub.hidden.observation import EVERYTHING
from cardhub.play.events import Event, follow
from cardhub.play.history import Taken
from cardhub.play.records.notation import notation_with_token
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import replay
from cardhub.play.referee import Referee
from cardhub.plugins.registrations import Moment, Playthrough


def go_through(record: Record, referee: Referee[Any], viewer: int, called: str) -> Playthrough:
    """Return the playthrough of a record for `viewer`, whose name is `called`; raises RecordError.

    The referee is at the start of the record; it is moved to the end.
    """
    events: list[Event] = []
    follow(referee, viewer, events.append)
    start = referee.observe(viewer)
    moments: list[Moment] = []
    for _ in replay(record, referee):
        moments += [_moment(event, referee, viewer) for event in events]
        events.clear()
    return Playthrough(
        game=referee.game,
        settings=referee.settings,
        players=tuple((player.name, player.kind) for player in referee.players),
        viewer=called,
        seed=record.header.seed if viewer == EVERYTHING else None,  # it would tell the deal
        start=start,
        moments=tuple(moments),
        scores=tuple(referee.scores()) if referee.is_over else None,
        places=tuple(referee.places()) if referee.is_over else None,
    )


def _moment(event: Event, referee: Referee[Any], viewer: int) -> Moment:
    table, entry, notation = referee.observe(viewer), referee.entries[-1], ""
    if isinstance(entry, Taken):
        notation = entry.notation
        if viewer != EVERYTHING:
            notation = notation_with_token(referee.game, table.labels(), entry.action)
    return Moment(event.number, event.kind, event.seat, notation, event.lines, table)
