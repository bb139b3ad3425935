"""Summaries of rounds as lines of text."""

from cardhub import Summary
from cardhub.view.text import ASCII, summary_lines

HAND = Summary(
    "Hand 2",
    [["", "hand", "in all"], ["Anna", "3", "26"], ["Bob", "½", "9"], ["Christine", "13", "13"]],
)


def test_rows_are_in_columns_with_numbers_on_the_right() -> None:
    assert summary_lines(HAND) == [
        "Hand 2",
        "             hand  in all",
        "  Anna          3      26",
        "  Bob           ½       9",
        "  Christine    13      13",
    ]


def test_columns_are_measured_in_the_characters_that_are_printed() -> None:
    assert summary_lines(HAND, glyphs=ASCII)[3] == "  Bob         1/2       9"


def test_columns_that_fit_exactly_are_kept() -> None:
    assert summary_lines(HAND, 25) == summary_lines(HAND)


def test_the_last_column_is_wrapped_within_itself() -> None:
    cards = Summary("Round 1", [["Anna", "won R14 R3 B2 B7 G1"], ["Bob", ""]])
    assert summary_lines(cards, 26) == [
        "Round 1",
        "  Anna  won R14 R3 B2 B7",
        "        G1",
        "  Bob",
    ]


def test_where_no_room_is_left_for_it_the_whole_row_is_wrapped() -> None:
    cards = Summary("Round 1", [["Anna of the Green Hills", "1", "won R14 R3"]])
    lines = summary_lines(cards, 24)
    assert all(len(line) <= 24 for line in lines)
    assert " ".join(" ".join(lines).split()) == "Round 1 Anna of the Green Hills 1 won R14 R3"


def test_every_width_is_drawn() -> None:
    cards = Summary("Round 1", [["Anna", "1", "won R14"], ["Bob", "2", ""]])
    for width in range(-3, 40):
        text = " ".join(" ".join(summary_lines(cards, width)).split())
        assert text.replace(" ", "") == "Round1Anna1wonR14Bob2"
        assert all(len(line) <= width for line in summary_lines(cards, width) if width > 8)
