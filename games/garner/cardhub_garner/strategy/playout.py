"""How people tend to play Garner, told quickly: for their best collection, against the other's."""

from random import Random

from cardhub import numbers
from cardhub_garner.distributing import legal_places
from cardhub_garner.groups import alike, groups
from cardhub_garner.strategy.components import joined, largest, parts, uncovered
from cardhub_garner.strategy.evaluation import Gains, gains
from cardhub_garner.table import COLLECT, LIFT, NUMBER, PLACE, SUIT, Table

THREAT = 0.6
"""How much what is left for the other seat counts against a collection."""
DOUBT = 0.2
"""By how much of itself the promise of a lift may be mistaken."""
TRIED = 3
"""So many collections are compared by what they leave."""


def lifted(state: Table, rng: Random) -> int:
    """Return the lift that promises the best collection."""
    promise, tops = gains(state, state.seat), alike(state, SUIT)
    best, most = 0, -1.0
    for face, sites in groups(state, NUMBER):
        cards = [state.board[site][-1] for site in numbers(sites)]
        after = uncovered(state, tops, sites)
        value, _ = _target(promise, after, _suits(state, cards))
        value *= 1 + DOUBT * rng.random()
        if value > most:
            best, most = face, value
    return LIFT + best


def placed(state: Table, rng: Random) -> int:
    """Return the place that serves the best collection, or else spoils the other seat's."""
    tops, suits = alike(state, SUIT), _suits(state, state.lifted)
    _, target = _target(gains(state, state.seat), tops, suits)
    legal = sum(1 << action - PLACE for action in legal_places(state))
    suit = SUIT[state.face[state.lifted[0]]]
    _, part, spots = joined(tops[target])
    if suit == target:
        here = spots & legal or legal & ~tops[target] or legal
    elif suits >> target & 1:
        here = legal & ~(part | spots) or legal & ~part or legal
    else:
        here = legal & ~tops[target] or legal
    return PLACE + _spoiling(state, tops, suit, numbers(here), rng)


def collected(state: Table) -> int:
    """Return the collection that is worth most, less what it leaves to the other seat."""
    promise, threat = gains(state, state.seat), gains(state, 1 - state.seat)
    tops, board, face = alike(state, SUIT), state.board, state.face
    found = [
        (table[size], part)
        for table, sites in zip(promise, tops, strict=False)
        for size, part, _ in parts(sites)
    ]
    found.sort(reverse=True)
    rated = [
        (value - THREAT * _target(threat, uncovered(state, tops, part), -1)[0], part)
        for value, part in found[:TRIED]
    ]
    return COLLECT + min(face[board[site][-1]] for site in numbers(max(rated)[1]))


def _suits(state: Table, cards: list[int]) -> int:
    """Return the suits of some cards, as bits."""
    return sum({1 << SUIT[state.face[token]] for token in cards})


def _target(promise: Gains, tops: list[int], more: int) -> tuple[float, int]:
    """Return what the best collection promises, and its suit.

    The suits in `more`, as bits, may get one more card before that.
    """
    best, most = 0, -1.0
    for suit, table in enumerate(promise):
        sites = tops[suit]
        value = table[joined(sites)[0] if more >> suit & 1 else largest(sites)]
        if value > most:
            best, most = suit, value
    return most, best


def _spoiling(state: Table, tops: list[int], suit: int, sites: list[int], rng: Random) -> int:
    """Return the one of some sites where a card of a suit leaves the other seat least."""
    threat = gains(state, 1 - state.seat)
    board, face, own = state.board, state.face, threat[suit]
    best, most = sites[0], -99.0
    for site in sites if len(sites) > 1 else ():
        bit = 1 << site
        value = rng.random() / 100 - own[joined(tops[suit] | bit)[0]]
        covered = SUIT[face[board[site][-1]]] if board[site] else suit
        if tops[covered] & bit:
            table, lies = threat[covered], tops[covered]
            value += table[joined(lies)[0]] - table[joined(lies ^ bit)[0]]
        if value > most:
            best, most = site, value
    return best
