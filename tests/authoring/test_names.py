"""What a new game may be called."""

import pytest

from cardhub.authoring import check_name
from cardhub.errors import AuthoringError

GAMES = ("kuhn", "kuhn_game")
SHAPE = "made of a-z, 0-9 and _, begins with a letter and has at most 50 of them"


@pytest.mark.parametrize("name", ["highest", "tiny_trick", "x9", "match"])
def test_a_plain_name_can_be_had(name: str) -> None:
    """It is that of a package and of a game."""
    check_name(name, GAMES)


@pytest.mark.parametrize(
    ("name", "why", "instead"),
    [
        ("Tiny-Trick", SHAPE, "tiny_trick"),
        ("9 lives", SHAPE, "lives"),
        ("Élan", SHAPE, "elan"),
        ("!", SHAPE, None),
        ("", SHAPE, None),
        ("Kuhn", SHAPE, None),
        ("a" * 51, SHAPE, None),
        ("class", "that is a word of Python", "class_game"),
        ("random", "that is a module of Python", "random_game"),
        ("click", "that is a package which is installed", "click_game"),
        ("cardhub", "that is a package which is installed", "cardhub_game"),
        ("tests", "the folder for tests is called so", "tests_game"),
        ("kuhn", "there is a game of that name", "kuhn_cards"),
    ],
)
def test_why_a_name_cannot_be_had_and_which_one_can(
    name: str, why: str, instead: str | None
) -> None:
    """What is suggested can be had."""
    with pytest.raises(AuthoringError) as told:
        check_name(name, GAMES)
    assert why in str(told.value)
    hint = f" Did you mean {instead!r}?" if instead else "."
    assert str(told.value).endswith(hint)
    if instead:
        check_name(instead, GAMES)
