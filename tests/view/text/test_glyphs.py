"""Characters and their cells."""

import pytest

from cardhub.view.text.glyphs import ASCII, UNICODE, cells, clip


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("R14", 3),
        ("1●", 2),
        ("×2", 2),
        ("Zoë", 3),
        ("Zoe\u0308", 3),
        ("安娜", 4),
        ("a\u200bb", 2),
        ("\U0001f600", 2),
        ("नि", 1),
    ],
)
def test_text_takes_up_as_many_cells_as_a_terminal_gives_it(text: str, width: int) -> None:
    """Wide characters take two, combining and zero-width ones none."""
    assert cells(text) == width


def test_ascii_keeps_names_legible() -> None:
    """Accents are dropped, characters without a counterpart become question marks."""
    assert ASCII.text("Zoë ● × … 安") == "Zoe o x ... ?"


@pytest.mark.parametrize(
    ("score", "text"), [("2½", "2 1/2"), ("-½", "-1/2"), ("½ suit", "1/2 suit")]
)
def test_a_half_after_a_digit_keeps_its_distance_in_ascii(score: str, text: str) -> None:
    """Two and a half are not 21 halves."""
    assert ASCII.text(score) == text


@pytest.mark.parametrize("name", ["👩\u200d👩\u200d👧", "می\u200cخواهم", "नमस्ते"])
def test_joined_characters_stay_joined(name: str) -> None:
    """They are parts of words and pictures, and have no look of their own."""
    assert UNICODE.text(name) == name


def test_control_characters_never_reach_the_terminal() -> None:
    """A name cannot move the cursor or clear the screen."""
    assert UNICODE.text("Bob\x1b[2J") == "Bob?[2J"


def test_long_text_is_clipped_and_marked() -> None:
    """Wide characters are not cut in half."""
    assert clip("安娜安娜", 5, "…") == "安娜…"
    assert clip("Anna", 4, "…") == "Anna"


def test_suits_have_letters_in_ascii() -> None:
    """The four French suits always, those of a game by its card file."""
    assert ASCII.text("7♥ 10♣") == "7H 10C"
    assert ASCII.with_suits({"☘": "Cu"}).text("7☘ 7♥") == "7Cu 7H"
    assert UNICODE.with_suits({"☘": "Cu"}).text("7☘") == "7☘"
