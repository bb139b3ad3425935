"""The heuristics of Gamon: a model of how people call and doubt, and the evaluation of states."""

from random import Random

from typing_extensions import override

from cardhub import Heuristics
from cardhub_gamon.placing import legal_calls
from cardhub_gamon.rules_of_cards import BY_FACE
from cardhub_gamon.table import BASE, BELIEVE, CALL, CALLING, DOUBTING, GAMON, Table

# The probabilities of an honest call where one is possible, and of crying Gamon: estimates.
HONEST, CRIES = 0.55, 0.4

# The share of the prize expected for each turn won, above one half.
LEAD = 0.3

MUST_LIE = tuple(not base or rule.never == base for base, rule in zip(BASE, BY_FACE, strict=True))


def call_probability(face: int, call: int, honesty: float) -> float:
    """Return the probability of a call for a face, given the seat's rate of honest calls."""
    # Without an honest call the six calls, or the five allowed ones, are equally likely.
    if MUST_LIE[face]:
        return 0.2 if BASE[face] else 1 / 6
    return honesty if BASE[face] == call else (1 - honesty) / 5


class GamonHeuristics(Heuristics[Table]):
    """Calls and doubts as people make them, and the coins that a position is worth."""

    bluffs = ("place", "call", "gamon")
    playout_depth = 8

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        if state.phase == CALLING:
            return _call(state, rng)
        if state.phase == DOUBTING:
            return GAMON if rng.random() < CRIES else BELIEVE
        return self.game.random_action(state, rng)

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return for every seat its coins and the expected share of the prize."""
        lead = LEAD * (state.won[0] - state.won[1])
        first, second = state.purse
        return [first + state.prize * (0.5 + lead), second + state.prize * (0.5 - lead)]

    @override
    def likelihood(self, state: Table) -> float:
        """Return the likelihood of the calls in a state, relative to honest calls."""
        ratio = 1.0
        for placed, call in zip(state.placed, state.called, strict=True):
            if placed and call:
                ratio *= call_probability(state.face[placed[0]], call, HONEST) / HONEST
        return ratio


def _call(state: Table, rng: Random) -> int:
    """Sample a call action: the base value with probability `HONEST`, else any."""
    truth = BASE[state.face[state.placed[state.seat][0]]]
    calls = legal_calls(state)
    if truth and rng.random() < HONEST and CALL + truth - 1 in calls:
        return CALL + truth - 1
    return calls[int(rng.random() * len(calls))]
