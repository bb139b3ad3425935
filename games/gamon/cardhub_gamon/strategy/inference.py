"""What a seat can guess about a card lying face down: from copies left, conditions, and habits."""

from collections.abc import Callable
from itertools import pairwise

from cardhub import Observation
from cardhub_gamon.placing import unplayable
from cardhub_gamon.strategy.call_model import CRIES, HONEST, MUST_LIE, readiness
from cardhub_gamon.table import BASE, BELIEVE, CALL, CARDS, GAMON, SIDES, Table
from cardhub_gamon.turns import worth

TRUST = 5
"""How many decisions seen outweigh what people tend to do."""

USUAL_CALL = 4

FACES = tuple(
    tuple(face for face in range(len(CARDS.faces)) if CARDS.deck_of[face] == seat)
    for seat in range(len(SIDES))
)

Weights = dict[int, float]
"""How likely each face is, not yet divided by their sum."""


class Guesses:
    """What one seat can count in a position, and how its opponent has behaved so far."""

    def __init__(self, observation: Observation[Table]) -> None:
        self.state = observation.state.clone()
        self.seat = observation.seat
        self.rival = 1 - self.seat
        self.left = [_copies_left(self.state, seat) for seat in range(len(SIDES))]
        self.honesty, self.crying = _habits(observation, self.rival)
        self._expect_cards()
        self._doubted: dict[int, float] = {}
        self._rival = self.faces(self.rival)
        self._values = [
            (worth(self.state, self.rival, face), weight) for face, weight in self._rival.items()
        ]

    @property
    def lie(self) -> float:
        """How likely the opponent's call is a lie."""
        call = self.state.called[self.rival]
        return share(self._rival, lambda face: BASE[face] != call)

    def beats(self, value: float) -> float:
        """Return how likely the opponent's card is worth less than `value`."""
        total = sum(weight for _, weight in self._values)
        return sum(weight for other, weight in self._values if other < value) / (total or 1)

    def doubted(self, call: int) -> float:
        """Return how likely the opponent cries Gamon if this seat calls this."""
        if call not in self._doubted:
            suspicion = share(self.faces(self.seat, call), lambda face: BASE[face] != call)
            self._doubted[call] = min(0.95, 1.6 * self.crying * suspicion)
        return self._doubted[call]

    def faces(self, seat: int, call: int = 0) -> Weights:
        """Return what a seat's card may be, to whoever has only heard the call (0 for none yet)."""
        placed = self.state.placed[seat]
        mask = self.state.barred[placed[0]] if placed else unplayable(self.state, seat)
        call = call or (self.state.called[seat] if placed and seat == self.rival else 0)
        honesty = self.honesty if seat == self.rival else HONEST
        return {
            face: count * (readiness(face, call, honesty) if call else 1)
            for face, count in self.left[seat].items()
            if not mask >> face & 1
        }

    def _expect_cards(self) -> None:
        """Give cards not placed yet what they will carry, and the opponent's a usual call."""
        state = self.state
        for seat in range(len(SIDES)):
            if not state.placed[seat]:
                state.carried[seat] = state.bonus[seat]
        if not state.placed[self.rival]:
            state.called[self.rival] = USUAL_CALL


def share(weights: Weights, fits: Callable[[int], bool]) -> float:
    """Return the part of the weights that belongs to faces that fit."""
    fitting = sum(weight for face, weight in weights.items() if fits(face))
    return fitting / (sum(weights.values()) or 1)


def _copies_left(state: Table, seat: int) -> dict[int, int]:
    """Return the copies of a deck's faces that do not lie open."""
    left = {face: CARDS.faces[face].copies for face in FACES[seat]}
    for token in (*state.played[seat], *state.discard[seat]):
        left[state.face[token]] -= 1
    return {face: count for face, count in left.items() if count}


def _habits(observation: Observation[Table], seat: int) -> tuple[float, float]:
    """Return how often a seat is honest where it can be, and how often it cries Gamon."""
    state = observation.state
    actions = [step.action for step in observation.history if step.seat == seat]
    called = [
        (state.face[token], action - CALL + 1)
        for token, action in pairwise(actions)
        if CALL <= action < GAMON and state.seen[token] == state.everybody
    ]
    honest = [BASE[face] == call for face, call in called if not MUST_LIE[face]]
    cries = [action == GAMON for action in actions if action in (GAMON, BELIEVE)]
    return _rate(HONEST, honest), _rate(CRIES, cries)


def _rate(prior: float, seen: list[bool]) -> float:
    return (prior * TRUST + sum(seen)) / (TRUST + len(seen))
