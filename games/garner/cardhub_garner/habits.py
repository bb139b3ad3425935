"""How people tend to play Garner, told quickly: like to like, then the most that can be had."""

from random import Random

from cardhub import connected
from cardhub_garner.distributing import legal_places
from cardhub_garner.groups import NEXT_TO, alike, groups
from cardhub_garner.majorities import counts
from cardhub_garner.table import COLLECT, PLACE, SUIT, Table, layout_of
from cardhub_garner.worth import standing


def placed(state: Table, rng: Random) -> int:
    """Return the legal site where the card joins most cards of its suit, or one of those."""
    suit = SUIT[state.face[state.lifted[0]]]
    sites = alike(state, SUIT)[suit]
    parts: list[tuple[int, int]] = []
    while sites:
        part = connected(sites & -sites, sites, NEXT_TO)
        parts.append((part, part.bit_count()))
        sites ^= part
    best: list[int] = []
    most = -1
    for action in legal_places(state):
        near, joined = NEXT_TO[action - PLACE], 0
        for part, size in parts:
            if near & part:
                joined += size
        if joined > most:
            best, most = [action], joined
        elif joined == most:
            best.append(action)
    return best[int(rng.random() * len(best))]


def collected(state: Table) -> int:
    """Return the collection of the largest group, suits that are decided last."""
    layout = layout_of(state)
    held = counts(state)

    def gain(group: tuple[int, int]) -> float:
        suit, size = SUIT[group[0]], group[1].bit_count()
        needed = layout.majorities[suit]
        is_open = max(held[0][suit], held[1][suit]) < needed
        return size * layout.weights[suit] if is_open else size / 100

    return COLLECT + max(groups(state, SUIT), key=gain)[0]


def outlook(state: Table) -> list[float]:
    """Return how near every seat is to the suits that are still open, or has them, by weight."""
    layout = layout_of(state)
    first, second = counts(state)
    found = [0.0, 0.0]
    for own, other, needed, weight in zip(
        first, second, layout.majorities, layout.weights, strict=True
    ):
        found[0] += weight * standing(own, needed) if other < needed else 0.0
        found[1] += weight * standing(other, needed) if own < needed else 0.0
    return found
