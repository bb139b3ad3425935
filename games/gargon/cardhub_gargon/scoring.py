"""Scoring: amulets, doubled by zeros, and the bonus for most cards of a colour."""

from cardhub_gargon.table import AMULETS, COLOURS, VALUE, Table


def total_scores(state: Table) -> list[int]:
    """Return amulets plus bonus of every seat."""
    return [a + b for a, b in zip(amulets(state), bonuses(state), strict=True)]


def amulets(state: Table) -> list[int]:
    """Return the amulets of every seat: per colour, times two for each zero won in it."""
    return [sum(_colour_amulets(state, won)) for won in state.won]


def bonuses(state: Table) -> list[int]:
    """Return the bonus of every seat: 10 for most cards of a colour, 5 each if tied (gargon R9)."""
    total = [0] * state.seats
    won = [[state.back[token] for token in tokens] for tokens in state.won]
    for colour in range(len(COLOURS)):
        counts = [backs.count(colour) for backs in won]
        most = max(counts)
        for seat, count in enumerate(counts):
            if count == most > 0:
                total[seat] += 10 if counts.count(most) == 1 else 5
    return total


def _colour_amulets(state: Table, won: list[int]) -> list[int]:
    points, times = [0] * len(COLOURS), [1] * len(COLOURS)
    for token in won:
        face, colour = state.face[token], state.back[token]
        points[colour] += AMULETS[face]
        times[colour] *= 1 if VALUE[face] else 2
    return [p * t for p, t in zip(points, times, strict=True)]
