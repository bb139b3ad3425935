"""The report as Markdown."""

import re
from collections.abc import Callable
from typing import Any
from unicodedata import east_asian_width

from cardhub.lab.report.rendering import drawn, fenced, plain
from cardhub.lab.report.tables import TextTable


def tables(text: str) -> list[list[str]]:
    """Return the tables of a page, line by line."""
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [block.splitlines() for block in blocks]


def test_it_says_the_same_as_the_page(cup: Any) -> None:
    """Verdict, ratings, verdicts of pairs, faults, settings."""
    text = cup.text("report.md")
    assert text.startswith("# small-cup\n\n**")
    for heading in ("All games together", "leduc", "kuhn", "Faults", "Checking it"):
        assert f"\n## {heading}\n" in text
    for game in cup.result["statistics"]["games"]:
        for bot in game["bots"]:
            assert re.search(rf"^\| +[–0-9]+ \| {bot['bot']}\b.*\|$", text, re.MULTILINE)
    assert "No cycle is certain." in text
    assert re.search(r"cardhub match repro \. \w{16} --seat [01]", text)
    assert cup.result["games_sha256"] in text
    assert '"use": "raiser:after=1"' in text


def test_a_test_has_a_table(duel: Any) -> None:
    text = duel.text("report.md")
    assert "**Verdict: dice is better than first in kuhn.**" in text
    assert "\n## Test: dice against first in kuhn\n\n| Verdict | " in text


def test_tables_are_aligned_and_have_a_line_between_head_and_body(cup: Any) -> None:
    all_tables = tables(cup.text("report.md"))
    assert len(all_tables) > 10
    for lines in all_tables:
        widths = {sum(1 + (east_asian_width(c) in "FW") for c in line) for line in lines}
        assert len(widths) == 1
        assert re.fullmatch(r"\|(?: -+:? \|)+", lines[1])


def test_no_line_is_blank_twice_and_none_ends_in_blanks(cup: Any, duel: Any) -> None:
    for played in (cup, duel):
        text = played.text("report.md")
        assert "\n\n\n" not in text
        assert not re.search(r" \n", text)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_text_is_never_taken_for_markdown() -> None:
    assert plain("a_b") == "a_b"
    assert plain("_a_ *b* [c](d) `e` |") == r"\_a\_ \*b\* \[c\](d) \`e\` \|"
    assert plain("<b> < 0.0001 &lt; R&D") == r"\<b> < 0.0001 \&lt; R&D"
    assert plain("# a\n\n> b") == r"\# a > b"
    table = drawn(TextTable(("Bot", ">Elo"), [("a|b", "+1"), ("日本", "−200")]))
    assert table.splitlines() == [
        "| Bot  |  Elo |",
        "| ---- | ---: |",
        r"| a\|b |   +1 |",
        "| 日本 | −200 |",
    ]


def test_code_with_backticks_is_fenced() -> None:
    assert fenced("x = ```` ") == "`````\nx = ```` \n`````"


def test_warnings_are_quoted(retold: Callable[..., Any]) -> None:
    text = retold(lambda result: result.update(is_finished=False)).text("report.md")
    assert "**So far: " in text
    assert "> **UNFINISHED** The match is unfinished: this report" in text


def test_games_that_all_bots_play_have_a_part_of_their_own(retold: Callable[..., Any]) -> None:
    def change(result: dict[str, Any]) -> None:
        statistics = result["statistics"]
        statistics["shared"] = {**statistics["overall"], "games": ["kuhn"]}

    text = retold(change).text("report.md")
    assert "\n## All games together\n" in text
    part = text.split("\n## Games that all bots play: kuhn\n")[1]
    assert "| Bot " in part.split("\n## ")[0]
