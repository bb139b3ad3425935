"""Groups of bots that meet in the blocks of a contest, and their seatings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import gcd

from cardhub.match.spec import Contest, Match, Seating

MOST_FULL = 6
"""Most players with seating `full`: 720 games in one block."""

Row = tuple[int, ...]


def seatings(contest: Contest, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the bots by seat for each game of a block.

    With every kind of seating, each bot takes each seat equally often.
    """
    return [
        seats
        for entrants in _compositions(contest, tuple(bots))
        for seats in _arranged(entrants, contest.seating)
    ]


def _compositions(contest: Contest, bots: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the bots of a game: `bots` and fillers, or two bots in all proportions."""
    players = contest.players
    if contest.fill == "mirror":
        one, other = bots
        for copies in range(1, players):
            yield (one,) * copies + (other,) * (players - copies)
        return
    fillers = contest.fillers * players if contest.fillers else ()
    yield bots + fillers[: players - len(bots)]


def _arranged(entrants: tuple[str, ...], seating: Seating) -> list[tuple[str, ...]]:
    """Return the orders of some entrants, with as few duplicates as balance allows."""
    rows = ROWS[seating](len(entrants))
    counts = Counter(tuple(entrants[number] for number in row) for row in rows)
    least = gcd(*counts.values())
    return [order for order, count in counts.items() for _ in range(count // least)]


@cache
def full(players: int) -> list[Row]:
    """Return all permutations of the seats."""
    return list(permutations(range(players)))


@cache
def rotation(players: int) -> list[Row]:
    """Return all rotations of one order."""
    return [tuple((seat + turn) % players for seat in range(players)) for turn in range(players)]


@cache
def balanced(players: int) -> list[Row]:
    """Return a Williams design.

    Each number is in each seat equally often, and directly before each other number equally often
    (the last seat is not before the first). Designs of odd size have twice as many rows.
    """
    first = [0] + [place for step in range(1, players) for place in (step, players - step)]
    first = first[:players]
    rows = [tuple((number + turn) % players for number in first) for turn in range(players)]
    return rows if players % 2 == 0 else rows + [row[::-1] for row in rows]


ROWS = {"full": full, "rotation": rotation, "balanced": balanced}


def rivals(match: Match, contest: Contest) -> list[str]:
    """Return the bots of a contest that are compared: all but the fillers."""
    return [bot for bot in match.players_of(contest.id) if bot not in contest.fillers]


def groups(match: Match, contest: Contest) -> list[tuple[str, ...]]:
    """Return the groups of bots that meet in blocks, in the order of the file.

    Groups are pairs if other seats are filled, and in a race. In a gauntlet each group has at least
    one challenger and one bot that is not a challenger.
    """
    size = 2 if contest.fill != "none" else contest.players
    found = list(combinations(rivals(match, contest), size))
    if match.order.mode != "gauntlet":
        return found
    challengers = set(match.order.challengers)
    return [group for group in found if 0 < len(challengers.intersection(group)) < size]
