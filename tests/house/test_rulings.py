"""Rulings that code and tests cite by number are written down in docs/rulings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.syntax import nodes_of
from tests.kit.paths import ROOT

CITED = re.compile(r"\b(gargon|gamon|garner) ((?:[RN]\d+(?:, | and )?)+)")
NUMBER = re.compile(r"[RN]\d+")


def cited(game: str) -> dict[str, Path]:
    """Return the rulings of a game that sources cite, each with one file that does."""
    rulings: dict[str, Path] = {}
    for room in ("core", "games", "tests"):
        for path in (ROOT / room).rglob("*.py"):
            for name, numbers in CITED.findall(path.read_text("utf-8")):
                if name == game:
                    rulings.update(dict.fromkeys(NUMBER.findall(numbers), path))
    return rulings


def written(game: str) -> list[str]:
    """Return the numbers of the rulings on a game's page, from top to bottom."""
    page = (ROOT / "docs" / "rulings" / f"{game}.md").read_text("utf-8")
    return re.findall(r"^\| ([RN]\d+) \|", page, re.MULTILINE)


@pytest.mark.parametrize("game", ["gargon", "gamon", "garner"])
def test_every_ruling_that_is_cited_is_on_the_page_of_its_game(game: str) -> None:
    """A reader who meets "gargon R4" in the code finds its text."""
    rulings = cited(game)
    assert len(rulings) > 5
    assert {n: path for n, path in rulings.items() if n not in written(game)} == {}


@pytest.mark.parametrize("game", ["gargon", "gamon", "garner"])
def test_rulings_are_numbered_without_gaps(game: str) -> None:
    """Numbers are stable: a ruling that is added comes last."""
    numbers = written(game)
    assert numbers == [f"{numbers[0][0]}{n}" for n in range(1, len(numbers) + 1)]


# A citation as it stands in comments: `gargon R4`, `ruling 3`, `(N9)`.
IN_A_TEXT = re.compile(r"\b(gargon|gamon|garner|ruling) [RN]?\d+|\([RN]\d+\)", re.IGNORECASE)


def texts(path: Path) -> Iterator[str]:
    """Yield the strings of a module without its docstrings and other bare strings."""
    bare = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value


def test_no_text_for_players_cites_a_ruling_by_number() -> None:
    """Players read stories, prompts, reasons, options and rules, but not the page of rulings."""
    modules = [*(ROOT / "games").glob("*/cardhub_*/**/*.py"), *(ROOT / "core").rglob("*.py")]
    pages = [*(ROOT / "games").glob("*/cardhub_*/**/*.md")]
    assert len(modules) > 300
    assert len(pages) >= 3
    citing = [text for path in modules for text in texts(path) if IN_A_TEXT.search(text)]
    citing += [
        line
        for page in pages
        for line in page.read_text("utf-8").splitlines()
        if IN_A_TEXT.search(line)
    ]
    assert citing == []
