"""Playouts: work towards the best collection, and reduce the other seat's.

A set of sites is an int with one bit per site. The same sets recur in a search, so
their components are kept.
"""

from collections.abc import Callable
from random import Random
from typing import Generic, TypeVar

from cardhub import connected, numbers
from cardhub_garner.distributing import legal_places
from cardhub_garner.groups import NEXT_TO, alike, groups
from cardhub_garner.majorities import counts
from cardhub_garner.strategy.evaluation import Gains, gains
from cardhub_garner.table import COLLECT, LIFT, NUMBER, PLACE, SUIT, Table, layout_of

# The weight of the other seat's best collection against a collection.
THREAT = 0.6
# The noise in the value of a lift, as a share of the value.
NOISE = 0.2
# The number of collections that are compared by the other seat's answer.
TRIED = 3
# The number of answers that are kept.
MOST_KNOWN = 1 << 16
# A mask with every suit.
ALL_SUITS = -1
ANYWHERE = (1 << len(NEXT_TO)) - 1

# The number of connected sites, the sites, and their neighbours.
Component = tuple[int, int, int]
T = TypeVar("T")


class Known(dict[int, T], Generic[T]):
    """Answers about sets of sites, found when they are first read; all go when they are `most`."""

    # A playout reads hundreds of them, and a dict is read in two thirds of the time of a call of a
    # function with an `lru_cache`.

    def __init__(self, find: Callable[[int], T], most: int = MOST_KNOWN) -> None:
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, sites: int) -> T:
        if len(self) >= self._most:
            self.clear()
        components = self._find(sites)
        self[sites] = components
        return components


def lift(state: Table, rng: Random) -> int:
    """Return the lift action with the highest value of a collection after it."""
    values, tops = gains(counts(state), layout_of(state), state.seat), alike(state, SUIT)
    now = [value_of[largest(sites)] for value_of, sites in zip(values, tops, strict=False)]
    best, highest = 0, -1.0
    for face, sites in groups(state, NUMBER):
        value = _value_of_lift(state, values, tops, now, sites) * (1 + NOISE * rng.random())
        if value > highest:
            best, highest = face, value
    return LIFT + best


def place(state: Table, rng: Random) -> int:
    """Return the place action that serves the best collection, else hurts the other seat."""
    tops, suits = alike(state, SUIT), _suits(state, state.lifted)
    held, layout = counts(state), layout_of(state)
    _, target = _best_suit(gains(held, layout, state.seat), tops, suits)
    legal = sum(1 << action - PLACE for action in legal_places(state))
    suit = SUIT[state.face[state.lifted[0]]]
    _, component, gaps = JOINED[tops[target]]
    if suit == target:
        here = gaps & legal or legal & ~tops[target] or legal
    elif suits >> target & 1:  # keep the gaps free for a later card of the target suit
        here = legal & ~(component | gaps) or legal & ~component or legal
    else:
        here = legal & ~tops[target] or legal
    threats = gains(held, layout, 1 - state.seat)
    return PLACE + _least_useful(state, tops, suit, numbers(here), threats, rng)


def collect(state: Table) -> int:
    """Return the collect action of the highest value, less the other seat's best answer."""
    held, layout, seat = counts(state), layout_of(state), state.seat
    values, threats = gains(held, layout, seat), gains(held, layout, 1 - seat)
    tops, board, face = alike(state, SUIT), state.board, state.face
    valued = [
        (value[size], component)
        for value, sites in zip(values, tops, strict=False)
        for size, component, _ in COMPONENTS[sites]
    ]
    valued.sort(reverse=True)
    rated = [
        (value - THREAT * _best_suit(threats, uncovered(state, tops, sites), ALL_SUITS)[0], sites)
        for value, sites in valued[:TRIED]
    ]
    return COLLECT + min(face[board[site][-1]] for site in numbers(max(rated)[1]))


