"""The scores of Garner by suit, and the chapters of a game."""

from ..positions import set_up

EMPTY = "\n".join([". . ."] * 3)


def test_the_suits_won_add_up_to_the_score() -> None:
    """The winner has suit A and suit B, two of three."""
    at = set_up(EMPTY, {0: "A1-5 B1-6", 1: "C1-9 A6"}, layout="a")
    [section] = at.game.display.breakdown(at.state)
    assert [(row.label, list(row.points)) for row in section.rows] == [
        ("A", [1, 0]),
        ("B", [1, 0]),
        ("C", [0, 1]),
    ]
    assert list(section.rows[0].notes) == ["5 cards", "1 card"]
    assert at.game.scores(at.state) == [2, 1]


def test_without_a_majority_no_suit_scores() -> None:
    """Garner R8: a greater number of suits alone does not win."""
    at = set_up(EMPTY, {0: "A1-5"}, layout="a")
    [section] = at.game.display.breakdown(at.state)
    assert all(list(row.points) == [0, 0] for row in section.rows)
    assert at.game.scores(at.state) == [0, 0]


def test_a_half_suit_counts_half() -> None:
    """Garner R8: scores of layout c are counted in halves."""
    at = set_up("\n".join([". . . ."] * 4), {0: "A1-7 B1-7 D1-5", 1: "C1-7"}, layout="c")
    [section] = at.game.display.breakdown(at.state)
    assert {row.label: list(row.points) for row in section.rows}["D ½"] == [1, 0]
    assert [sum(row.points[seat] for row in section.rows) for seat in range(2)] == [5, 2]


def test_chapters_begin_when_a_suit_is_won_and_with_every_fifteen_cards() -> None:
    """The steps that people want to jump to."""
    at = set_up("A5 . . \n . . . \n . . B9", {0: "A1-4", 1: "C1-9"}, layout="a")
    assert at.game.display.chapter(at.state) == "0 cards collected, suits 0 : 1"
    at.act("lift B9", "place r2c2", "collect A5")
    assert at.game.display.chapter(at.state) == "0 cards collected, suits 1 : 1"
    at = set_up("A5 . . \n . . . \n . . B9", {0: "A1-4 B1-2", 1: "C1-9"}, layout="a")
    assert at.game.display.chapter(at.state) == "15 cards collected, suits 0 : 1"
