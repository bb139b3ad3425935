"""A bot that evaluates whole sets of cards by counting colours and values, without search."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import fsum
from random import Random

from cardhub import Observation
from cardhub_gargon.laying import MOST_LAID, colours_down, count_colours, legal_ends, legal_lays
from cardhub_gargon.strategy.heuristics import DRAWN, MAJORITY, SPENT, time_left
from cardhub_gargon.table import (
    AMULETS,
    COLOURS,
    DONE,
    DRAWING,
    FIGHT,
    FIGHTING,
    LAY,
    PASS,
    SPLITS,
    TAKE,
    VALUE,
    Table,
)


class RuleOfThumb:
    """A rule-based bot; it chooses at random among actions of equal value."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the legal action of the highest value in the observed state."""
        state, seat, legal = observation.state, observation.seat, observation.legal()
        values = Values(state, seat)
        if state.phase == DRAWING:
            return max(legal, key=lambda a: (_top(state, values, a - TAKE), self._rng.random()))
        if state.phase == FIGHTING:
            return max(legal, key=lambda a: (_strength(state, seat, a - FIGHT), self._rng.random()))
        return self._lay_or_pass(state, seat, values)

    def _lay_or_pass(self, state: Table, seat: int, values: "Values") -> int:
        laid = state.laid[seat]
        passes = [] if laid else legal_ends(state)
        sets = _sets(state, seat)
        best = max(sets, key=lambda s: (values.of_set(s), self._rng.random()), default=None)
        if best is None or (passes and values.of_set(best) < _pass_value(state, passes)):
            return max(passes, key=lambda a: (_drawn(state, values, a), self._rng.random()))
        # One card per action; the set is chosen again for the next card, from the laid ones on.
        more = [token for token in best if token not in laid]
        return LAY + more[0] if more else DONE


class Values:
    """Values of cards and sets for one seat, in points, from its observation."""

    def __init__(self, state: Table, seat: int) -> None:
        self._state = state
        self._seat = seat
        self._unseen = [self._unseen_values(colour) for colour in range(len(COLOURS))]
        self._rivals = [self._expected_rivals(colour) for colour in range(len(COLOURS))]
        self._won = [self._won_amulets(colour) for colour in range(len(COLOURS))]

    def of_set(self, tokens: Sequence[int]) -> float:
        """Return the value of laying these cards."""
        total = 0.0
        by_colour: dict[int, list[int]] = {}
        for token in tokens:
            by_colour.setdefault(self._state.back[token], []).append(token)
            total -= SPENT * VALUE[self._state.face[token]]
        return total + fsum(self._of_colour(colour, cards) for colour, cards in by_colour.items())

    def of_drawn(self, colour: int) -> float:
        """Return the value of drawing a card of the colour: higher where much is won."""
        points, zeros = self._won[colour]
        return points * 0.1 + zeros

    def _of_card(self, token: int) -> float:
        face, colour = self._state.face[token], self._state.back[token]
        points, zeros = self._won[colour]
        if VALUE[face] == 0:
            return MAJORITY + 2 + points * (1 << zeros)
        return MAJORITY + AMULETS[face] * (1 << zeros)

    def _of_colour(self, colour: int, cards: list[int]) -> float:
        face = self._state.face
        cards = sorted(cards, key=lambda token: VALUE[face[token]], reverse=True)
        alone = max(0.0, 1 - self._rivals[colour])
        beats = self._beats(colour, VALUE[face[cards[0]]])
        first = beats * self._of_card(cards[0]) + (1 - beats) * DRAWN
        rest = fsum(map(self._of_card, cards[1:])) * (0.75 if beats > 0.5 else 0.5)
        return alone * fsum(map(self._of_card, cards)) + (1 - alone) * (first + rest)

    def _beats(self, colour: int, value: int) -> float:
        """Return the probability that a card is the strongest, against at least one rival."""
        unseen = self._unseen[colour]
        if not unseen or value == 0:
            return 0.0 if value == 0 else 1.0
        lower = sum(other < value for other in unseen) / len(unseen)
        return float(lower ** max(1.0, self._rivals[colour]))

    def _unseen_values(self, colour: int) -> list[int]:
        state, bit = self._state, 1 << self._seat
        values = [0, *range(16)]  # 0 occurs twice
        for token, back in enumerate(state.back):
            if back == colour and state.seen[token] & bit:
                values.remove(VALUE[state.face[token]])
        return values

    def _expected_rivals(self, colour: int) -> float:
        """Return the number of other seats that have laid the colour, or may still."""
        state, rivals = self._state, 0.0
        for seat in range(state.seats):
            if seat == self._seat:
                continue
            if state.laid[seat]:
                rivals += any(state.back[token] == colour for token in state.laid[seat])
            elif (seat - state.leader) % state.seats > (self._seat - state.leader) % state.seats:
                held = sum(state.back[token] == colour for token in state.hand[seat])
                # Estimated from the backs: the more cards of the colour, the likelier one is laid.
                rivals += min(0.6, 2 * held / (len(state.hand[seat]) + 1))
        return rivals

    def _won_amulets(self, colour: int) -> tuple[int, int]:
        """Return the numbers of amulets and of zeros that the seat has won in the colour."""
        state = self._state
        faces = [state.face[t] for t in state.won[self._seat] if state.back[t] == colour]
        return sum(AMULETS[face] for face in faces), sum(VALUE[face] == 0 for face in faces)


def _sets(state: Table, seat: int) -> Iterator[tuple[int, ...]]:
    """Yield the complete sets that contain the laid cards."""
    laid = tuple(state.laid[seat])
    hand = state.hand[seat] if legal_lays(state) else []
    leads = seat == state.leader
    sizes = range(max(1, len(laid)), MOST_LAID + 1) if leads else (state.colours + state.pair,)
    # The last player is bound to the colours laid by the others (gargon R3).
    is_last = not leads and (seat + 1) % state.seats == state.leader
    # As a mask, -1 allows every colour.
    down = colours_down(state) if is_last else -1
    for size in sizes:
        for more in combinations(hand, size - len(laid)):
            once, twice = count_colours(laid + more, state.back)
            fits = leads or (once.bit_count(), bool(twice)) == (state.colours, state.pair)
            if fits and once & down == once and (size < MOST_LAID or once.bit_count() > 1):
                yield laid + more


def _pass_value(state: Table, passes: list[int]) -> float:
    most = max(sum(SPLITS[action - PASS]) for action in passes)
    return DRAWN * most * time_left(state)


def _drawn(state: Table, values: Values, action: int) -> float:
    split = SPLITS[action - PASS]
    tops = [
        t for stack, n in zip(state.stacks, split, strict=True) for t in stack[len(stack) - n :]
    ]
    return fsum(1 + values.of_drawn(state.back[token]) for token in tops)


def _top(state: Table, values: Values, stack: int) -> float:
    return values.of_drawn(state.back[state.stacks[stack][-1]])


def _strength(state: Table, seat: int, colour: int) -> int:
    return max(VALUE[state.face[t]] for t in state.laid[seat] if state.back[t] == colour)
