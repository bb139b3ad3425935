"""The announcer of a game: it turns each entry into events, and tells them to viewers."""

from collections.abc import Callable
from typing import Any

from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.events import Event
from cardhub.play.announcing.told_step import Observations, ToldStep
from cardhub.play.history_entries import Entry
from cardhub.play.referee import Referee

Listener = Callable[[Event], object]


def follow(referee: Referee[Any], viewer: int, listener: Listener) -> None:
    """Call `listener` with every further event, as `viewer` may know it."""
    if referee.announcer is None:
        referee.announcer = Announcer(referee)
    referee.announcer.follow(viewer, listener)


def present_observation(referee: Referee[Any], viewer: int) -> Observation[Any]:
    """Return the present observation of a viewer, made once for each position if events are."""
    announcer = referee.announcer
    return referee.observe(viewer) if announcer is None else announcer.observe(viewer)


def past_events(referee: Referee[Any], viewer: int) -> list[Event]:
    """Return all events so far, as a viewer may know them."""
    events: list[Event] = []
    again = referee.restarted()  # as the observations between the entries are not kept
    follow(again, viewer, events.append)
    for entry in referee.entries[1:]:
        again.apply_entry(entry)
    again.forget_listeners()
    return events


def count_events(referee: Referee[Any]) -> int:
    """Return the number of events so far, including those hidden from some viewers."""
    return len(referee.entries) - 1  # all but the deal


class Announcer:
    """Tells the listeners of each viewer the events of a game."""

    def __init__(self, referee: Referee[Any]) -> None:
        self._referee = referee
        self._listeners: dict[int, list[Listener]] = {}
        self._players = referee.players
        # The viewers whom the game's story has told of the last action.
        self._stories: set[int] = set()
        self._position, self._heard = Observations(referee.observable()), len(referee.entries)
        referee.subscribe(self._hear)

    def follow(self, viewer: int, listener: Listener) -> None:
        """Call `listener` with every further event, as `viewer` may know it."""
        self._listeners.setdefault(viewer, []).append(listener)

    def observe(self, viewer: int) -> Observation[Any]:
        """Return the present observation of a viewer."""
        # Between an entry and the call of `_hear` for it, the position is that of before.
        if self._heard != len(self._referee.entries):
            return self._referee.observe(viewer)
        return self._position.observe(viewer)

    def _hear(self, entry: Entry) -> None:
        referee, before = self._referee, self._position
        self._position, self._heard = Observations(referee.observable()), len(referee.entries)
        players, self._players = self._players, referee.players
        number = count_events(referee)
        is_shared = len(self._listeners) > 1
        step = ToldStep(
            entry,
            number,
            before,
            self._position,
            players,
            referee.scoring,
            is_shared=is_shared,
        )
        for viewer, listeners in [*self._listeners.items()]:
            event = step.event(viewer, self._stories)
            if event is not None:
                for listener in listeners:
                    listener(event)
