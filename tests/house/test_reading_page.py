"""The page on reading the code speaks of the code as it is."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core" / "cardhub"
PAGE = (ROOT / "docs" / "reading.md").read_text("utf-8")
ITEMS = re.findall(r"^\d+\. .*?(?=^\d+\. |^\S)", PAGE, re.MULTILINE | re.DOTALL)
TABLE = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))


def rooms() -> list[str]:
    """Return the packages within `cardhub`."""
    return sorted(path.parent.name for path in CORE.glob("*/__init__.py"))


def layers() -> Iterator[list[str]]:
    """Yield the layers from above, each as its rooms."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for layer in project["tool"]["importlinter"]["contracts"][0]["layers"]:
        yield [name for name in layer.split(" | ") if name in rooms()]


@pytest.mark.parametrize("room", rooms())
def test_every_room_is_on_the_way(room: str) -> None:
    """A newcomer meets it, and finds out what it may import."""
    assert f"core/cardhub/{room}/" in PAGE
    assert f"`{room}`" in TABLE


def test_every_module_that_is_named_is_there() -> None:
    """In one of the rooms of the same step."""
    assert len(ITEMS) > 10
    for item in ITEMS:
        folders = [ROOT / name for name in re.findall(r"core/cardhub/\w+/", item)]
        for name in re.findall(r"`([\w/]+\.py)`", item):
            found = [path for folder in folders for path in folder.rglob(name)]
            assert found or (ROOT / name).exists(), f"{name} in {item}"


def test_the_rooms_stand_in_the_order_in_which_they_import() -> None:
    """The long row of the table and the layers that are enforced say the same."""
    row = max((line.split("|")[1] for line in TABLE.splitlines()), key=len)
    told = [sorted(re.findall(r"`(\w+)`", step)) for step in row.split(", ")]
    enforced = [sorted(layer) for layer in layers() if layer]
    first, after = enforced.index(told[0]), enforced.index(["hidden"])
    assert told == enforced[first:after]
    assert enforced[:first] == [["cli"], ["tui"]]
