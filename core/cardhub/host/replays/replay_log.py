"""The events of a viewer as lines of a log, and the news among them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from cardhub.game.scene import Summary
from cardhub.play.events import Event, standing_summaries
from cardhub.table.state import CHANCE
from cardhub.view.log import summary_view
from cardhub.view.view import LogLine


def log_lines(events: Sequence[Event], new: int = 0) -> list[LogLine]:
    """Return a line for each sentence of events; the last `new` events are new.

    The summary of an event is at its last line, which is empty if it has no sentences.
    """
    old = len(events) - new
    return [
        line
        for number, event in enumerate(events)
        if event.lines or event.summary
        for line in _lines(event, is_new=number >= old)
    ]


def news_of(events: Sequence[Event], viewer: int, *, is_person: bool) -> Sequence[Event]:
    """Return the events after the viewer's last action, or that action if there are none.

    A spectator has no action of their own since which events could be new: the last one is.
    """
    if not is_person:
        return events[-1:]
    # From the end: asked after every action of a long game.
    recent = takewhile(lambda event: not is_own(event, viewer), reversed(events))
    count = sum(1 for _ in recent)
    return events[len(events) - count :] or events[-1:]


def is_person(viewer: int, bots: Sequence[str]) -> bool:
    """Return whether a viewer is a person with a seat; `bots` are specs by seat, empty for people.

    The all-seeing viewer and spectators have no seat.
    """
    return 0 <= viewer < len(bots) and not bots[viewer]


def is_own(event: Event, viewer: int) -> bool:
    """Return whether the viewer acted, since when other events are new."""
    # A hint or a note is no action: the events before it stay new.
    return event.seat == viewer and event.kind not in ("hint", "seating")


def origins_in(news: Iterable[Event], seats: int) -> dict[int, str]:
    """Return the origins of tokens that changed in new events, since the last deal among them."""
    origins: dict[int, str] = {}
    for event in news:
        # After a deal all cards are new: marks on each of them would tell nothing.
        is_deal = event.kind == "action" and event.seat == CHANCE and len(event.changed) > seats
        origins = {} if is_deal else {**origins, **event.origins}
    return origins


def unread_summaries(events: Sequence[Event], read: int) -> list[Summary]:
    """Return the summaries of the events after number `read`, without those of undone actions."""
    unread = takewhile(lambda event: event.number > read, reversed(events))
    # Asked after every action, so all events are gone through only where a round has ended.
    if not any(event.summary for event in unread):
        return []
    standing = standing_summaries(events)
    return [event.summary for event in standing if event.summary and event.number > read]


def _lines(event: Event, *, is_new: bool) -> Iterator[LogLine]:
    *others, last = event.lines or ("",)
    summary = summary_view(event.summary) if event.summary else None
    for text, end in (*((other, None) for other in others), (last, summary)):
        yield LogLine(
            step=event.number + 1,
            seat=event.seat,
            kind=event.kind,
            text=text,
            summary=end,
            is_new=is_new,
        )
