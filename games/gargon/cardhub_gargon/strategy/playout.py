"""How people tend to play Gargon, told quickly: they lay what may win where few have laid."""

from random import Random

from cardhub_gargon.strategy.evaluation import remoteness
from cardhub_gargon.strategy.worth import DRAWN, MAJORITY, SPENT
from cardhub_gargon.table import (
    AMULETS,
    COLOURS,
    DONE,
    FIGHT,
    LAYING,
    PASS,
    SPLITS,
    VALUE,
    Table,
)

ZERO = 5.0
"""What winning a zero adds by doubling, on average."""
LATER = 0.35
"""How likely somebody who is still to lay contests a colour."""
SECOND = 0.6
"""How likely a second card of a colour is won."""
MOOD = 2.0
"""How far apart what people make of the same card lies."""
ENOUGH = 2.0
"""A leader stops when no more cards promise that much."""
SEATS, VALUES = 5, 16


def _worth(face: int) -> float:
    return MAJORITY + (AMULETS[face] if VALUE[face] else ZERO)


def _promise(face: int, rivals: int, later: int) -> float:
    """Return what laying a card promises, if others have laid the colour or may still."""
    value = VALUE[face]
    alone = 0.0 if rivals else (1 - LATER) ** later
    beats = (value / VALUES) ** max(1, rivals) if value else 0.0
    contested = beats * _worth(face) + (1 - beats) * DRAWN
    return alone * _worth(face) + (1 - alone) * contested - SPENT * value


FACES = range(len(VALUE))
PROMISES = [
    [[_promise(face, rivals, later) for face in FACES] for later in range(SEATS)]
    for rivals in range(SEATS)
]
"""What laying a card promises: by how many have laid the colour, how many may still, and face."""
SECONDS = [SECOND * _worth(face) - SPENT * VALUE[face] for face in FACES]
"""What laying a card promises whose colour one has laid oneself."""


def played(state: Table, legal: list[int], rng: Random) -> int:
    """Return one of the legal actions, as people tend to choose."""
    if state.phase != LAYING or len(legal) == 1:
        return legal[int(rng.random() * len(legal))]
    card, promise = _card(state, legal, rng)
    if legal[0] == DONE:
        return DONE if promise < ENOUGH else card
    passes = [action for action in legal if PASS <= action < FIGHT]
    if passes and (card < 0 or promise * _wanted(state) < _drawing(state)):
        full = [action for action in passes if sum(SPLITS[action - PASS]) == 3] or passes
        return full[int(rng.random() * len(full))]
    return card


def _card(state: Table, legal: list[int], rng: Random) -> tuple[int, float]:
    """Return the card to lay that promises most, -1 if there is none, and what it promises."""
    seat, back, face, random = state.seat, state.back, state.face, rng.random
    promises = _by_colour(state, (state.leader - seat - 1) % state.seats)
    for token in state.laid[seat]:
        promises[back[token]] = SECONDS
    best, most = -1, -99.0
    for action in legal:
        if action < DONE:
            promise = promises[back[action]][face[action]] + MOOD * (random() - 0.5)
            if promise > most:
                best, most = action, promise
    return best, most


def _by_colour(state: Table, later: int) -> list[list[float]]:
    """Return, for every colour, what laying its cards promises by face."""
    back, seat = state.back, state.seat
    rivals = [0] * len(COLOURS)
    for other, laid in enumerate(state.laid):
        if laid and other != seat:
            for colour in {back[token] for token in laid}:
                rivals[colour] += 1
    return [PROMISES[count][later] for count in rivals]


def _wanted(state: Table) -> int:
    return state.colours + state.pair


def _drawing(state: Table) -> float:
    """Return what the cards of a pass are worth, less as the game nears its end."""
    return DRAWN * 3 * remoteness(state)
