"""The log of a viewer at a running table, which grows and is asked for after every change."""

from bisect import bisect_left
from collections.abc import Sequence

from cardhub.host.replays.replay_log import log_lines
from cardhub.play.events import Event
from cardhub.view.log import joined, with_cards
from cardhub.view.view import LogLine


class GrowingLog:
    """The joined lines of events; `events` may grow, `names` has all names by seat.

    `labels` are those of the cards by face; lines have parts where they mention them.

    Lines of old events are kept, so that the time for a long game is that of its news.
    """

    def __init__(
        self,
        events: Sequence[Event],
        names: Sequence[tuple[str, ...]],
        labels: Sequence[str] = (),
    ) -> None:
        self._events = events
        self._names = names
        self._labels = labels
        self._old_count = 0  # of the events in the two lists
        self._lines: list[LogLine] = []
        # The lines of the last group, which the next events may extend; not among `_lines`.
        self._last: list[LogLine] = []

    def lines(self, new: int) -> list[LogLine]:
        """Return all lines; the last `new` events are new."""
        self._settle(len(self._events) - new)
        recent = log_lines(self._events[self._old_count :], new)
        return [*self._lines, *self._told([*self._last, *recent])]

    def since(self, step: int) -> list[LogLine]:
        """Return the lines after a step, joined apart: earlier ones are not told again."""
        first = bisect_left(self._events, step, key=lambda event: event.number)
        return self._told(log_lines(self._events[first:]))

    def _settle(self, old: int) -> None:
        """Keep the lines of the first `old` events."""
        if old <= self._old_count:
            return
        lines = [*self._last, *log_lines(self._events[self._old_count : old])]
        first = len(lines) - 1
        while first > 0 and len(joined(lines[first - 1 :], self._names)) == 1:
            first -= 1
        first = max(first, 0)
        self._lines += self._told(lines[:first])
        self._last, self._old_count = lines[first:], old

    def _told(self, lines: Sequence[LogLine]) -> list[LogLine]:
        return with_cards(joined(lines, self._names), self._labels, self._names)
