"""One terminal's sitting at a table: who looks at it, and what they have been told."""

from pathlib import Path
from typing import Any

from cardhub.hidden.observation import Observation
from cardhub.play.events import Event
from cardhub.play.referee import Referee


class Session:
    """The referee as one terminal uses it.

    One person sees their own seat throughout, a table of bots is seen by a spectator. Several
    people pass the terminal on: whoever has taken it (`take_seat`) sees their own seat, until the
    end, which is everybody's.
    """

    def __init__(self, referee: Referee[Any], record: Path | None = None) -> None:
        self.referee = referee
        self.record = record
        self.names = [player.name for player in referee.players]
        self._spectator = len(referee.players)
        self._humans = [s for s, player in enumerate(referee.players) if player.is_human]
        self._holder = self._humans[0] if len(self._humans) == 1 else self._spectator
        viewers = {*self._humans, self._spectator}
        self._told = {viewer: referee.events(viewer) for viewer in viewers}
        for viewer, events in self._told.items():
            referee.subscribe(viewer, events.append)

    @property
    def viewer(self) -> int:
        """Whose view is on the screen: a seat, or the spectator's number."""
        is_shared_end = self.referee.is_over and len(self._humans) > 1
        return self._spectator if is_shared_end else self._holder

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act."""
        seat = self.referee.seat
        return seat >= 0 and seat not in self._humans

    @property
    def next_holder(self) -> int | None:
        """The seat the terminal must be passed to before anything goes on, if any."""
        seat = self.referee.seat
        return seat if seat in self._humans and seat != self._holder else None

    def take_seat(self, seat: int) -> None:
        """Show the table to this seat from now on."""
        self._holder = seat

    def observe(self) -> Observation[Any]:
        """Return what the viewer knows."""
        return self.referee.observe(self.viewer)

    def events(self) -> list[Event]:
        """Return everything the viewer has been told."""
        return self._told[self.viewer]

    def news(self) -> list[Event]:
        """Return what happened since the viewer acted, or that action if nothing did."""
        events = self.events()
        if self.viewer == self._spectator:
            return events[-1:]
        own = [n for n, event in enumerate(events) if _is_done_by(self.viewer, event)]
        since = events[own[-1] + 1 :] if own else events
        return since or events[-1:]

    def changed(self) -> frozenset[int]:
        """Return the tokens the news are about."""
        return frozenset(token for event in self.news() for token in event.changed)

    def can_undo(self) -> bool:
        """Return whether the viewer may take their last action back."""
        return self.referee.can_undo(self.viewer)


def _is_done_by(seat: int, event: Event) -> bool:
    """Return whether a seat did something at the table; getting a hint is nothing."""
    return event.seat == seat and event.kind != "hint"
