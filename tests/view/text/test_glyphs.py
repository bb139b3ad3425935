"""Characters, their cells, and text wrapped by cells."""

import pytest

from cardhub.cli.output import print_result, print_table
from cardhub.model.game.scene import Summary
from cardhub.view.text.glyphs import (
    ASCII,
    NARROW,
    UNICODE,
    cells,
    clip,
    is_ambiguous,
    wrapped,
    wrapped_deeper,
)
from cardhub.view.text.result_sheet import summary_lines


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
    assert cells(text) == width


def test_ascii_keeps_names_legible() -> None:
    assert ASCII.text("Zoë ● × … 安") == "Zoe o x ... ?"


@pytest.mark.parametrize(
    ("score", "text"), [("2½", "2 1/2"), ("-½", "-1/2"), ("½ suit", "1/2 suit")]
)
def test_a_half_after_a_digit_keeps_its_distance_in_ascii(score: str, text: str) -> None:
    assert ASCII.text(score) == text


@pytest.mark.parametrize("name", ["👩\u200d👩\u200d👧", "می\u200cخواهم", "नमस्ते"])
def test_joined_characters_stay_joined(name: str) -> None:
    assert UNICODE.text(name) == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zoë ● × … 安娜", "Zoë o x ... 安娜"),
        ("René − › ✓ ½ × 2½", "Rene\u0301 − › ✓ 1/2 x 2 1/2"),
        ("Иван±", "?????"),
        ("♥7 ♠8", "H7 S8"),
    ],
)
def test_narrow_text_keeps_all_but_characters_of_two_cells(text: str, shown: str) -> None:
    assert NARROW.text(text) == shown
    assert not any(map(is_ambiguous, shown))


def test_narrow_text_has_all_suits_of_a_game_as_glyphs_or_none() -> None:
    assert NARROW.with_suits({"♦": "D", "♣": "C"}).text("7♦ 8♣") == "7D 8C"
    assert NARROW.with_suits({"♦": "Di", "☘": "Cu"}).text("7♦ 8☘") == "7♦ 8☘"


def test_control_characters_never_reach_the_terminal() -> None:
    assert UNICODE.text("Bob\x1b[2J") == "Bob?[2J"


def test_long_text_is_clipped_and_marked() -> None:
    assert clip("安娜安娜", 5, "…") == "安娜…"
    assert clip("Anna", 4, "…") == "Anna"


def test_suits_have_letters_in_ascii() -> None:
    assert ASCII.text("7♥ 10♣") == "7H 10C"
    assert ASCII.with_suits({"☘": "Cu"}).text("7☘ 7♥") == "7Cu 7H"
    assert UNICODE.with_suits({"☘": "Cu"}).text("7☘") == "7☘"


def test_words_that_are_wider_than_a_line_are_broken() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrapped("竜王竜王", 5) == ["竜王", "竜王"]
    assert wrapped("", 5) == [""]
    assert wrapped("a\nb", 5) == ["a", "b"]


def test_paths_and_commands_stay_whole_if_wanted() -> None:
    assert wrapped("see /a/long-path ok", 6, breaks_words=False) == ["see", "/a/long-path", "ok"]
    assert wrapped("one two-three", 7) == ["one", "two-thr", "ee"]


def test_lines_after_the_first_hang() -> None:
    assert wrapped("  Bob  9 points", 10, hang="    ") == ["  Bob  9", "    points"]
    assert wrapped_deeper("  竜王: 竜王 竜王", 12, 2) == ["  竜王: 竜王", "    竜王"]
    assert wrapped("12345678", 4, hang="        ") == ["1234", "  56", "  78"]


def test_a_line_is_never_broken_at_a_no_break_space() -> None:
    assert wrapped("R4 R5\u00a0(5 and red)", 7) == ["R4", "R5\u00a0(5", "and", "red)"]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 20])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    for text in ("竜王戦 a竜 b", "      deep and wide 竜", "x" * 50):
        lines = wrapped(text, width, hang="   ")
        assert max(map(cells, lines)) <= max(width, 2)
        assert "".join("".join(lines).split()) == "".join(text.split())


def test_rows_of_summaries_and_commands_are_wrapped_by_cells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = " ".join(["竜王竜王"] * 12)
    summary = Summary(title=wide, rows=(("name", wide),))
    assert max(map(cells, summary_lines(summary, 40, UNICODE))) <= 40
    monkeypatch.setenv("COLUMNS", "50")
    print_table(("name", "text"), [("竜", wide)])
    print_result("ok", wide)
    assert max(map(cells, capsys.readouterr().out.splitlines())) <= 50
