"""All ways to distribute a group, compared with brute force."""

from collections.abc import Iterator
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub import Game
from cardhub_garner.distributing import first_sites
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.table import COLLECTING, PLACE, Table

from .positions import set_up

GROUPS = {
    "a": ["A1 B1 C1 \n A4 C5 C4 \n A2 B4 A3", "A2 C1 B9 \n C4 A1 B1 \n A3 B4 A6"],
    "b": ["A1 C2 B1 \n C3 C1 C4 \n A2 B4 A3", ". . . \n A1 B1 . \n . C1 ."],
    "d": ["A1 . . . . \n B1 C1 D1 . . \n . . . . E2", ". . A1 . . \n B1 . C1 . . \n . . . D1 ."],
}
LARGEST = "A1 . . . . \n B1 C1 D1 . . \n . . E1 . ."
VARIATIONS = [
    {"new_position": rule, "straight_line": line}
    for rule, line in product(("none", "any", "all"), (False, True))
]
CASES = [(name, rows) for name in GROUPS for rows in GROUPS[name]]


def played(
    game: Game[Table], state: Table, sites: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the sites of every distribution that legal placements lead to."""
    if state.phase == COLLECTING:
        yield sites
        return
    for action in game.legal(state):
        after = state.clone()
        game.apply(after, action)
        yield from played(game, after, (*sites, action - PLACE))


def is_legal(origins: list[int], sites: tuple[int, ...], rule: object, line: object) -> bool:
    """Return whether the rules allow a whole distribution."""
    moved = [site != origin for site, origin in zip(sites, origins, strict=True)]
    if (rule == "all" and not all(moved)) or (rule == "any" and not any(moved)):
        return False
    return not line or all(map(is_straight, origins, sites))


def is_straight(origin: int, site: int) -> bool:
    """Say whether two sites of the largest board are on a row, column or diagonal."""
    rows, columns = abs(origin // 5 - site // 5), abs(origin % 5 - site % 5)
    return rows == 0 or columns == 0 or rows == columns


@pytest.mark.parametrize("options", VARIATIONS, ids=str)
@pytest.mark.parametrize(("name", "rows"), CASES)
def test_placing_card_by_card_reaches_exactly_the_legal_distributions(
    name: str, rows: str, options: dict[str, str | bool]
) -> None:
    """A placement is offered only if the rest can be placed; none is offered twice or missing."""
    at = set_up(rows, layout=name, **options)
    for lift in at.game.legal(at.state):
        state = at.state.clone()
        at.game.apply(state, lift)
        ways = permutations(LAYOUTS[name].sites, len(state.lifted))
        legal = {w for w in ways if is_legal(state.origins, w, *options.values())}
        reached = list(played(at.game, state))
        assert len(reached) == len(set(reached))
        assert set(reached) == legal


def test_five_cards_find_all_their_sites() -> None:
    """The group is the largest possible, on the fewest sites it can cover, with short lines."""
    at = set_up(LARGEST, layout="d", new_position="any", straight_line=True).act("lift A1")
    assert at.state.origins == [0, 5, 6, 7, 12]
    assert _count(at.game, at.state) == _by_brute_force(at.state.origins) > 30_000


def _count(game: Game[Table], state: Table) -> int:
    """Count the ways to place the lifted cards; the very last one's need not be played."""
    if len(state.lifted) == 1:
        return len(game.legal(state))
    total = 0
    for action in game.legal(state):
        after = state.clone()
        game.apply(after, action)
        total += _count(game, after)
    return total


def _by_brute_force(origins: list[int]) -> int:
    sites = [5 * row + column for row in range(3) for column in range(5)]
    total = 0
    for ways in product(*([s for s in sites if is_straight(o, s)] for o in origins)):
        moved = any(map(int.__ne__, ways, origins))
        total += moved and len(set(ways)) == len(ways)
    return total


@given(st.lists(st.sets(st.integers(0, 5)), min_size=1, max_size=5))
def test_the_look_ahead_finds_a_site_for_every_card_or_none(allowed: list[set[int]]) -> None:
    """A placement is offered only if the remaining cards can still be placed legally."""
    ways = (way for way in product(*allowed) if len(set(way)) == len(way))
    expected = sum(1 << site for site in {way[0] for way in ways})
    assert first_sites([sum(1 << site for site in sites) for sites in allowed]) == expected
