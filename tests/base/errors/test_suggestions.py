"""The nearest known name."""

import pytest

from cardhub.base.errors.quoting import did_you_mean, nearest


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("gargn", "gargon"),
        ("GARGON", "gargon"),
        ("open", "open_winnings"),
        ("xyz", None),
        ("", None),
    ],
)
def test_a_slip_or_a_beginning_finds_the_name(word: str, name: str | None) -> None:
    """Typos get the nearest name; so does the beginning of a single name."""
    assert nearest(word, ["gargon", "open_winnings", "zero_tie_draw"]) == name


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert did_you_mean("strat", ["start"]) == " Did you mean 'start'?"
    assert did_you_mean("qqq", ["start"]) == ""
