"""Words and numbers of messages: lists of things in sentences, and negative numbers."""

import pytest

from cardhub.base.writing import listed_phrases, with_minus
from cardhub.model.game.scene import Summary
from cardhub.model.table.scoring import amount_text, score_text


@pytest.mark.parametrize(
    ("things", "text"),
    [
        ("", ""),
        ("R14", "R14"),
        ("R14, R5", "R14 and R5"),
        ("W0, W0, W5", "W0, W0 and W5"),
        ("Penny, Penny, Penny", "Penny ×3"),
        ("Tree, Penny, Tree, Penny, Penny", "Tree ×2 and Penny ×3"),
        ("a red card", "a red card"),
        ("a red card, a red card", "2 red cards"),
        ("a card, a card, a card", "3 cards"),
        ("a red card, a blue card", "a red and a blue card"),
        ("a red card, an old card, a blue card", "a red, an old and a blue card"),
        ("a red card, a blue card, a red card", "2 red cards and a blue card"),
        ("R14, a red card, a blue card", "R14, a red card and a blue card"),
        ("a red card, a blue disc", "a red card and a blue disc"),
        ("a card from Bob, a card from Bob", "a card from Bob and a card from Bob"),
    ],
)
def test_things_are_listed_as_in_a_sentence(things: str, text: str) -> None:
    assert listed_phrases(filter(None, things.split(", "))) == text


@pytest.mark.parametrize(
    ("text", "shown"), [("-3", "−3"), ("-12.5", "−12.5"), ("−3", "−3"), ("+3", "+3"), ("-", "-")]
)
def test_a_negative_number_has_a_minus_sign(text: str, shown: str) -> None:
    assert with_minus(text) == shown


def test_cells_of_a_summary_and_scores_have_the_same_minus_sign() -> None:
    summary = Summary("Deal 1", [["Anna", "-3", "well-played"]])
    assert summary.rows == (("Anna", "−3", "well-played"),)
    scores = [score_text(-3, 1), score_text(-5, 2), score_text(-1, 3)]
    assert scores == ["−3", "−2½", "−0.33"]
    assert amount_text(score_text(-1, 1), "points") == "−1 point"
