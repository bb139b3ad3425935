"""Players' names can be read, typed and distinguished."""

import pytest

from cardhub.base.errors import SeatingError
from cardhub.play.seating import HUMAN, NAMES, Player, check_player_name, seat_players

FINE = (
    *NAMES,
    "Zoë",
    "Zoe\u0308",
    "O'Neil-Smith 2nd",
    "[red]x[/]",
    "孙悟空",
    "さくら",
    "김철수",
    "علي",
    "می‌خواهم",
    "नमस्ते",
    "क्‍ष",
    "לילך",
    "שָׁלוֹם",
    "རྒྱུད",
    "Nguyễn",
    "👩‍👩‍👧",
    "👍🏽",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "🇩🇪",
    "1️⃣",
    "❤️",
    "x" * 20,
    "👩‍👩‍👧" * 20,
)
WRONG = {
    "": "it has no visible characters",
    "   ": "it has no visible characters",
    "x ": "no leading or trailing spaces",
    "x" * 21: "at most 20 characters",
    "孙" * 21: "at most 20 characters",
    "x" * 10_000: "at most 20 characters",
    "\u3164": "no invisible characters such as U+3164",
    "An\u200bna": "no invisible characters such as U+200B",
    "An\u200dna": "no invisible characters such as U+200D",
    "An\u00adna": "no invisible characters such as U+00AD",
    "An\ufe0fna": "no invisible characters such as U+FE0F",
    "\u2800": "no invisible characters such as U+2800",
    "\u115f\u1160": "no invisible characters such as U+115F",
    "An\u3000na": "no character such as U+3000",
    "A\xa0b": "no character such as U+00A0",
    "A\ue000": "no character such as U+E000",
    "A\x1b[2J": "no control characters",
    "A\nB": "no control characters",
    "\u202eannA": "no control characters",
    "A\udcff": "no control characters",
    "\u0301a": "it begins with a mark",
    "a\u0301\u0302\u0303": "too many marks on one letter",
    "Z" + "\u0334\u0335\u0336\u0337": "too many marks on one letter",
    "ا" + "\u064e" * 5: "too many marks on one letter",
    "All": "the word is reserved",
    "chance": "the word is reserved",
}
ALIKE = (
    ("Anna", "anna"),
    ("Anna", "\u0410nna"),
    ("Anna", "\u0410\u041f\u041f\u0410".lower().replace("п", "n")),
    ("Bob", "\u0412ob"),
    ("Zoë", "Zoe\u0308"),
    ("Anna", "Ａｎｎａ"),
    ("Paul", "Pau1"),
    ("IAN", "lAN"),
    ("O", "0"),
    ("ΑΝΝΑ", "ANNA"),
    ("𝐀𝐧𝐧𝐚", "Anna"),
    ("Ｅva", "Еva"),
)


@pytest.mark.parametrize("name", FINE)
def test_names_of_every_script_are_names(name: str) -> None:
    """Joiners and marks are where the script, or an emoji, needs them."""
    check_player_name(name)


@pytest.mark.parametrize("name", WRONG)
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    """The error says why, in one line."""
    with pytest.raises(SeatingError) as error:
        check_player_name(name)
    assert WRONG[name] in str(error.value)
    assert str(error.value).startswith("invalid player name '")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_players_cannot_look_alike(one: str, other: str) -> None:
    """The second name is refused in either order."""
    for first, second in ((one, other), (other, one)):
        with pytest.raises(SeatingError, match=r"two players are called|look alike"):
            seat_players([Player(first, HUMAN), Player(second, HUMAN)], 2, "random")


@pytest.mark.parametrize(("one", "other"), [("Anna", "Änna"), ("Eva", "Iva"), ("孙", "张")])
def test_different_names_are_different(one: str, other: str) -> None:
    """Names that differ in an accent or a letter are accepted."""
    assert len(seat_players([Player(one, HUMAN), Player(other, HUMAN)], 2, "random")) == 2


def test_names_of_bots_look_like_no_other_name() -> None:
    """A player called like the first of them in other letters is not joined by her double."""
    players = seat_players([Player("\u0410nna", HUMAN)], 3, "random")
    assert [player.name for player in players[1:]] == ["Bob", "Chris"]
