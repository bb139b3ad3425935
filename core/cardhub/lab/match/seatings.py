"""Seatings: the bots by seat in all games of a block."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from math import gcd

from cardhub.lab.match.match_spec import Contest, Seating

# Maximum number of players with seating `full`: 720 games in one block.
MOST_FULL = 6

Row = tuple[int, ...]


def seatings(contest: Contest, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """Return for each game of a block the bots, indexed by seat.

    With every kind of seating, each bot takes each seat equally often. Two partners have half of
    the seats of each team; with an odd number of seats each has the larger half in turn. The third
    bot has the other team.
    """
    if contest.is_mixed(bots):
        return list(_mixed(contest, *bots))
    return [
        _seated(parties, contest)
        for entrants in _compositions(contest, tuple(bots))
        for parties in _arranged(entrants, contest.seating)
    ]


def _seated(parties: tuple[str, ...], contest: Contest) -> tuple[str, ...]:
    if not contest.teams:
        return parties
    # Teams are seated like the players of other games.
    numbers = sorted(set(contest.teams))
    return tuple(parties[numbers.index(team)] for team in contest.teams)


def _mixed(contest: Contest, one: str, other: str, rival: str = "") -> Iterator[tuple[str, ...]]:
    for team in sorted(set(contest.teams)):
        seats = [seat for seat, number in enumerate(contest.teams) if number == team]
        half = len(seats) // 2
        for share in sorted({half, len(seats) - half}):
            partners = (one,) * share + (other,) * (len(seats) - share)
            for order in _arranged(partners, contest.seating):
                by_seat = dict(zip(seats, order, strict=True))
                yield tuple(by_seat.get(seat, rival) for seat in range(contest.players))


def _compositions(contest: Contest, bots: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    players = contest.parties
    if contest.fill == "mirror":
        one, other = bots
        for copies in range(1, players):
            yield (one,) * copies + (other,) * (players - copies)
        return
    fillers = contest.fillers * players if contest.fillers else ()
    yield bots + fillers[: players - len(bots)]


def _arranged(entrants: tuple[str, ...], seating: Seating) -> list[tuple[str, ...]]:
    # Copies of a bot make orders equal. Dividing by the greatest common divisor of their counts
    # keeps every bot in every seat equally often, in the fewest games.
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
    """Return a Williams design (Williams 1949).

    Each number is in each seat equally often, and directly before each other number equally often
    (the last seat is not before the first). Designs of odd size have twice as many rows.
    """
    # The first row zigzags 0, 1, n-1, 2, n-2, ...: all differences of neighbours are distinct,
    # which gives each ordered pair of neighbours once in its rotations. For odd n the reversed rows
    # are needed to balance them.
    first = [0] + [place for step in range(1, players) for place in (step, players - step)]
    first = first[:players]
    rows = [tuple((number + turn) % players for number in first) for turn in range(players)]
    return rows if players % 2 == 0 else rows + [row[::-1] for row in rows]


ROWS = {"full": full, "rotation": rotation, "balanced": balanced}
