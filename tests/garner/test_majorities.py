"""Who wins a suit, and who the game."""

import pytest

from cardhub.model.table.scoring import places
from cardhub_garner.layouts import LAYOUTS

from .positions import set_up

EMPTY = {
    name: "\n".join(" ".join("." * layout.columns) for _ in range(layout.rows))
    for name, layout in LAYOUTS.items()
}


@pytest.mark.parametrize(
    ("name", "majorities", "enough"),
    [
        ("base", (8, 8, 8, 8, 8), 3),
        ("a", (5, 5, 5), 2),
        ("b", (7, 7, 7), 2),
        ("c", (7, 7, 7, 5), 4),
        ("d", (5, 5, 5, 5, 5), 3),
        ("e", (7, 7, 7, 7, 7), 3),
    ],
)
def test_more_than_half_wins(name: str, majorities: tuple[int, ...], enough: int) -> None:
    """Garner R8: a suit needs more than half of its cards, a game of the suit weight."""
    assert LAYOUTS[name].majorities == majorities
    assert LAYOUTS[name].enough == enough


def test_all_cards_of_the_suit_count_not_only_collected_ones() -> None:
    """Garner R8: more than half of *all* cards of a suit wins the suit."""
    at = set_up(EMPTY["base"], {0: "A1-8 B1-8 C1-7"})
    assert at.game.scores(at.state) == [0, 0], "7 to 0 is no majority of 15"
    at = set_up(EMPTY["base"], {0: "A1-8 B1-8 C1-8", 1: "D1-8 E1-8"})
    assert at.game.scores(at.state) == [3, 2]


def test_without_a_majority_of_the_suits_it_is_a_draw() -> None:
    """Garner R8: without more than half of the suit weight for a seat, it is a draw."""
    at = set_up(EMPTY["b"], {0: "A1-7 B1-5 C1-5", 1: "B6-10 C6-10"}, layout="b")
    assert places(at.game.scores(at.state)) == [1, 1]


def test_the_half_suit_never_decides() -> None:
    """Garner R8: in layout c the weights are 1, 1, 1 and ½; it only keeps the total odd."""
    at = set_up(EMPTY["c"], {0: "A1-7 D1-9", 1: "B1-7 C1-7"}, layout="c")
    assert at.game.scores(at.state) == [3, 4], "counted in halves"
    at = set_up(EMPTY["c"], {0: "A1-7 D1-9", 1: "B1-7"}, layout="c")
    assert at.game.scores(at.state) == [0, 0], "1½ of 3½ are not more than half"
    at = set_up(EMPTY["c"], {0: "A1-7 B1-7", 1: "C1-7 D1-9"}, layout="c")
    assert places(at.game.scores(at.state)) == [1, 2]


ROWS = "B5 C8 . \n . . . \n . . ."
ONE_SUIT_TO_GO = {0: "A1-5 B1-4", 1: "A6-9 C1-4"}


@pytest.mark.parametrize(("option", "seat"), [(False, 1), (True, -1)])
def test_the_game_can_stop_as_soon_as_it_is_decided(option: bool, seat: int) -> None:
    """Garner R9: with `stop_when_decided`, a turn that decides the suits ends the game."""
    at = set_up(ROWS, ONE_SUIT_TO_GO, layout="a", stop_when_decided=option)
    at.act("lift B5", "place r0c0", "collect B5")
    assert at.state.seat == seat
    assert at.game.scores(at.state) == [2, 0]


def test_it_does_not_stop_for_a_suit_that_does_not_decide() -> None:
    """Garner R9: more than half of the suit weight in suits already won by R8."""
    at = set_up("A5 C8 . \n . . . \n . . .", {0: "A1-4"}, layout="a", stop_when_decided=True)
    assert at.act("lift A5", "place r0c0", "collect A5").state.seat == 1


def test_stopping_early_finds_the_same_winner() -> None:
    """Garner R9: the winner is the same as at the end of the whole game."""
    played = []
    for option in (False, True):
        at = set_up(ROWS, ONE_SUIT_TO_GO, layout="a", stop_when_decided=option)
        at.act("lift B5", "place r0c0", "collect B5")
        while at.state.seat >= 0:
            at.act(min(at.legal()))
        played.append(places(at.game.scores(at.state)))
    assert played == [[1, 2], [1, 2]]
