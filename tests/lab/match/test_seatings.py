"""Who sits where in a block."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from cardhub.lab.match.blocks import balanced, full, rotation, seatings
from cardhub.lab.match.match_spec import Contest, Fill, Seating

PLAIN = Contest("x", "x", "1", 2, {}, {}, "full", "none", (), "rank")
BOTS = ("a", "b", "c", "d", "e")


def contest(
    players: int, seating: Seating, fill: Fill = "none", fillers: tuple[str, ...] = ()
) -> Contest:
    """Return a contest with the fields that seatings depend on."""
    return replace(PLAIN, players=players, seating=seating, fill=fill, fillers=fillers)


def seat_counts(orders: list[tuple[str, ...]]) -> dict[str, set[int]]:
    """Return how often each bot sits in each seat."""
    counts = Counter((bot, seat) for order in orders for seat, bot in enumerate(order))
    seats = range(len(orders[0]))
    return {bot: {counts[bot, seat] for seat in seats} for order in orders for bot in order}


@pytest.mark.parametrize("players", range(2, 9))
def test_a_williams_design_balances_seats_and_neighbours(players: int) -> None:
    rows = balanced(players)
    assert len(rows) == len(set(rows)) == (players if players % 2 == 0 else 2 * players)
    often = 1 + players % 2
    seats = Counter((number, seat) for row in rows for seat, number in enumerate(row))
    assert set(seats.values()) == {often}
    pairs = Counter(pair for row in rows for pair in pairwise(row))
    assert len(pairs) == players * (players - 1)
    assert set(pairs.values()) == {often}


def test_few_players_sit_in_all_orders_when_balanced() -> None:
    """Two and six orders are all there are."""
    assert sorted(balanced(2)) == full(2)
    assert sorted(balanced(3)) == full(3)


@pytest.mark.parametrize(
    ("seating", "players", "games"),
    [
        ("full", 4, 24),
        ("rotation", 4, 4),
        ("balanced", 4, 4),
        ("full", 5, 120),
        ("balanced", 5, 10),
    ],
)
def test_the_size_of_a_block(seating: Seating, players: int, games: int) -> None:
    orders = seatings(contest(players, seating), BOTS[:players])
    assert len(orders) == len(set(orders)) == games


def test_rotation_turns_one_order() -> None:
    assert rotation(3) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


@pytest.mark.parametrize("seating", ["full", "rotation", "balanced"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_mirrored_bots_change_places(seating: Seating, players: int) -> None:
    """Every share of the seats comes with its complement, and both sit everywhere equally often."""
    orders = seatings(contest(players, seating, "mirror"), ("a", "b"))
    swapped = [tuple("b" if bot == "a" else "a" for bot in order) for order in orders]
    assert Counter(orders) == Counter(swapped)
    assert {order.count("a") for order in orders} == set(range(1, players))
    assert all(len(counts) == 1 for counts in seat_counts(orders).values())


@pytest.mark.parametrize("seating", ["full", "rotation", "balanced"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_mirrored_bots_meet_alike_in_all_pairs_of_seats(seating: Seating, players: int) -> None:
    """Therefore equal bots get exactly half of the comparisons, with any seat advantage."""
    orders = seatings(contest(players, seating, "mirror"), ("a", "b"))
    for one, other in combinations(range(players), 2):
        met = Counter((order[one], order[other]) for order in orders)
        assert met["a", "b"] == met["b", "a"]


def test_fillers_take_the_seats_that_are_left() -> None:
    orders = seatings(contest(4, "full", "bots", ("x",)), ("a", "b"))
    assert len(orders) == len(set(orders)) == 12
    assert all(sorted(order) == ["a", "b", "x", "x"] for order in orders)
    two = seatings(contest(5, "rotation", "bots", ("x", "y")), ("a", "b"))
    assert all(sorted(order) == ["a", "b", "x", "x", "y"] for order in two)
    assert all(len(counts) == 1 for counts in seat_counts(two).values())


@pytest.mark.parametrize("seating", ["full", "rotation", "balanced"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_partners_share_a_table_half_and_half(seating: Seating, players: int) -> None:
    shared = replace(contest(players, seating), teams=(0,) * players, partners="mixed")
    orders = seatings(shared, ("a", "b"))
    swapped = [tuple("b" if bot == "a" else "a" for bot in order) for order in orders]
    assert Counter(orders) == Counter(swapped)
    assert {order.count("a") for order in orders} == {players // 2, players - players // 2}
    assert all(len(counts) == 1 for counts in seat_counts(orders).values())


@pytest.mark.parametrize("teams", [(0, 1, 0, 1), (0, 0, 0, 1, 1, 1)])
@pytest.mark.parametrize("rival", ["a", "c"])
def test_partners_play_each_side_against_a_whole_team(teams: tuple[int, ...], rival: str) -> None:
    """Each bot sits everywhere equally often, also if the other team is one of the two bots."""
    mixed = replace(contest(len(teams), "balanced"), teams=teams, partners="mixed")
    orders = seatings(mixed, ("a", "b", rival))
    for order in orders:
        sides = [
            {bot for bot, number in zip(order, teams, strict=True) if number == team}
            for team in (0, 1)
        ]
        assert sorted(map(sorted, sides)) == sorted([["a", "b"], [rival]])
    assert all(len(counts) == 1 for counts in seat_counts(orders).values())
