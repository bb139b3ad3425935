"""The log of a viewer at a running table, which grows and is asked for after every change."""

from bisect import bisect_left
from collections.abc import Sequence

from cardhub.host.replays.replay_log import log_lines
from cardhub.play.events import Event
from cardhub.view.log import (
    CardMentions,
    card_mentions,
    joined,
    joined_line,
    like_lines,
    with_cards,
)
from cardhub.view.view import LogLine


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
        # The lines of the first `_old_count` events, but for those of the last group, which the
        # next events may extend.
        self._old_count = 0
        self._old: list[LogLine] = []
        self._old_group: list[LogLine] = []
        # The lines after these, of all events so far: the first may be that of the group above, all
        # others are new. The last group is kept as it was before it became one line.
        self._count = 0
        self._new: list[LogLine] = []
        self._group: list[LogLine] = []
        self._new_names = [*names]
        self._mentions: CardMentions | None = None
        self._mentioned: Sequence[tuple[str, ...]] = ()

    def lines(self, new: int) -> list[LogLine]:
        """Return all lines; the last `new` events are new."""
        old = len(self._events) - new
        if old > self._old_count or self._new_names != self._names:
            self._settle(max(old, self._old_count))
        self._extend()
        return [*self._old, *self._new]

    def since(self, step: int) -> list[LogLine]:
        """Return the lines after a step, joined apart: earlier ones are not told again."""
        first = bisect_left(self._events, step, key=lambda event: event.number)
        lines = joined(log_lines(self._events[first:]), self._names)
        return with_cards(lines, self._labels, self._names)

    def _settle(self, old: int) -> None:
        """Keep the lines of the first `old` events, none of which is new."""
        recent = log_lines(self._events[self._old_count : old])
        groups = like_lines([*self._old_group, *recent], self._names)
        self._old += self._told(groups[:-1])
        self._old_group = groups[-1] if groups else []
        self._old_count = self._count = old
        self._new, self._group = self._told(groups[-1:]), self._old_group
        self._new_names = [*self._names]

    def _extend(self) -> None:
        """Add the lines of the events since the last call, all of which are new."""
        events = self._events[self._count :]
        self._count = len(self._events)
        if recent := log_lines(events, len(events)):
            groups = like_lines([*self._group, *recent], self._names)
            # The last line so far is made again: it may have got longer.
            self._new = [*self._new[:-1], *self._told(groups)]
            self._group = groups[-1]

    def _told(self, groups: Sequence[Sequence[LogLine]]) -> list[LogLine]:
        if not groups:
            return []
        if self._mentions is None or self._mentioned != self._names:
            self._mentions, self._mentioned = (
                card_mentions(self._labels, self._names),
                [*self._names],
            )
        return self._mentions.added(joined_line(group, self._names) for group in groups)
