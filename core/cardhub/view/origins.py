"""The origins of cards that moved or were revealed in a step, as texts, for all its viewers."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from cardhub.game.default_scene import caption
from cardhub.game.scene import Summary
from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.table.actions import Sites
from cardhub.table.state import State

_Positions = dict[int, tuple[str, int]]


class StepOrigins:
    """The origins of a step for all viewers; zones, and who has seen which face, are public.

    They are made from the observations of any viewer before and after the step; `players` has the
    names by seat.
    """

    def __init__(
        self, before: Observation[Any], after: Observation[Any], players: Sequence[str], step: int
    ) -> None:
        self._seen, self._players, self._step = before.state.seen, players, step
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

    def of(self, after: Observation[Any]) -> dict[int, str]:
        """Return by token where it was, or who learned its face, given a viewer's observation.

        The tokens are those that moved, or whose faces a seat has learned:
        `from Bob's hand, step 141`, `turned up, step 9`, `shown to Bob, step 9`.
        """
        return {
            token: self._moved.get(token) or self._learned(token, after) for token in self._tokens
        }

    def _learned(self, token: int, after: Observation[Any]) -> str:
        return f"{_learned(self._seen[token], after, token, self._players)}, step {self._step}"


class LastStep:
    """The parts of the last event that are alike for all viewers, made for the first of them."""

    def __init__(self) -> None:
        self._step = -1
        self._origins: StepOrigins | None = None
        self._texts: dict[str, str] = {}
        self._summary: Summary | None = None

    def origins(
        self, before: Observation[Any], after: Observation[Any], players: Sequence[str], step: int
    ) -> dict[int, str]:
        """Return the origins of a step for a viewer; all tellers ask for them first."""
        if self._origins is None or self._step != step:
            self._step, self._origins = step, StepOrigins(before, after, players, step)
            self._texts, self._summary = {}, None
        return self._origins.of(after)

    def lines(self, lines: Iterable[str]) -> tuple[str, ...]:
        """Return lines, equal ones as the same object: a long game has thousands."""
        return tuple(self._texts.setdefault(line, line) for line in lines)

    def summary(self, summary: Summary | None) -> Summary | None:
        """Return a summary, an equal one as the same object."""
        if summary != self._summary:
            self._summary = summary
        return self._summary


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


def _learned(before: int, after: Observation[Any], token: int, players: Sequence[str]) -> str:
    state = after.state
    learned = state.seen[token] & ~before
    if learned >> after.seat & 1 if after.seat != EVERYTHING else learned == state.everybody:
        return "turned up"
    if learned | state.seen[token] == state.everybody:
        return "shown to all" if learned else "turned up"
    seats = [players[seat] for seat in range(state.seats) if learned >> seat & 1]
    return f"shown to {' and '.join(seats)}" if seats else "turned up"
