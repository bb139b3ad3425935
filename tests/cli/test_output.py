"""Tables and paragraphs that commands print, at the width of the terminal."""

import pytest

from cardhub.cli.output import print_paragraph, print_table


def test_numbers_align_right(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("bot", ">games"), [("rule", "7"), ("dice", "1,200")])
    assert capsys.readouterr().out == "bot   games\nrule      7\ndice  1,200\n"


def test_columns_beyond_the_width_follow_below_beside_the_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    heads = (">rank", "bot", ">first", ">second", ">third")
    print_table(heads, [("1", "rule", "1" * 8, "2" * 8, "3" * 8)])
    assert capsys.readouterr().out.splitlines() == [
        "rank  bot      first    second",
        "   1  rule  11111111  22222222",
        "",
        "rank  bot      third",
        "   1  rule  33333333",
    ]


def test_paragraphs_are_wrapped_behind_their_mark_at_blanks_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_paragraph(f"See the folder {'x' * 40} for all games.", "- ")
    assert capsys.readouterr().out.splitlines() == [
        "- See the folder",
        f"  {'x' * 40}",
        "  for all games.",
    ]


def test_a_number_stays_on_the_line_of_its_percent_sign(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    print_paragraph("The deal explains a share of 36 %.")
    assert capsys.readouterr().out == "The deal explains a share of\n36 %.\n"
