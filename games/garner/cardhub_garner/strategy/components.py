"""What hangs together on the top layer, and what one more card would bring together.

Sites are bits. The same sets of them come up again and again while a search goes on, so what is
found is kept.
"""

from functools import lru_cache

from cardhub import connected, numbers
from cardhub_garner.groups import NEXT_TO
from cardhub_garner.table import SUIT, Table

KEPT = 1 << 16
ANYWHERE = (1 << len(NEXT_TO)) - 1

Part = tuple[int, int, int]
"""How many cards hang together, their sites, and the sites next to them."""


@lru_cache(KEPT)
def parts(sites: int) -> tuple[Part, ...]:
    """Return what hangs together of these sites, the largest first."""
    found: list[Part] = []
    while sites:
        part = connected(sites & -sites, sites, NEXT_TO)
        near = 0
        for site in numbers(part):
            near |= NEXT_TO[site]
        found.append((part.bit_count(), part, near & ~part))
        sites ^= part
    return tuple(sorted(found, reverse=True))


@lru_cache(KEPT)
def joined(sites: int) -> Part:
    """Return the largest part there would be with one more site, without it; and where that is.

    It is counted in the size. The larger parts are joined first, which is best almost always.
    """
    best: Part = (1, 0, ANYWHERE)
    known = parts(sites)
    for number, (size, part, spots) in enumerate(known):
        for more, other, near in known[number + 1 :]:
            if spots & near:
                size, part, spots = size + more, part | other, spots & near
        best = max(best, (size + 1, part, spots))
    return best


def largest(sites: int) -> int:
    """Return the size of the largest part."""
    return parts(sites)[0][0] if sites else 0


def uncovered(state: Table, tops: list[int], sites: int) -> list[int]:
    """Return where the suits lie on top once the top cards of some sites are gone.

    `tops` says where they lie before that.
    """
    board, face = state.board, state.face
    after = tops[:]
    for site in numbers(sites):
        pile, bit = board[site], 1 << site
        after[SUIT[face[pile[-1]]]] &= ~bit
        if len(pile) > 1:
            after[SUIT[face[pile[-2]]]] |= bit
    return after
