"""Text is wrapped by cells of a terminal, the same everywhere."""

import pytest

from cardhub.cli.output import print_result, print_table
from cardhub.view.text.glyphs import UNICODE, cells, wrapped, wrapped_deeper
from cardhub.view.text.summaries import summary_lines
from cardhub.view.view import SummaryView


def test_words_that_are_wider_than_a_line_are_broken() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrapped("竜王竜王", 5) == ["竜王", "竜王"]
    assert wrapped("", 5) == [""]
    assert wrapped("a\nb", 5) == ["a", "b"]


def test_paths_and_commands_stay_whole_if_wanted() -> None:
    """They are copied from there; hyphens never break a line."""
    assert wrapped("see /a/long-path ok", 6, breaks_words=False) == ["see", "/a/long-path", "ok"]
    assert wrapped("one two-three", 7) == ["one", "two-thr", "ee"]


def test_lines_after_the_first_hang() -> None:
    """Blanks at the start and within a line stay as they are."""
    assert wrapped("  Bob  9 points", 10, hang="    ") == ["  Bob  9", "    points"]
    assert wrapped_deeper("  竜王: 竜王 竜王", 12, 2) == ["  竜王: 竜王", "    竜王"]
    assert wrapped("12345678", 4, hang="        ") == ["1234", "  56", "  78"]


def test_a_line_is_never_broken_at_a_no_break_space() -> None:
    """It ties a card to its detail."""
    assert wrapped("R4 R5\u00a0(5 and red)", 7) == ["R4", "R5\u00a0(5", "and", "red)"]


@pytest.mark.parametrize("width", [1, 2, 3, 7, 20])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    """Except one with a single character that needs two cells."""
    for text in ("竜王戦 a竜 b", "      deep and wide 竜", "x" * 50):
        lines = wrapped(text, width, hang="   ")
        assert max(map(cells, lines)) <= max(width, 2)
        assert "".join("".join(lines).split()) == "".join(text.split())


def test_rows_of_summaries_and_commands_are_wrapped_by_cells(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line of wide characters does not run over the edge of the terminal."""
    wide = " ".join(["竜王竜王"] * 12)
    summary = SummaryView(title=wide, rows=(("name", wide),))
    assert max(map(cells, summary_lines(summary, 40, UNICODE))) <= 40
    monkeypatch.setenv("COLUMNS", "50")
    print_table(("name", "text"), [("竜", wide)])
    print_result("ok", wide)
    assert max(map(cells, capsys.readouterr().out.splitlines())) <= 50
