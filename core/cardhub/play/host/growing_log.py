"""The log of a viewer at a running table, which grows and is asked for after every change."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.replay_log import log_lines
from cardhub.view.log import TellLine, joined, like_lines, told_lines, with_cards
from cardhub.view.view import LogLine


class LogTail(NamedTuple):
    """The last lines of a log, and how many lines of it will not change any more."""

    lines: Sequence[LogLine]
    settled: int


class GrowingLog:
    """The joined lines of events; `events` may grow, `names` has all names by seat.

    `labels` are those of the cards by face; lines have parts where they mention them.

    Lines are kept, so that the time for a long game is that of its news.
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
        # The number of events with lines, and of those that are not new: these stay so.
        self._count = self._old = self._old_lines = 0
        # The lines, none of them new, and the last ones again as new ones: all that may be new.
        self._lines: list[LogLine] = []
        self._fresh: list[LogLine] = []
        # What the last line was made of, as the next events may extend it.
        self._group: list[LogLine] = []
        self._whole: tuple[tuple[int, int], list[LogLine]] | None = None
        self._told: TellLine = told_lines(labels, names)
        self._told_names = [*names]

    def lines(self, new: int) -> list[LogLine]:
        """Return all lines; the last `new` events are new."""
        key = len(self._events), self._settle(new)
        # Kept until the next event, as all listeners of a viewer ask for the same lines.
        if self._whole is None or self._whole[0] != key:
            self._whole = key, [*self._lines[: self._old_lines], *self._fresh]
        return self._whole[1]

    def tail(self, first: int, new: int) -> LogTail:
        """Return the lines from number `first` on, and how many lines will not change any more.

        Its time is that of the news, also in a long game.
        """
        self._settle(new)
        old = self._old_lines
        lines = [*self._lines[first:old], *self._fresh[max(first - old, 0) :]]
        # New lines become old ones, and the last one may get longer.
        return LogTail(lines, max(min(old, len(self._lines) - 1), 0))

    def _settle(self, new: int) -> int:
        """Take in all events; return the number of those that are not new."""
        self._old = max(self._old, len(self._events) - new)
        self._extend()
        old = len(self._lines)
        if self._old < len(self._events):
            # A joined line has its last step, and is new if that is.
            first = self._events[self._old].number + 1
            old = bisect_left(self._lines, first, key=lambda line: line.step)
        del self._fresh[: len(self._fresh) - (len(self._lines) - old)]
        self._old_lines = old
        return self._old

    def since(self, step: int) -> list[LogLine]:
        """Return the lines after a step, joined apart: earlier ones are not told again."""
        first = bisect_left(self._events, step, key=lambda event: event.number)
        lines = joined(log_lines(self._events[first:]), self._names)
        return with_cards(lines, self._labels, self._names)

    def _extend(self) -> None:
        """Add the lines of the events since the last call."""
        recent = log_lines(self._events[self._count :])
        self._count = len(self._events)
        if not recent:
            return
        if self._told_names != self._names:
            self._told_names = [*self._names]
            self._told = told_lines(self._labels, self._names)
        groups = like_lines([*self._group, *recent], self._names)
        # The last line so far is made again: it may have got longer.
        del self._lines[-1:], self._fresh[-1:]
        for group in groups:
            line, fresh = self._told(tuple(group))
            self._lines.append(line)
            self._fresh.append(fresh)
        self._group = groups[-1]
