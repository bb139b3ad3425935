"""Each expectation of players is shown by tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.kit.paths import ROOT

PAGE = ROOT / "docs" / "expectations.md"
ITEM = re.compile(r"^(\d+)\. \*\*(.+?)\*\*", re.MULTILINE)
LINK = re.compile(r"^ {4}- \[`(\w+)`\]\((\S+)\)$", re.MULTILINE)
EXPECTATIONS = 25


class Row(NamedTuple):
    """An expectation, with the names and files of the tests that show it."""

    number: int
    title: str
    links: list[tuple[str, str]]


def rows() -> list[Row]:
    """Return the rows of the page."""
    text = PAGE.read_text("utf-8")
    found = list(ITEM.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [
        Row(int(match[1]), match[2], LINK.findall(text, match.end(), end))
        for match, end in zip(found, ends, strict=True)
    ]


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names of the tests of a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, functions))


def test_all_expectations_are_there_in_their_order() -> None:
    assert [row.number for row in rows()] == list(range(1, EXPECTATIONS + 1))


@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row.number))
def test_every_expectation_is_shown_by_tests(row: Row) -> None:
    missing = [
        f"{name} in {file}"
        for name, file in row.links
        if name not in names_in((PAGE.parent / file).resolve())
    ]
    assert missing == []
    assert all(name.startswith("test_") for name, _ in row.links)
    assert len(set(row.links)) == len(row.links) >= 2
