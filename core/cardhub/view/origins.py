"""The origins of cards that moved or were revealed in a step, as texts."""

from itertools import zip_longest
from typing import Any

from cardhub.game.default_scene import caption
from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import EVERYTHING, Observation
from cardhub.table.actions import Sites
from cardhub.table.state import State

_Positions = dict[int, tuple[str, int]]


def origins_of(
    before: Observation[Any], after: Observation[Any], names: Labels, step: int
) -> dict[int, str]:
    """Return by token where it was before a step, or who learned its face where it lies.

    The observations are those of one viewer. The tokens are those that moved, or whose faces a seat
    has learned: `from Bob's hand, step 141`, `turned up, step 9`, `shown to Bob, step 9`.
    """
    was, now = _in_changed_piles(before.state, after.state)
    found = {}
    moved = {token for token, _ in was.items() ^ now.items()}
    for token in sorted(moved | _learned_tokens(before.state, after.state)):
        if token in was and was[token] != now.get(token):
            text = f"from {_place(before, *was[token], names)}"
        else:
            text = _learned(before.state, after, token, names)
        found[token] = f"{text}, step {step}"
    return found


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


def _place(observation: Observation[Any], name: str, pile: int, names: Labels) -> str:
    zone = next(zone for zone in observation.state.zones if zone.name == name)
    groups = observation.game.actions.groups
    board = next((g for g in groups if isinstance(g, Sites) and g.size == zone.count), None)
    if board is not None:
        return board.labels[pile]
    if zone.count == 0:
        return f"{names.player(pile)}’s {caption(zone)}"
    return f"{caption(zone)} {pile + 1}" if zone.count else caption(zone)


def _learned(before: State, after: Observation[Any], token: int, names: Labels) -> str:
    state = after.state
    learned = state.seen[token] & ~before.seen[token]
    if learned >> after.seat & 1 if after.seat != EVERYTHING else learned == state.everybody:
        return "turned up"
    if learned | state.seen[token] == state.everybody:
        return "shown to all" if learned else "turned up"
    seats = [names.player(seat) for seat in range(state.seats) if learned >> seat & 1]
    return f"shown to {' and '.join(seats)}" if seats else "turned up"