def find_components(sites: int) -> tuple[Component, ...]:
    """Return the connected components of a set of sites, the largest first."""
    components: list[Component] = []
    while sites:
        component = connected(sites & -sites, sites, NEXT_TO)
        near = 0
        for site in numbers(component):
            near |= NEXT_TO[site]
        components.append((component.bit_count(), component, near & ~component))
        sites ^= component
    return tuple(sorted(components, reverse=True))


def find_joined(sites: int) -> Component:
    """Return the largest component with one site added, and the sites that can be added.

    The added site counts in the size, but is not among the sites of the component.
    """
    best: Component = (1, 0, ANYWHERE)
    known = COMPONENTS[sites]
    for number, (size, component, gaps) in enumerate(known):
        # Larger components first: a heuristic, which is nearly always best.
        for more, other, near in known[number + 1 :]:
            if gaps & near:
                size, component, gaps = size + more, component | other, gaps & near
        best = max(best, (size + 1, component, gaps))
    return best


COMPONENTS: dict[int, tuple[Component, ...]] = Known(find_components)
JOINED: dict[int, Component] = Known(find_joined)


def largest(sites: int) -> int:
    """Return the size of the largest component."""
    return COMPONENTS[sites][0][0] if sites else 0


def uncovered(state: Table, tops: list[int], sites: int) -> list[int]:
    """Return the sites of the top layer by suit after the top cards of `sites` are removed.

    `tops` are those before.
    """
    board, face = state.board, state.face
    after = tops[:]
    for site in numbers(sites):
        pile, bit = board[site], 1 << site
        after[SUIT[face[pile[-1]]]] &= ~bit
        if len(pile) > 1:
            after[SUIT[face[pile[-2]]]] |= bit
    return after


def _value_of_lift(
    state: Table, values: Gains, tops: list[int], now: list[float], lifted: int
) -> float:
    """Return the value of the best collection after the cards on some sites are lifted.

    `tops` and `now` are the sites of the top layer and the best values before that, by suit.
    """
    after, highest = uncovered(state, tops, lifted), 0.0
    for suit, value in enumerate(now):
        # Most suits stay as they are. A card that is lifted can be added to its suit again.
        if tops[suit] & lifted:
            value = values[suit][JOINED[after[suit]][0]]
        elif after[suit] & lifted:  # of the cards beneath
            value = values[suit][largest(after[suit])]
        if value > highest:
            highest = value
    return highest


def _suits(state: Table, cards: list[int]) -> int:
    mask = 0
    for token in cards:
        mask |= 1 << SUIT[state.face[token]]
    return mask


def _best_suit(values: Gains, tops: list[int], more: int) -> tuple[float, int]:
    """Return the value and the suit of the best collection.

    Before it, a card may be added to each suit in the mask `more`.
    """
    best, highest = 0, -1.0
    for suit, value_of in enumerate(values):
        sites = tops[suit]
        value = value_of[JOINED[sites][0] if more >> suit & 1 else largest(sites)]
        if value > highest:
            best, highest = suit, value
    return highest, best


def _least_useful(
    state: Table, tops: list[int], suit: int, sites: list[int], threats: Gains, rng: Random
) -> int:
    """Return the site on which a card of a suit leaves the least value to the other seat.

    `threats` are the gains of that seat.
    """
    board, face, own, laid = state.board, state.face, threats[suit], tops[suit]
    now = [threat[JOINED[lies][0]] for threat, lies in zip(threats, tops, strict=False)]
    best, highest = sites[0], -99.0
    for site in sites if len(sites) > 1 else ():
        bit = 1 << site
        # Noise breaks ties only; values differ by more.
        value = rng.random() / 100 - own[JOINED[laid | bit][0]]
        covered = SUIT[face[board[site][-1]]] if board[site] else suit
        if tops[covered] & bit:
            value += now[covered] - threats[covered][JOINED[tops[covered] ^ bit][0]]
        if value > highest:
            best, highest = site, value
    return best
