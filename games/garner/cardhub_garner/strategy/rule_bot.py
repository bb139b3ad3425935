"""A bot that searches distributions for the best collection of the same turn."""

from math import fsum
from random import Random
from typing import NamedTuple

from cardhub import Observation, connected
from cardhub_garner.collecting import FORBIDDEN
from cardhub_garner.game import Garner
from cardhub_garner.groups import NEXT_TO, alike
from cardhub_garner.majorities import counts
from cardhub_garner.table import LIFTING, PLACING, SUIT, Table, layout_of

# The width of the beam search over the ways to place the cards of a group.
WIDTH = 6
# Above 1, cards count more the nearer they are to a majority.
GROWTH = 1.5
# The value of a card that changes no majority.
SPARE = 0.002
# The weight of the other seat's best answer against a collection.
THREAT = 0.4


class Branch(NamedTuple):
    """An action of a seat, and a state that it can lead to in the same turn."""

    action: int
    state: Table


class RuleOfThumb:
    """A rule-based bot; it chooses at random among actions of equal value."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Sample among the legal actions of the highest value."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        rated = _rated(_readable(observation.state), legal)
        best = max(value for value, _ in rated)
        return self._rng.choice([action for value, action in rated if value == best])


class Values:
    """The values of collections for a seat, given the collected cards."""

    def __init__(self, state: Table, seat: int) -> None:
        self._seat = seat
        layout = layout_of(state)
        held = counts(state)
        standing = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
        # By suit and number of cards: a group has at most one card for each of 25 sites.
        self._gains = [
            [_gain(own, count, majority, weight, others, layout.never_six) for count in range(26)]
            for own, others, majority, weight in standing
        ]

    def best(self, state: Table) -> float:
        """Return the value of the best collect action in a state."""
        best = 0.0
        for gains, sites in zip(self._gains, alike(state, SUIT), strict=False):
            while gains[sites.bit_count()] > best:  # more cards never have a lower value
                group = connected(sites & -sites, sites, NEXT_TO)
                best = max(best, gains[group.bit_count()])
                sites ^= group
        return best

    def gained(self, before: Table, after: Table) -> float:
        """Return the value of the cards that the seat has collected between two states."""
        was, now = counts(before)[self._seat], counts(after)[self._seat]
        added = enumerate(b - a for a, b in zip(was, now, strict=True))
        return fsum(self._gains[suit][count] for suit, count in added)


def _rated(state: Table, legal: list[int]) -> list[tuple[float, int]]:
    """Return actions with their values; while cards are placed, only the best action."""
    values = Values(state, state.seat)
    if state.phase == LIFTING:
        return [_best_branch([Branch(a, _after(state, a))], values) for a in legal]
    if state.phase == PLACING:
        return [_best_branch([Branch(a, _after(state, a)) for a in legal], values)]
    return [(_net_gain(state, action, values), action) for action in legal]


def _best_branch(branches: list[Branch], values: Values) -> tuple[float, int]:
    """Search by beam; return the value of the best state found and the action that leads to it."""
    rated = _best(branches, values)
    while rated[0][1].state.phase == PLACING:
        rated = _best([branch for _, parent in rated for branch in _next(parent)], values)
    value, branch = rated[0]
    return value, branch.action


def _next(branch: Branch) -> list[Branch]:
    state = branch.state
    return [Branch(branch.action, _after(state, place)) for place in Garner().legal(state)]


def _best(branches: list[Branch], values: Values) -> list[tuple[float, Branch]]:
    rated = [(values.best(branch.state), branch) for branch in branches]
    rated.sort(key=lambda pair: pair[0], reverse=True)
    return rated[:WIDTH]


def _net_gain(state: Table, action: int, values: Values) -> float:
    """Return the value of a collect or leave action, less the other seat's best answer."""
    after = _after(state, action)
    gained = values.gained(state, after)
    return gained - THREAT * Values(after, 1 - state.seat).best(after)


def _after(state: Table, action: int) -> Table:
    after = state.clone()
    Garner().apply(after, action)
    return after


def _readable(state: Table) -> Table:
    copy = state.clone()
    # A plain list is faster to read than masked faces, and Garner hides no face.
    copy.face = list(state.face)
    return copy


def _gain(own: int, count: int, majority: int, weight: int, others: int, never_six: bool) -> float:
    """Return the value of `count` more cards of a suit of which the seat has `own`."""
    if never_six and own + count == FORBIDDEN:
        count -= 1
    if own >= majority or others >= majority:
        return SPARE * count
    return weight * (_progress(own + count, majority) - _progress(own, majority))


def _progress(held: int, majority: int) -> float:
    return float((min(held, majority) / majority) ** GROWTH)
