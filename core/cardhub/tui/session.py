"""A game at one terminal: its viewer, and the events of that viewer."""

from itertools import takewhile
from pathlib import Path
from typing import Any

from cardhub.game.scene import Summary
from cardhub.hidden.observation import Observation
from cardhub.play.events import Event, count_events, follow, past_events, standing_summaries
from cardhub.play.referee import Referee
from cardhub.play.result_text import result_sentence
from cardhub.table.state import CHANCE
from cardhub.table.zones import shows_spectators_more


class Session:
    """The referee of one terminal, with callbacks that collect the events of its viewers.

    A single person always sees their own seat; a game of bots is seen by a spectator. Several
    people share the terminal: the one who took it last (`take_seat`) sees their own seat, and the
    spectator's view is shown at the end.
    """

    def __init__(self, referee: Referee[Any], record: Path | None = None) -> None:
        self.referee = referee
        self.record = record
        self.names = [player.name for player in referee.players]
        self._spectator = len(referee.players)
        self._humans = [s for s, player in enumerate(referee.players) if player.is_human]
        self._holder = self._humans[0] if len(self._humans) == 1 else self._spectator
        self._hides_hands = shows_spectators_more(referee.game.state_type.zones)
        # Events are collected for all viewers from the start: the spectator's are shown at the end.
        viewers = {*self._humans, self._spectator}
        self._told = {viewer: past_events(referee, viewer) for viewer in viewers}
        for viewer, events in self._told.items():
            follow(referee, viewer, events.append)
        # By viewer, the number of the last event before which all summaries have been read: those
        # of a resumed game were read before it was left.
        self._read = dict.fromkeys(viewers, count_events(referee) - 1)

    @property
    def viewer(self) -> int:
        """The index of the viewer: a seat, or the number of seats for the spectator."""
        is_shared_end = self.referee.is_over and len(self._humans) > 1
        return self._spectator if is_shared_end else self._holder

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return bool(self._humans)

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to act."""
        seat = self.referee.seat
        return seat >= 0 and seat not in self._humans

    @property
    def next_holder(self) -> int | None:
        """The seat that the terminal must be handed to before the game goes on, if any."""
        seat = self.referee.seat
        if seat in self._humans:
            return seat if seat != self._holder else None
        # While a bot begins, a spectator's view would show several people their own hands.
        is_spectator = self._holder == self._spectator and not self.referee.is_over
        return self._humans[0] if is_spectator and self._humans and self._hides_hands else None

    def take_seat(self, seat: int) -> None:
        """Show the view of this seat from now on."""
        self._holder = seat

    def observe(self) -> Observation[Any]:
        """Return the viewer's observation."""
        return self.referee.observe(self.viewer)

    def events(self) -> list[Event]:
        """Return all events of the viewer; the list object stays the same and grows."""
        # The same list object each time: the log wraps only what was appended to it.
        return self._told[self.viewer]

    def news(self) -> list[Event]:
        """Return the events after the viewer's last action, or that action if there are none."""
        events = self.events()
        # A spectator has no action of their own since which events could be new.
        if self.viewer == self._spectator:
            return events[-1:]
        # A hint is no action: the events before it stay new.
        own = [n for n, e in enumerate(events) if e.seat == self.viewer and e.kind != "hint"]
        since = events[own[-1] + 1 :] if own else events
        return since or events[-1:]

    def unread_summaries(self) -> list[Summary]:
        """Return the summaries that the viewer has not read yet; they are read from now on."""
        viewer, has_several = self.viewer, len(self._humans) > 1
        is_over = self.referee.is_over
        if has_several and viewer == self._spectator and not is_over:
            return []  # none of the people has taken the terminal yet
        # At the end several people look together: each has read the earlier ones.
        since = max(self._read.values()) if has_several and is_over else self._read[viewer]
        self._read[viewer] = count_events(self.referee) - 1
        unread = takewhile(lambda event: event.number > since, reversed(self.events()))
        # Asked after every action, so all events are gone through only where a round has ended.
        if not any(event.summary for event in unread):
            return []
        standing = standing_summaries(self.events())
        return [e.summary for e in standing if e.summary and e.number > since]

    def summaries(self) -> list[Summary]:
        """Return all summaries of the game for the viewer."""
        return [event.summary for event in standing_summaries(self.events()) if event.summary]

    def changed(self) -> frozenset[int]:
        """Return the tokens that changed in the new events, since the last deal among them."""
        news = self.news()
        deals = [n for n, event in enumerate(news) if self._is_deal(event)]
        since = news[deals[-1] + 1 :] if deals else news
        return frozenset(token for event in since for token in event.changed)

    def _is_deal(self, event: Event) -> bool:
        # After a deal all cards are new: marks on each of them would tell nothing.
        seats = len(self.referee.players)
        return event.kind == "action" and event.seat == CHANCE and len(event.changed) > seats

    def winners(self) -> str:
        """Return the result of the finished game in words."""
        return result_sentence(self.names, self.referee.scores(), self.referee.scoring)
