"""A turn: one number group is distributed, then one suit group collected."""

import pytest

from cardhub_garner.layouts import LAYOUTS

from .positions import set_up

ALL_SITES = {f"r{row}c{column}" for row in range(3) for column in range(3)}


def test_seat_0_moves_first_and_seats_take_turns() -> None:
    """Garner R1: seat 0 moves first."""
    at = set_up("A1 B2 C3 \n A4 B5 C6 \n A7 B8 C9", layout="a")
    seats = [at.state.seat]
    for action in ("lift A1", "place r0c0", "collect B2", "lift A1", "place r0c0", "collect C3"):
        seats.append(at.act(action).state.seat)
    assert seats == [0, 0, 0, 1, 1, 1, 0]


def test_a_number_group_hangs_together_by_orthogonal_steps() -> None:
    """A number group is a maximal set of top cards of one number; a lone card is a group."""
    at = set_up("A1 B1 C2 \n A4 C1 C4 \n A2 B4 A3", layout="a")
    assert at.legal() == {
        "lift A1",
        "lift C2",
        "lift A4",
        "lift C4",
        "lift A2",
        "lift B4",
        "lift A3",
    }
    assert at.cards(at.act("lift A1").state.lifted) == "A1 B1 C1"


def test_a_group_that_closes_around_a_corner_is_one_group() -> None:
    """Maximal: cards found apart, row by row, belong together if a later one joins them."""
    at = set_up("C1 A2 A1 \n B9 B3 B1 \n C9 A9 C8", layout="a")
    assert at.legal() == {"lift A2", "lift A1", "lift B3", "lift A9", "lift C1", "lift C8"}
    at.act("lift C1", "place r2c0", "collect B1")
    assert at.cards(at.state.won[0]) == "B9 B3 B1"


def test_cards_that_touch_at_a_corner_only_are_apart() -> None:
    """Garner R3: neighbours are orthogonally adjacent."""
    at = set_up("A1 . . \n . B1 . \n . . C1", layout="a")
    assert at.legal() == {"lift A1", "lift B1", "lift C1"}


def test_empty_sites_and_opposite_edges_do_not_connect() -> None:
    """Garner R3: an empty site does not connect cards, and edges do not wrap around."""
    at = set_up("A1 . B1 \n . . . \n C1 . .", layout="a")
    assert at.legal() == {"lift A1", "lift B1", "lift C1"}
    wide = set_up(". . . A1 \n B1 . . . \n . . . . \n . . . .", layout="c")
    assert wide.legal() == {"lift A1", "lift B1"}
    wide = set_up(". . . . A1 \n B1 . . . . \n . . . . . \n . . . . . \n . . . . .")
    assert wide.legal() == {"lift A1", "lift B1"}


def test_the_whole_group_is_lifted_before_the_first_card_is_placed() -> None:
    """Garner R4: the whole group is lifted first; the sites just vacated are allowed."""
    at = set_up("A1 C9/B1 C2 \n A4 C5 C4 \n A2 B4 A3", layout="a").act("lift A1")
    assert at.stacks()["r0c1"] == "C9"
    assert "r0c0" not in at.stacks()
    assert at.sites() == ALL_SITES


def test_cards_are_placed_in_suit_order_each_on_a_different_site() -> None:
    """Each is put on top of a different site; one place per lifted card, in suit order."""
    at = set_up("C1 B1 A1 \n A4 C5 C4 \n A2 B4 A3", layout="a").act("lift A1", "place r1c1")
    assert at.stacks()["r1c1"] == "C5 A1"
    assert at.sites() == ALL_SITES - {"r1c1"}
    at.act("place r0c0")
    assert at.stacks()["r0c0"] == "B1"
    assert at.sites() == ALL_SITES - {"r1c1", "r0c0"}


def test_all_cards_may_go_back_where_they_came_from() -> None:
    """Garner R4: all cards may go back where they came from."""
    at = set_up("A1 B1 C2 \n A4 C5 C4 \n A2 B4 A3", layout="a")
    before = at.stacks()
    assert at.act("lift A1", "place r0c0", "place r0c1").stacks() == before
    assert at.legal() >= {"collect A1"}, "and then something is collected all the same"


def test_a_suit_group_is_named_by_its_lowest_number_and_collected_whole() -> None:
    """Collect one whole suit group of the top layer as it now is; both halves are compulsory."""
    at = set_up("A9 A2 B1 \n B4 A7 C4 \n C2 B5 A3", layout="a").act("lift B1", "place r2c0")
    assert at.legal() == {"collect A2", "collect C4", "collect B1", "collect A3"}
    at.act("collect A2")
    assert sorted(at.cards(at.state.won[0]).split()) == ["A2", "A7", "A9"]


def test_a_group_is_shown_on_its_sites_before_it_is_collected() -> None:
    at = set_up("A9 A2 B1 \n B4 A7 C4 \n C2 B5 A3", layout="a").act("lift B1", "place r2c0")
    at.act("collect A2")
    (beat,) = at.beats
    assert at.cards(beat.cards) == "A9 A2 A7"
    assert (beat.by, beat.text) == (0, "{player} collects {cards}")
    assert all(any(token in stack for stack in beat.state.board) for token in beat.cards)


def test_a_lone_card_is_collected_without_a_pause() -> None:
    at = set_up("A9 A2 B1 \n B4 A7 C4 \n C2 B5 A3", layout="a")
    at.act("lift B1", "place r2c0", "collect C4")
    assert not at.beats


def test_the_card_beneath_a_collected_card_is_exposed() -> None:
    """The top layer is the set of exposed cards."""
    at = set_up("B2/A9 A2 B1 \n . . . \n . . .", layout="a")
    at.act("lift B1", "place r0c2", "collect A2")
    assert at.legal() == {"lift B1", "lift B2"}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_game_is_over_when_the_last_card_is_collected(name: str) -> None:
    """When all cards are collected, the game ends, in every layout."""
    layout = LAYOUTS[name]
    rows = [["."] * layout.columns for _ in range(layout.rows)]
    rows[-1][-1] = "A1"
    at = set_up("\n".join(map(" ".join, rows)), layout=name)
    corner = f"r{layout.rows - 1}c{layout.columns - 1}"
    assert at.act("lift A1").sites() == {
        f"r{row}c{column}" for row in range(layout.rows) for column in range(layout.columns)
    }
    assert at.act(f"place {corner}", "collect A1").state.seat == -1


def test_the_example_of_the_rules() -> None:
    """A number group is placed to make a suit group larger."""
    rows = """
        A1  C9/B4  A2
        C7  C8/A4  B1
        C2  C5     B8
    """
    at = set_up(rows, layout="a")
    at.act("lift A4", "place r0c1", "place r1c1", "collect A1")
    assert at.cards(at.state.won[0]) == "A1 A4 A2"
