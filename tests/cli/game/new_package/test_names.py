"""Names of new games are valid package names that are not in use."""

import pytest

from cardhub.base.errors import AuthoringError
from cardhub.cli.game.new_package import check_name

GAMES = ("kuhn", "kuhn_game")
SHAPE = "use a-z, 0-9 and _, begin with a letter, at most 50 characters"


@pytest.mark.parametrize("name", ["highest", "tiny_trick", "x9", "match"])
def test_a_plain_name_is_accepted(name: str) -> None:
    """The name serves the package and the game."""
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
        ("class", "it is a keyword of Python", "class_game"),
        ("random", "it is a module of Python", "random_game"),
        ("click", "a package with this name is installed", "click_game"),
        ("cardhub", "a package with this name is installed", "cardhub_game"),
        ("tests", "it is the name of the folder for tests", "tests_game"),
        ("kuhn", "a game with this name is installed", "kuhn_cards"),
    ],
)
def test_an_invalid_name_is_rejected_with_a_reason_and_a_suggestion(
    name: str, why: str, instead: str | None
) -> None:
    """A suggested name is valid and available."""
    with pytest.raises(AuthoringError) as told:
        check_name(name, GAMES)
    assert why in str(told.value)
    hint = f" Did you mean {instead!r}?" if instead else "."
    assert str(told.value).endswith(hint)
    if instead:
        check_name(instead, GAMES)
