"""Numbers as people read them."""

import pytest

from cardhub.base import writing
from cardhub.base.writing import listed
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.view.game_view import ordinal


def test_numbers_have_true_signs_and_zero_has_none() -> None:
    assert writing.number(-1.25, 1) == "−1.2"
    assert writing.number(-0.0004) == "0.000"
    assert writing.number(None) == "–"
    assert [writing.signed(n) for n in (12.4, -12.4, 0.2, None)] == ["+12", "−12", "0", "–"]
    assert writing.count(1234567) == "1,234,567"
    assert writing.percent(0.0625, 1) == "6.2 %"


def test_losses_by_decisions_have_their_unit() -> None:
    assert fmt.loss(1.2, "coins", 0.312) == "1.20 ± 0.31 coins"
    assert fmt.loss(12.06, "%", 3) == "12.1 ± 3.0 %"
    assert fmt.loss(-0.001, "chips") == "0.00 chips"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.00002, "< 0.0001"), (0.00432, "0.0043"), (0.0432, "0.043"), (1.0, "1.000")],
)
def test_small_probabilities_are_upper_bounds(value: float | None, text: str) -> None:
    assert writing.p_value(value) == text


def test_elo_may_be_beyond_all_numbers() -> None:
    """A bot that only wins has a bound; an interval without ends is none."""
    won = OpenEstimate(None, 137.4, None)
    assert (fmt.elo(won), fmt.elo_range(won)) == ("> +137", "–")
    lost = OpenEstimate(None, None, -137.4)
    assert (fmt.elo(lost), fmt.elo_range(lost)) == ("< −137", "–")
    unknown = OpenEstimate(12.0, None, None)
    assert (fmt.elo(unknown), fmt.elo_range(unknown)) == ("+12", "–")
    assert (fmt.elo(None), fmt.elo_range(None)) == ("–", "–")
    assert fmt.elo_range(OpenEstimate(0.0, 0.0, 0.0)) == "–"


def test_ranges_and_lists() -> None:
    """A rank that is certain is one number."""
    assert [fmt.rank(1, 1), fmt.rank(2, 4), fmt.rank(None, None)] == [
        "1",
        "2–4",
        "–",
    ]
    assert fmt.span(OpenEstimate(0.5, 0.25, 0.75)) == "0.250 to 0.750"
    assert fmt.span(OpenEstimate(0.5, None, 0.75)) == "–"
    assert [
        fmt.deals((3, 3)),
        fmt.deals((0, 9)),
        fmt.deals(None),
    ] == [
        "3",
        "0 to 9",
        "–",
    ]
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert listed(["a"]) == "a"
    assert (writing.amount(1, "game"), writing.amount(1200, "game")) == (
        "1 game",
        "1,200 games",
    )


def test_places_are_ordinal_numbers() -> None:
    places = [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111)]
    assert places == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th"]
