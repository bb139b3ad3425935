"""The words of a result."""

import pytest

from cardhub import Goal
from cardhub.model.table.scoring import Scoring, amount_text
from cardhub.play.result_text import result_columns, result_line, result_sentence
from cardhub.view.view import ResultColumn

FOUR = ("North", "East", "South", "West")
ALONE, PARTNERS = Scoring((0, 1, 2, 3), Goal.WIN), Scoring((0, 1, 0, 1), Goal.WIN, unit="tricks")
TOGETHER = Scoring((0, 0, 0, 0), Goal.COMMON, unit="cards")


def aiming_at(target: int, *, lowest_wins: bool = False) -> Scoring:
    """Return the scoring of a common cause with a target."""
    return Scoring((0, 0, 0, 0), Goal.COMMON, lowest_wins, "cards", target)


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("1 coin", "2 coins"),
        ("−1 penny", "−2 pennies"),
        ("1 match", "0 matches"),
        ("½ suit", "1½ suits"),
    ],
)
def test_one_or_a_half_of_a_unit_is_singular(one: str, several: str) -> None:
    """`1 coin`, not `1 coins`; units are plural nouns."""
    unit = several.partition(" ")[2]
    assert amount_text(one.partition(" ")[0], unit) == one
    assert amount_text(several.partition(" ")[0], unit) == several


@pytest.mark.parametrize(
    ("scores", "scoring", "sentence"),
    [
        ([1, 2, 3, 4], ALONE, "West wins"),
        ([4, 2, 3, 4], ALONE, "North and West share the win"),
        ([4, 4, 4, 4], ALONE, "North, East, South and West draw"),
        ([1, 2, 3, 4], Scoring((0, 1, 2, 3), lowest_wins=True), "North wins"),
        ([9, 4, 9, 4], PARTNERS, "North and South win"),
        ([5, 5, 5, 5], PARTNERS, "North, East, South and West draw"),
        ([7, 2, 2, 2], Scoring((0, 1, 1, 1)), "North wins"),
        ([12] * 4, TOGETHER, "12 cards"),
        ([1] * 4, TOGETHER, "1 card"),
        ([98] * 4, aiming_at(98), "Everybody wins: 98 of 98 cards"),
        ([12] * 4, aiming_at(98), "Everybody loses: 12 of 98 cards"),
        ([12] * 4, aiming_at(98, lowest_wins=True), "Everybody wins: 12 of 98 cards"),
    ],
)
def test_the_result_in_words(scores: list[int], scoring: Scoring, sentence: str) -> None:
    """Players, partners, or all of them together."""
    assert result_sentence(FOUR, scores, scoring) == sentence


@pytest.mark.parametrize(
    ("size", "score", "text"),
    [
        (1, 7, "7"),
        (2, 5, "2½"),
        (2, 4, "2"),
        (2, 1, "½"),
        (2, -3, "−1½"),
        (2, 0, "0"),
        (4, 3, "0.75"),
    ],
)
def test_scores_of_parts_of_a_unit_are_told_in_units(size: int, score: int, text: str) -> None:
    """Halves of a suit are printed as halves."""
    assert Scoring((0, 1), unit_size=size).text(score) == text


def test_a_player_alone_is_not_everybody() -> None:
    patience = Scoring((0,), Goal.COMMON, target=52)
    assert result_sentence(["Anna"], [51], patience) == "Anna loses: 51 of 52 points"


def test_a_line_has_the_scores_in_the_unit_of_the_game() -> None:
    """Partners have one score; a common score is shown once."""
    chips = Scoring((0, 1), Goal.SCORE, unit="chips")
    assert result_line(["Anna", "Bob"], [2, -2], chips) == "Anna wins. Chips: Anna 2, Bob −2"
    line = "East and West win. Tricks: North and South 4, East and West 9"
    assert result_line(FOUR, [4, 9, 4, 9], PARTNERS) == line
    assert result_line(FOUR, [12] * 4, TOGETHER) == "12 cards"


def test_a_table_of_results_has_a_row_for_each_team() -> None:
    """The best first, then in the order of seats."""
    assert result_columns(FOUR, [4, 9, 4, 9], PARTNERS) == [
        ResultColumn(place=1, name="East and West", seats=(1, 3), score="9"),
        ResultColumn(place=2, name="North and South", seats=(0, 2), score="4"),
    ]
    assert [team.name for team in result_columns(FOUR, [5, 8, 5, 8], ALONE)] == [
        "East",
        "West",
        "North",
        "South",
    ]
    (together,) = result_columns(FOUR, [12] * 4, TOGETHER)
    assert (together.name, together.score) == ("North, East, South and West", "12")


def test_without_another_team_there_is_a_score_and_no_winner() -> None:
    """A player alone in a game of points."""
    alone = Scoring((0,), Goal.SCORE)
    assert result_sentence(["Anna"], [12], alone) == "Anna: 12 points"
    assert result_line(["Anna"], [12], alone) == "Anna: 12 points"
