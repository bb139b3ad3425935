"""Scores: amulets, doubled by zeros, and a bonus for the most cards of a colour."""

from typing import NamedTuple

from cardhub_gargon.table import AMULETS, COLOURS, VALUE, Table

BONUS, SHARED_BONUS = 10, 5


class ColourScore(NamedTuple):
    """The score of a seat in one colour: `amulets` times `factor`, plus `bonus`."""

    amulets: int
    factor: int
    bonus: int


def total_scores(state: Table) -> list[int]:
    """Return the score of every seat in any state: amulets plus bonus."""
    return [a + b for a, b in zip(amulets(state), bonuses(state), strict=True)]


def amulets(state: Table) -> list[int]:
    """Return the amulets of every seat: per colour, times two for each zero won in it."""
    return [_amulets_of(state, won) for won in state.won]


def bonuses(state: Table) -> list[int]:
    """Return the bonus of every seat: 10 for most cards of a colour, 5 each if tied (gargon R9)."""
    total = [0] * state.seats
    won = [[state.back[token] for token in tokens] for tokens in state.won]
    for colour in range(len(COLOURS)):
        # Zeros count as cards, although they have no amulets.
        counts = [backs.count(colour) for backs in won]
        most = max(counts)
        for seat, count in enumerate(counts):
            if count == most > 0:
                total[seat] += BONUS if counts.count(most) == 1 else SHARED_BONUS
    return total


def colour_scores(state: Table, colour: int) -> list[ColourScore]:
    """Return the score of every seat in one colour."""
    won = [[t for t in tokens if state.back[t] == colour] for tokens in state.won]
    shared = _bonuses_of([len(cards) for cards in won])
    by_colour = []
    for cards, bonus in zip(won, shared, strict=True):
        faces = [state.face[token] for token in cards]
        factor = 1 << sum(VALUE[face] == 0 for face in faces)
        by_colour.append(ColourScore(sum(AMULETS[face] for face in faces), factor, bonus))
    return by_colour


def _bonuses_of(counts: list[int]) -> list[int]:
    most = max(counts)
    bonus = BONUS if counts.count(most) == 1 else SHARED_BONUS
    return [bonus if count == most > 0 else 0 for count in counts]


def _amulets_of(state: Table, won: list[int]) -> int:
    points, factors = [0] * len(COLOURS), [1] * len(COLOURS)
    for token in won:
        face, colour = state.face[token], state.back[token]
        points[colour] += AMULETS[face]
        if VALUE[face] == 0:
            factors[colour] *= 2
    return sum(p * factor for p, factor in zip(points, factors, strict=True))
