"""The log of a replay: the events of a viewer as lines."""

from collections.abc import Iterable, Iterator

from cardhub.game.scene import Summary
from cardhub.play.events import Event
from cardhub.view.view import LogLine, SummaryView


def log_lines(events: Iterable[Event]) -> list[LogLine]:
    """Return the sentences of events, each with the number of its step."""
    return [line for event in events for line in _lines(event)]


def summary_view(summary: Summary) -> SummaryView:
    """Return a summary as plain data."""
    return SummaryView(title=summary.title, rows=tuple(map(tuple, summary.rows)))


def _lines(event: Event) -> Iterator[LogLine]:
    summary = summary_view(event.summary) if event.summary else None
    # A summary without a sentence is kept, too.
    *others, last = event.lines or ([""] if summary else [None])
    for text in others:
        yield LogLine(step=event.number + 1, seat=event.seat, kind=event.kind, text=text or "")
    if last is not None:
        yield LogLine(
            step=event.number + 1, seat=event.seat, kind=event.kind, text=last, summary=summary
        )
