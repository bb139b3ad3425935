"""Never exactly 6, and the end it makes necessary."""

import pytest

from .positions import set_up

THREE = "A1 A2 A3 \n B8 C9 . \n . . ."


def test_a_card_stays_if_the_collection_would_bring_a_suit_to_exactly_six() -> None:
    """Garner R6: exactly one card stays, the collector's choice which, where it lies."""
    at = set_up(THREE, {0: "A4-6"}, layout="b").act("lift B8", "place r2c2", "collect A1")
    assert at.state.seat == 0
    assert at.legal() == {"leave A1", "leave A2", "leave A3"}
    at.act("leave A2")
    assert at.cards(at.state.won[0]) == "A4 A5 A6 A1 A3"
    assert at.stacks() == {"r0c1": "A2", "r1c1": "C9", "r2c2": "B8"}
    assert at.state.seat == 1


@pytest.mark.parametrize("held", ["A4-5", "A4-7", "A4-10"])
def test_more_or_fewer_than_six_are_collected_whole(held: str) -> None:
    """Garner R6 speaks of exactly six."""
    at = set_up(THREE, {0: held}, layout="b").act("lift B8", "place r2c2", "collect A1")
    assert "A1 A2 A3" in at.cards(at.state.won[0])
    assert at.state.seat == 1


def test_only_the_collectors_own_pile_counts() -> None:
    """You may never have exactly 6 cards in a suit in your scoring pile."""
    at = set_up(THREE, {1: "A4-6"}, layout="b").act("lift B8", "place r2c2", "collect A1")
    assert at.cards(at.state.won[0]) == "A1 A2 A3"


def test_a_lone_card_stays_and_the_turn_ends() -> None:
    """Garner R6: with a lone card, `collect` itself ends the turn."""
    at = set_up("A1 B9 . \n . . . \n . . .", {0: "A2-6"}, layout="b")
    at.act("lift A1", "place r0c0")
    assert at.legal() == {"collect A1", "collect B9"}, "legal even when others would yield cards"
    at.act("collect A1")
    assert at.state.seat == 1
    assert at.stacks() == {"r0c0": "A1", "r0c1": "B9"}


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("a", THREE),
        ("d", "A1 A2 A3 . . \n B8 C9 . . . \n . . . . ."),
        ("c", "A1 A2 A3 . \n B8 C9 . . \n . . . . \n . . . ."),
        ("base", "A1 A2 A3 . . \n B8 C9 . . . \n . . . . . \n . . . . . \n . . . . ."),
    ],
)
def test_other_layouts_do_not_mind_six(name: str, rows: str) -> None:
    """The extra rule is for the layouts b and e."""
    at = set_up(rows, {0: "A4-6"}, layout=name).act("lift B8", "place r2c2", "collect A1")
    assert len(at.state.won[0]) == 6


@pytest.mark.parametrize(
    ("name", "rows", "turns"),
    [
        ("b", "A1 . . \n . . . \n . . .", 18),
        ("e", "A1 . . . . \n . . . . . \n . . . . . \n . . . . .", 40),
    ],
)
def test_the_game_ends_after_so_many_turns_without_a_card(name: str, rows: str, turns: int) -> None:
    """Garner R7: the game ends after 2 × sites successive turns (18 and 40), of both seats."""
    at = set_up(rows, {0: "A2-6", 1: "A7-11"}, layout=name)
    for turn in range(turns):
        assert at.state.seat == turn % 2
        at.act("lift A1", "place r0c0", "collect A1")
    assert at.state.seat == -1
    assert at.stacks() == {"r0c0": "A1"}, "cards still lying count for nobody"
    assert at.game.scores(at.state) == [0, 0]


def test_any_collected_card_restarts_the_count() -> None:
    """Garner R7: both seats' turns count together, any collected card restarts the count."""
    at = set_up("A1 . B1 \n . . . \n . . .", {0: "A2-6", 1: "A7-11"}, layout="b")
    for _ in range(17):
        at.act("lift A1", "place r0c0", "collect A1")
    assert at.act("lift A1", "place r0c0", "collect B1").state.seat == 0
    for _ in range(17):
        at.act("lift A1", "place r0c0", "collect A1")
    assert at.state.seat == 1
    assert at.act("lift A1", "place r0c0", "collect A1").state.seat == -1


def test_who_has_the_majority_wins_though_cards_are_left() -> None:
    """Garner R7 and R8: the winner is found as ever."""
    at = set_up("C1 . . \n . . . \n . . .", {0: "A1-7 B1-7 C2-6", 1: "C7-11"}, layout="b")
    at.state.idle = 17
    at.act("lift C1", "place r0c0", "collect C1")
    assert at.state.seat == -1
    assert at.game.scores(at.state) == [2, 0]
