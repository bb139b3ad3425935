"""Playthroughs: replayed records as exporters get them, for one viewer."""

from typing import Any

from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.play.events import Event
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import replay
from cardhub.play.referee import Referee
from cardhub.plugins.exporters import Moment, Playthrough


def go_through(record: Record, referee: Referee[Any], viewer: int, called: str) -> Playthrough:
    """Return the playthrough of a record for `viewer`, whose name is `called`; raises RecordError.

    The referee is at the start of the record; it is moved to the end.
    """
    told: list[Event] = []
    referee.subscribe(viewer, told.append)
    start = before = referee.observe(viewer)
    moments: list[Moment] = []
    for _ in replay(record, referee):
        table = referee.observe(viewer)
        moments += [_moment(event, before, table) for event in told]
        told.clear()
        before = table
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


def _moment(event: Event, before: Observation[Any], table: Observation[Any]) -> Moment:
    action = "" if event.action is None else _notation(event.action, before, table)
    return Moment(event.number, event.kind, event.seat, action, event.lines, table)


def _notation(action: int, before: Observation[Any], table: Observation[Any]) -> str:
    """Return an action in the notation of records, or of redacted records for a limited viewer.

    Redacted notation always includes the token: omitting it would reveal that no other card in the
    hand has the same name.
    """
    if before.seat == EVERYTHING:
        return before.labels().notation(action, before.game.legal(before.state))
    text = table.labels().notation(action)
    token = before.game.actions.token(action)
    return text if token is None or "#" in text else f"{text}#{token}"
