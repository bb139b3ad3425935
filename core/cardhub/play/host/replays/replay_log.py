"""The events of a viewer as lines of a log, and the news among them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from cardhub.model.game.scene import Summary
from cardhub.model.table.state import CHANCE
from cardhub.play.announcing.events import Event, standing_summaries
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

    Spectators do not act, so only the last event is new for them.
    """
    if not is_person:
        return events[-1:]
    # From the end, because it is called after every action of a long game.
    recent = takewhile(lambda event: not is_own(event, viewer), reversed(events))
    count = sum(1 for _ in recent)
    return events[len(events) - count :] or events[-1:]


def is_person(viewer: int, bots: Sequence[str]) -> bool:
    """Return whether a viewer is a person with a seat; `bots` are specs by seat, empty for people.

    The all-seeing viewer and spectators do not have a seat.
    """
    return 0 <= viewer < len(bots) and not bots[viewer]


def is_own(event: Event, viewer: int) -> bool:
    """Return whether the viewer acted, since when other events are new."""
    # A hint or a note is not an action: the events before it stay new.
    return event.seat == viewer and event.kind not in ("hint", "seating")


def origins_in(news: Iterable[Event], seats: int) -> dict[int, str]:
    """Return the origins of tokens that changed in new events, since the last deal among them."""
    origins: dict[int, str] = {}
    for event in news:
        # After a deal all cards are new: marks on all cards would be useless.
        if event.kind == "action" and event.seat == CHANCE and len(event.origins) > seats:
            origins.clear()
        else:
            origins.update(event.origins)
    return origins


class OwnEvents:
    """The events of one viewer at a running table with `seats` seats, and the news among them.

    Origins that views do not show any more are dropped: they need most of the memory of a long
    game.
    """

    def __init__(self, events: list[Event], viewer: int, seats: int) -> None:
        self._events, self._viewer = events, viewer
        self._has_seat = 0 <= viewer < seats
        own = (number for number, event in enumerate(events, 1) if is_own(event, viewer))
        self._own_end = max(own, default=0)  # the number of events up to the viewer's last action
        self._kept_from = 0
        self._forget()

    def note_event(self) -> bool:
        """Note that an event was added; return whether it is an action of the viewer."""
        is_action = is_own(self._events[-1], self._viewer)
        if is_action:
            self._own_end = len(self._events)
        self._forget()
        return is_action

    def news(self, *, is_person: bool) -> Sequence[Event]:
        """Return the news as `news_of`."""
        news = self._events[self._own_end :] if is_person else ()
        return news or self._events[-1:]

    def _forget(self) -> None:
        events, last = self._events, len(self._events) - 1
        end = min(self._own_end, last) if self._has_seat else last
        for number in range(self._kept_from, end):
            events[number] = events[number].bare or events[number]
        self._kept_from = max(self._kept_from, end)


class UnreadSummaries:
    """The summaries of a viewer's events that the viewer has not read.

    The viewer has read the summaries of the first `steps` steps. `unread` has no summaries of
    undone actions.
    """

    def __init__(self, events: Sequence[Event], steps: int) -> None:
        self._events = events
        self.read(steps)

    def read(self, steps: int) -> None:
        """Note that all current summaries, after a number of steps, have been read."""
        self._read = steps
        self.unread: Sequence[Summary] = ()

    def note_event(self) -> None:
        """Note that an event was added."""
        last = self._events[-1]
        if last.summary or last.undone:
            standing = standing_summaries(self._events)
            recent = [event for event in standing if event.number >= self._read]
            self.unread = [event.summary for event in recent if event.summary]


def _lines(event: Event, *, is_new: bool) -> Iterator[LogLine]:
    *others, last = event.lines or ("",)
    for text, end in (*((other, None) for other in others), (last, event.summary)):
        yield LogLine(
            step=event.number + 1,
            seat=event.seat,
            kind=event.kind,
            text=text,
            summary=end,
            is_new=is_new,
        )
