"""How people tend to play Gamon: what a call says about a card, and quick plausible actions."""

from random import Random

from cardhub_gamon.placing import legal_calls
from cardhub_gamon.rules_of_cards import BY_FACE
from cardhub_gamon.table import BASE, BELIEVE, CALL, CALLING, DOUBTING, GAMON, Table

HONEST, CRIES = 0.55, 0.4
"""How often people tell the truth where they can, and how often they cry Gamon."""

LEAD = 0.3
"""How much of the prize a turn won makes out, above half of it."""

MUST_LIE = tuple(not base or rule.never == base for base, rule in zip(BASE, BY_FACE, strict=True))


def readiness(face: int, call: int, honesty: float) -> float:
    """Return how likely people call a card this if they are honest so often where they can be."""
    if MUST_LIE[face]:
        return 0.2 if BASE[face] else 1 / 6
    return honesty if BASE[face] == call else (1 - honesty) / 5


def likelihood(state: Table) -> float:
    """Return how readily people would have called the cards that lie face down as they did."""
    found = 1.0
    for placed, call in zip(state.placed, state.called, strict=True):
        if placed and call:
            found *= readiness(state.face[placed[0]], call, HONEST) / HONEST
    return found


def evaluate(state: Table) -> list[float]:
    """Return the coins every seat has, and what it can expect of the prize by the turns won."""
    lead = LEAD * (state.won[0] - state.won[1])
    first, second = state.purse
    return [first + state.prize * (0.5 + lead), second + state.prize * (0.5 - lead)]


def playout_action(state: Table, rng: Random) -> int | None:
    """Return a call or a doubt as people tend to choose it; None for anything else."""
    if state.phase == CALLING:
        truth = BASE[state.face[state.placed[state.seat][0]]]
        calls = legal_calls(state)
        if truth and rng.random() < HONEST and CALL + truth - 1 in calls:
            return CALL + truth - 1
        return calls[int(rng.random() * len(calls))]
    if state.phase == DOUBTING:
        return GAMON if rng.random() < CRIES else BELIEVE
    return None
