"""Sites of a board as bits of an int: bit r·columns + c is the site in row r and column c."""

from collections.abc import Sequence


def orthogonal(rows: int, columns: int) -> tuple[int, ...]:
    """Return, for every site, the sites one step along its row or column away."""
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
    """Return those of `sites` that are reached from `start`; `next_to` has each site's neighbours.

    `start` is itself among the sites, as bits.
    """
    edge, sites = start, sites & ~start
    while edge:
        lowest = edge & -edge
        reached = next_to[lowest.bit_length() - 1] & sites
        edge ^= lowest | reached
        start |= reached
        sites ^= reached
    return start


def numbers(sites: int) -> list[int]:
    """Return the numbers of the sites, in ascending order."""
    found = []
    while sites:
        lowest = sites & -sites
        found.append(lowest.bit_length() - 1)
        sites ^= lowest
    return found
