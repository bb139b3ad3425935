"""Options of games."""

import pytest

from cardhub.base.errors import OptionError
from cardhub.model.table.settings import (
    Flag,
    Number,
    OneOf,
    Option,
    SeatNumber,
    Value,
    read_settings,
)

OPTIONS: dict[str, Option] = {
    "open": Flag(False, "Open."),
    "coins": Number(36, "Coins.", 1, 99),
    "start": SeatNumber(0, "Who starts."),
    "layout": OneOf("base", "Which layout.", ("base", "a", "b")),
}


def test_missing_options_have_their_defaults() -> None:
    assert dict(read_settings(OPTIONS, {}, 3)) == {
        "open": False,
        "coins": 36,
        "start": 0,
        "layout": "base",
    }


def test_values_may_be_given_as_text() -> None:
    given = {"open": "yes", "coins": "12", "start": "2", "layout": "b"}
    settings = read_settings(OPTIONS, given, 3)
    assert settings.flag("open") is True
    assert settings.number("coins") == 12
    assert settings.number("start") == 2
    assert settings.word("layout") == "b"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("open", "maybe", "option open cannot be 'maybe': it is true or false"),
        ("coins", "0", "option coins cannot be '0': it is a number from 1 to 99"),
        ("coins", "x", "a number from 1 to 99"),
        ("coins", True, "a number from 1 to 99"),
        ("start", 3, "option start cannot be '3': it is a seat from 0 to 2"),
        ("layout", "c", "option layout cannot be 'c': it is one of base, a, b"),
        ("layout", "bas", "it is one of base, a, b. Did you mean 'base'?"),
        ("cons", 3, "unknown option 'cons'. Did you mean 'coins'?"),
    ],
)
def test_an_impossible_value_is_explained(name: str, value: Value, reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_settings(OPTIONS, {name: value}, 3)
    assert reason in str(caught.value)


def test_all_mistakes_are_named_together() -> None:
    """A person corrects everything in one go."""
    with pytest.raises(OptionError, match=r"open cannot be .*; option coins cannot be"):
        read_settings(OPTIONS, {"open": "x", "coins": "y"}, 3)
