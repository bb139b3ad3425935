"""The origins of cards that moved or were revealed in a step, as texts, for all its viewers."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from cardhub.model.game.default_scene import caption
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.actions import Sites
from cardhub.model.table.state import State

_Positions = dict[int, tuple[str, int]]


class StepOrigins:
    """The origins of a step for all viewers; zones, and who has seen which face, are public.

    They are made from the observations of any viewer before and after the step; `players` has the
    names by seat.
    """

    def __init__(
        self, before: Observation[Any], after: Observation[Any], players: Sequence[str], step: int
    ) -> None:
        self._players, self._step = players, step
        self._everybody, self._seen = after.state.everybody, after.state.seen
        was, now = _in_changed_piles(before.state, after.state)
        moved = {token for token, _ in was.items() ^ now.items()}
        places: dict[tuple[str, int], str] = {}
        self._moved: dict[int, str] = {}
        for token in moved & was.keys():
            place = was[token]
            if place != now.get(token):
                if place not in places:
                    places[place] = f"from {_place(before, *place, players)}, step {step}"
                self._moved[token] = places[place]
        self._tokens = sorted(moved | _learned_tokens(before.state, after.state))
        # The seats that have learned the face of a token which is not told to have moved.
        self._learned = {
            token: self._seen[token] & ~before.state.seen[token]
            for token in self._tokens
            if token not in self._moved
        }
        self._texts: dict[tuple[bool, ...], dict[int, str]] = {}

    def of(self, viewer: int) -> dict[int, str]:
        """Return by token where it was, or who learned its face; one object for equal origins.

        The tokens are those that moved, or whose faces a seat has learned:
        `from Bob's hand, step 141`, `turned up, step 9`, `shown to Bob, step 9`.
        """
        # Who has learned a face reads of it as of a card turned up.
        is_own = tuple([self._is_among(viewer, seats) for seats in self._learned.values()])
        if is_own not in self._texts:
            told = zip(self._learned, is_own, strict=True)
            learned = {token: self._learned_text(token, is_own=own) for token, own in told}
            self._texts[is_own] = {
                token: self._moved.get(token) or learned[token] for token in self._tokens
            }
        return self._texts[is_own]

    def _is_among(self, viewer: int, seats: int) -> bool:
        if viewer == EVERYTHING:
            return bool(seats == self._everybody)
        return seats >> viewer & 1 == 1

    def _learned_text(self, token: int, *, is_own: bool) -> str:
        learned, everybody = self._learned[token], self._everybody
        if is_own:
            told = "turned up"
        elif self._seen[token] == everybody:
            told = "shown to all" if learned else "turned up"
        else:
            seats = [name for seat, name in enumerate(self._players) if learned >> seat & 1]
            told = f"shown to {' and '.join(seats)}" if seats else "turned up"
        return f"{told}, step {self._step}"


def _in_changed_piles(before: State, after: State) -> tuple[_Positions, _Positions]:
    """Return `positions` before and after, of the tokens of piles that are not the same."""
    was: _Positions = {}
    now: _Positions = {}
    for zone in after.zones:
        piles = zip_longest(zone.piles(before), zone.piles(after), fillvalue=())
        for number, (old, new) in enumerate(piles):
            if old != new:
                place = zone.name, number
                was.update(dict.fromkeys(old, place))
                now.update(dict.fromkeys(new, place))
    return was, now


def _learned_tokens(before: State, after: State) -> set[int]:
    if before.seen == after.seen:
        return set()
    both = enumerate(zip(before.seen, after.seen, strict=True))
    return {token for token, (old, new) in both if new & ~old}


def positions(state: State) -> dict[int, tuple[str, int]]:
    """Return zone and pile of every token."""
    return {
        token: (zone.name, number)
        for zone in state.zones
        for number, pile in enumerate(zone.piles(state))
        for token in pile
    }


def _place(observation: Observation[Any], name: str, pile: int, players: Sequence[str]) -> str:
    zone = next(zone for zone in observation.state.zones if zone.name == name)
    groups = observation.game.actions.groups
    board = next((g for g in groups if isinstance(g, Sites) and g.size == zone.count), None)
    if board is not None:
        return board.labels[pile]
    if zone.count == 0:
        return f"{players[pile]}’s {caption(zone)}"
    return f"{caption(zone)} {pile + 1}" if zone.count else caption(zone)
