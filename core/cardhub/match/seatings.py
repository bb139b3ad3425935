"""Who sits where in the games of a block."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from math import gcd

from cardhub.match.spec import Contest, Seating

MOST_FULL = 6
"""How many can sit in all orders: 720 games for one block."""

Row = tuple[int, ...]


def seatings(contest: Contest, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return who sits where in each game of a block in which these bots meet.

    Whatever the seating, every bot sits in every seat equally often.
    """
    return [
        seats
        for entrants in _compositions(contest, tuple(bots))
        for seats in _arranged(entrants, contest.seating)
    ]


def _compositions(contest: Contest, bots: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield who plays: `bots` and the fillers, or two bots in all shares of the seats."""
    players = contest.players
    if contest.fill == "mirror":
        one, other = bots
        for copies in range(1, players):
            yield (one,) * copies + (other,) * (players - copies)
        return
    fillers = contest.fillers * players if contest.fillers else ()
    yield bots + fillers[: players - len(bots)]


def _arranged(entrants: tuple[str, ...], seating: Seating) -> list[tuple[str, ...]]:
    """Return the orders of some entrants; the same order comes as rarely as balance allows."""
    rows = ROWS[seating](len(entrants))
    counts = Counter(tuple(entrants[number] for number in row) for row in rows)
    least = gcd(*counts.values())
    return [order for order, count in counts.items() for _ in range(count // least)]


@cache
def full(players: int) -> list[Row]:
    """Return all orders."""
    return list(permutations(range(players)))


@cache
def rotation(players: int) -> list[Row]:
    """Return one order, turned around the table."""
    return [tuple((seat + turn) % players for seat in range(players)) for turn in range(players)]


@cache
def balanced(players: int) -> list[Row]:
    """Return a Williams design.

    Each number is in each seat equally often, and equally often right before each other number, the
    last seat not counting as before the first. Odd designs are twice as large as even ones.
    """
    first = [0] + [place for step in range(1, players) for place in (step, players - step)]
    first = first[:players]
    rows = [tuple((number + turn) % players for number in first) for turn in range(players)]
    return rows if players % 2 == 0 else rows + [row[::-1] for row in rows]


ROWS = {"full": full, "rotation": rotation, "balanced": balanced}
