"""The page for players names the keys as they are declared."""

import re
from collections.abc import Iterable

import pytest
from tests.kit.paths import ROOT

from cardhub.tui.keys import CURSOR_KEYS, REPLAY_KEYS, TABLE_KEYS, Key

PAGE = (ROOT / "docs" / "play.md").read_text("utf-8")
ROW = re.compile(r"^\| (`.*?) \| (.*) \|$", re.MULTILINE)
# Keys for closing and scrolling do not need a line in the text on replays.
UNTOLD = {"esc", "?", "L", "Z", "q", "x"}


def section(title: str) -> str:
    """Return the text of a section, with those below it."""
    start = PAGE.index(f"\n## {title}\n")
    end = PAGE.find("\n## ", start + 1)
    return PAGE[start:end]


def rows(keys: Iterable[Key]) -> list[tuple[str, str]]:
    """Return the rows of a table of keys: the names of the key, and its text."""
    return [(" ".join(f"`{name}`" for name in key.shown.split()), key.text) for key in keys]


def test_the_table_has_the_keys_of_the_program() -> None:
    """Words and order are the same as in the help."""
    assert ROW.findall(section("Keys and mouse")) == rows(TABLE_KEYS)


@pytest.mark.parametrize("name", [name for key in CURSOR_KEYS for name in key.shown.split()])
def test_every_key_of_the_cursor_is_named(name: str) -> None:
    assert f"`{name}`" in section("Keys and mouse")


@pytest.mark.parametrize("key", [key.shown for key in REPLAY_KEYS if key.shown not in UNTOLD])
def test_every_key_of_a_replay_is_told(key: str) -> None:
    assert f"`{key}`" in section("Replays and results")
