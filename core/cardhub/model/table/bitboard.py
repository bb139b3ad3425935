"""Sites of a board as bits of an int: bit r·columns + c is the site in row r and column c."""

from collections.abc import Sequence


def orthogonal(rows: int, columns: int) -> tuple[int, ...]:
    """Return the neighbours of every site in its row and column, as bits."""
    return tuple(
        sum(
            1 << other_row * columns + other
            for other_row in range(rows)
            for other in range(columns)
            if abs(other_row - row) + abs(other - column) == 1
        )
        for row in range(rows)
        for column in range(columns)
    )


def connected(start: int, sites: int, next_to: Sequence[int]) -> int:
    """Return the subset of `sites` that is connected to `start`; `next_to` has the neighbours.

    `start` is a set of sites as well, and part of the result.
    """
    # A flood fill on bits: each site is visited once, with a few operations on ints.
    frontier, unvisited = start, sites & ~start
    while frontier:
        lowest = frontier & -frontier
        reached = next_to[lowest.bit_length() - 1] & unvisited
        # `reached` is disjoint from the frontier: sites in the frontier are visited already.
        frontier ^= lowest | reached
        unvisited ^= reached
        start |= reached
    return start


def numbers(sites: int) -> list[int]:
    """Return the numbers of the sites, in ascending order."""
    indexes = []
    while sites:
        lowest = sites & -sites
        indexes.append(lowest.bit_length() - 1)
        sites ^= lowest
    return indexes
