"""The origins of cards that moved or were revealed in a step, as texts, for all its viewers."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.actions import Sites
from cardhub.model.table.state import State
from cardhub.model.table.state_declaration import Zone

# By token, the number of its zone, and the number of its pile there.
_Places = dict[int, tuple[int, int]]


class StepOrigins:
    """The origins of a step for all viewers.

    Zones, and which seats have seen a face, are public: the observations before and after the step
    may come from any viewer. `players`: the names by seat.
    """

    def __init__(
        self, before: Observation[Any], after: Observation[Any], players: Sequence[str], step: int
    ) -> None:
        self._players, self._step = players, step
        self._everybody, self._seen = after.state.everybody, after.state.seen
        old_places, new_places = _in_changed_piles(before.state, after.state)
        moved = {token for token, _ in old_places.items() ^ new_places.items()}
        places: dict[tuple[int, int], str] = {}
        self._moved: dict[int, str] = {}
        for token in moved & old_places.keys():
            place = old_places[token]
            if place != new_places.get(token):
                if place not in places:
                    places[place] = f"from {_place(before, *place, players)}, step {step}"
                self._moved[token] = places[place]
        self._tokens = sorted(moved | _learned_tokens(before.state, after.state))
        # For each token without a moved text, the seats that learned its face in this step.
        self._learned = {
            token: self._seen[token] & ~before.state.seen[token]
            for token in self._tokens
            if token not in self._moved
        }
        self._texts: dict[tuple[bool, ...], dict[int, str]] = {}

    def of(self, viewer: int) -> dict[int, str]:
        """Map each token that moved or was revealed to a text; viewers may share the mapping.

        The texts are such as `from Bob's hand, step 141`, `turned up, step 9` and `shown to Bob,
        step 9`. A revealed token is one whose face some seat has learned.
        """
        # A viewer who learned the face gets the text for a face-up card.
        needed = self._everybody if viewer == EVERYTHING else 1 << viewer
        has_learned = tuple([seats & needed == needed for seats in self._learned.values()])
        if has_learned not in self._texts:
            pairs = zip(self._learned, has_learned, strict=True)
            texts = {token: self._learned_text(token, is_seen=seen) for token, seen in pairs}
            self._texts[has_learned] = {
                token: self._moved.get(token) or texts[token] for token in self._tokens
            }
        return self._texts[has_learned]

    def _learned_text(self, token: int, *, is_seen: bool) -> str:
        learned = self._learned[token]
        if is_seen:
            event = "turned up"
        elif self._seen[token] == self._everybody:
            event = "shown to all" if learned else "turned up"
        else:
            seats = [name for seat, name in enumerate(self._players) if learned >> seat & 1]
            event = f"shown to {' and '.join(seats)}" if seats else "turned up"
        return f"{event}, step {self._step}"


def _in_changed_piles(before: State, after: State) -> tuple[_Places, _Places]:
    """Return the places before and after a step, for the tokens of changed piles only."""
    old_places: _Places = {}
    new_places: _Places = {}
    for index, zone in enumerate(after.zones):
        # A step changes few zones.
        if getattr(before, zone.name) == getattr(after, zone.name):
            continue
        piles = zip_longest(zone.piles(before), zone.piles(after), fillvalue=())
        for number, (old, new) in enumerate(piles):
            if old != new:
                place = index, number
                old_places.update(dict.fromkeys(old, place))
                new_places.update(dict.fromkeys(new, place))
    return old_places, new_places


def _learned_tokens(before: State, after: State) -> set[int]:
    if before.seen == after.seen:
        return set()
    pairs = enumerate(zip(before.seen, after.seen, strict=True))
    return {token for token, (old, new) in pairs if new & ~old}


def positions(state: State) -> dict[int, tuple[str, int]]:
    """Return zone and pile of every token."""
    return {
        token: (zone.name, number)
        for zone in state.zones
        for number, pile in enumerate(zone.piles(state))
        for token in pile
    }


def _place(observation: Observation[Any], index: int, pile: int, players: Sequence[str]) -> str:
    zone = observation.state.zones[index]
    groups = observation.game.actions.groups
    board = next((g for g in groups if isinstance(g, Sites) and g.size == zone.count), None)
    if board is not None:
        return board.labels[pile]
    return pile_text(zone, pile, players)


def pile_text(zone: Zone, pile: int, players: Sequence[str]) -> str:
    """Return the name of a pile: `Bob's hand`, `the stock`, `meld 2` or `pile A`."""
    if zone.count == 0:
        return f"{players[pile]}'s {zone.noun}"
    if len(zone.nouns) > 1:
        return zone.nouns[pile]
    return f"{zone.noun} {pile + 1}" if zone.count else f"the {zone.noun}"
