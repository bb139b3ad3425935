"""Publish events to listeners, each with only what its viewer may know."""

from collections.abc import Callable, Sequence
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.play.events import Event, Kind, changed_tokens, tell_action, winner_sentence
from cardhub.table.state import CHANCE, State

Listener = Callable[[Event], None]


class Announcer:
    """Publishes an event for each action of the referee, one per listener's viewer.

    `count` is the number of events so far, including those hidden from some viewers.
    """

    def __init__(self, game: Game[Any], names: Sequence[str]) -> None:
        self._game = game
        self._names = names
        self._listeners: list[tuple[int, Listener]] = []
        self.count = 0

    def subscribe(self, viewer: int, listener: Listener) -> None:
        """Call `listener` with every event from now on, as `viewer` may know it."""
        self._listeners.append((viewer, listener))

    def action(self, before: State, seat: int, action: int, after: State) -> None:
        """Announce an action."""
        changed = changed_tokens(before, after) if self._listeners else frozenset[int]()
        for viewer, listener in self._listeners:
            was = Observation(self._game, before, viewer)
            now = Observation(self._game, after, viewer)
            lines = tell_action(was, seat, action, now, self._names)
            listener(Event(self.count, "action", seat, action, lines, changed))
        self.count += 1

    def shuffle(self, tokens: Sequence[int], keeper: int) -> None:
        """Announce that cards were shuffled, or that a player rearranged their own."""
        line = f"{len(tokens)} cards are shuffled"
        if keeper >= 0:
            line = f"{self._names[keeper]} rearranges {len(tokens)} cards"
        self._same_for_all("shuffle", CHANCE, line, frozenset(tokens))

    def undo(self, seat: int, before: State, after: State) -> None:
        """Announce that a player took an action back."""
        line = f"{self._names[seat]} takes that back"
        self._same_for_all("undo", seat, line, changed_tokens(before, after))

    def hint(self, seat: int, bot: str) -> None:
        """Announce that a player got a hint, only to that player and to omniscient viewers."""
        lines = (f"{self._names[seat]} asked for a hint ({bot})",)
        for viewer, listener in self._listeners:
            if viewer in (seat, EVERYTHING):
                listener(Event(self.count, "hint", seat, None, lines, frozenset()))
        self.count += 1

    def over(self, scores: Sequence[int], places: Sequence[int]) -> None:
        """Announce the end of the game."""
        if not self._listeners:
            self.count += 1
            return
        result = ", ".join(f"{n} {s}" for n, s in zip(self._names, scores, strict=True))
        outcome = winner_sentence(self._names, places)
        self._same_for_all("over", CHANCE, f"{outcome}: {result}", frozenset())

    def _same_for_all(self, kind: Kind, seat: int, line: str, changed: frozenset[int]) -> None:
        for _, listener in self._listeners:
            listener(Event(self.count, kind, seat, None, (line,), changed))
        self.count += 1
