"""Rulings that code and tests cite by number are written down in docs/rulings."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"\b(gargon|gamon|garner) ((?:[RN]\d+(?:, | and )?)+)")
NUMBER = re.compile(r"[RN]\d+")


def cited(game: str) -> dict[str, Path]:
    """Return the rulings of a game that sources cite, each with one file that does."""
    found: dict[str, Path] = {}
    for room in ("core", "games", "tests"):
        for path in (ROOT / room).rglob("*.py"):
            for name, numbers in CITED.findall(path.read_text("utf-8")):
                if name == game:
                    found.update(dict.fromkeys(NUMBER.findall(numbers), path))
    return found


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
