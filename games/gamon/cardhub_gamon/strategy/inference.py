"""Probabilities of hidden cards and of the opponent's actions, for the rule-based bot.

They follow from the copies left, the conditions of cards and the opponent's earlier actions.
"""

from collections.abc import Callable
from itertools import pairwise
from math import fsum

from cardhub import Observation
from cardhub_gamon.placing import unplayable
from cardhub_gamon.strategy.call_model import CRIES, HONEST, MUST_LIE, call_probability
from cardhub_gamon.table import ACTIONS, BASE, CARDS, SIDES, Table
from cardhub_gamon.turns import value_of

# The weight of the model's probabilities, in observed decisions.
PRIOR = 5

USUAL_CALL = 4

FACES = tuple(
    tuple(face for face in range(len(CARDS.faces)) if CARDS.deck_of[face] == seat)
    for seat in range(len(SIDES))
)

# The probability of each face, not normalized.
Weights = dict[int, float]


class Inference:
    """The beliefs of one seat in one state."""

    def __init__(self, observation: Observation[Table]) -> None:
        # A copy, since expected calls and bonuses are written into it.
        self.state = observation.state.clone()
        self.seat = observation.seat
        self.opponent = 1 - self.seat
        self._left = [_copies_left(self.state, seat) for seat in range(len(SIDES))]
        self.honesty, self._crying = _behaviour(observation, self.opponent)
        self._expect_cards()
        self._doubted: dict[int, float] = {}
        self._opponent = self._faces(self.opponent)
        self._values = [
            (value_of(self.state, self.opponent, face), weight)
            for face, weight in self._opponent.items()
        ]

    @property
    def lie(self) -> float:
        """Return the probability that the opponent's call is a lie."""
        call = self.state.called[self.opponent]
        return _share(self._opponent, lambda face: BASE[face] != call)

    def beats(self, value: float) -> float:
        """Return the probability that the opponent's card has a value below this."""
        total = fsum(weight for _, weight in self._values)
        return fsum(weight for other, weight in self._values if other < value) / (total or 1)

    def doubted(self, call: int) -> float:
        """Return the probability that the opponent cries Gamon after this call of the seat."""
        if call not in self._doubted:
            suspicion = _share(self._faces(self.seat, call), lambda face: BASE[face] != call)
            # Opponents doubt the more often the likelier a lie is; never with certainty.
            self._doubted[call] = min(0.95, 1.6 * self._crying * suspicion)
        return self._doubted[call]

    def _faces(self, seat: int, call: int = 0) -> Weights:
        """Return the possible faces of a seat's card, given its call (0: not called yet)."""
        placed = self.state.placed[seat]
        mask = self.state.excluded[placed[0]] if placed else unplayable(self.state, seat)
        call = call or (self.state.called[seat] if placed and seat == self.opponent else 0)
        honesty = self.honesty if seat == self.opponent else HONEST
        return {
            face: count * (call_probability(face, call, honesty) if call else 1)
            for face, count in self._left[seat].items()
            if not mask >> face & 1
        }

    def _expect_cards(self) -> None:
        """Write default values into the state for cards yet to be placed: bonus and call."""
        state = self.state
        for seat in range(len(SIDES)):
            if not state.placed[seat]:
                state.carried[seat] = state.bonus[seat]
        if not state.placed[self.opponent]:
            state.called[self.opponent] = USUAL_CALL


def _share(weights: Weights, fits: Callable[[int], bool]) -> float:
    fitting = fsum(weight for face, weight in weights.items() if fits(face))
    total = fsum(weights.values())
    return fitting / (total or 1)


def _copies_left(state: Table, seat: int) -> dict[int, int]:
    left = {face: CARDS.faces[face].copies for face in FACES[seat]}
    for token in (*state.played[seat], *state.discard[seat]):
        left[state.face[token]] -= 1
    return {face: count for face, count in left.items() if count}


def _behaviour(observation: Observation[Table], seat: int) -> tuple[float, float]:
    """Return a seat's rates of honest calls, where one was possible, and of crying Gamon."""
    state = observation.state
    own = [step.action for step in observation.history if step.seat == seat]
    steps = [ACTIONS.verb_and_index[action] for action in own]
    # A call follows the placing of its card, whose index is the token.
    called = [
        (state.face[token], number + 1)
        for (_, token), (verb, number) in pairwise(steps)
        if verb == "call" and state.seen[token] == state.everybody
    ]
    honest = [BASE[face] == call for face, call in called if not MUST_LIE[face]]
    cries = [verb == "gamon" for verb, _ in steps if verb in ("gamon", "believe")]
    return _rate(HONEST, honest), _rate(CRIES, cries)


def _rate(prior: float, seen: list[bool]) -> float:
    return (prior * PRIOR + sum(seen)) / (PRIOR + len(seen))
