"""The events of a recorded game as JSON values."""

from typing import Any

from cardhub.cli.records.review_text import agreement_facts, review_facts
from cardhub.model.game.scene import Summary
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.event_replay import EventReplay
from cardhub.play.host.replays.viewpoints import viewer_name
from cardhub.play.review import DecisionReview


def replay_facts(replay: EventReplay) -> dict[str, Any]:
    """Replay a record; return game, players, events and result as JSON values."""
    record, referee, reviewer = replay.record, replay.referee, replay.reviewer
    events = [_event_facts(replay, *each) for each in replay.events()]  # before `is_over` is read
    analysis = (
        {"analysis": agreement_facts(referee.players, replay.bot, reviewer)} if reviewer else {}
    )
    return {
        "game": referee.game.name,
        "version": referee.game.version,
        # The deal could be computed from the seed.
        "seed": record.header.seed if replay.viewer == EVERYTHING else None,
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "viewer": viewer_name(referee.players, replay.viewer),
        "finished": record.is_finished or referee.is_over,
        "events": events,
        "scores": referee.scores() if referee.is_over else None,
        "places": referee.places() if referee.is_over else None,
    } | analysis


def _event_facts(
    replay: EventReplay, event: Event, review: DecisionReview | None
) -> dict[str, Any]:
    facts = {
        "number": event.number,
        "kind": event.kind,
        "player": replay.referee.players[event.seat].name if event.seat >= 0 else None,
        "lines": list(event.lines),
        "summary": summary_facts(event.summary) if event.summary else None,
    }
    return facts | ({"analysis": review_facts(review)} if replay.reviewer else {})


def summary_facts(summary: Summary) -> dict[str, Any]:
    """Return a summary as JSON values."""
    return {"title": summary.title, "rows": [list(row) for row in summary.rows]}
