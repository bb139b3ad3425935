"""The page on the architecture agrees with the code, and its route is short enough."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from tests.kit.paths import ROOT

CORE = ROOT / "core" / "cardhub"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROUTE, PACKAGES = PAGE.split("\n## The idea\n")[0], PAGE.split("\n## The packages\n")[1]
ITEMS = re.findall(r"^\d+\. .*?(?=^\d+\. |^\S)", PACKAGES, re.MULTILINE | re.DOTALL)
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
    """The page states its purpose and its layer."""
    assert f"core/cardhub/{room}/" in PAGE
    assert f"`{room}`" in TABLE


def words(name: str) -> int:
    """Return how many words of a file the route leads through: those before its reference."""
    text = (ROOT / name).read_text("utf-8")
    return len(re.split(r"\n## (?:The packages|Glossary)\n", text)[0].split())


def test_the_route_to_gargons_rules_takes_less_than_45_minutes() -> None:
    files = re.findall(r"\[([\w/]+\.\w+)\]\(", ROUTE.partition("1. ")[2].partition("Afterwards")[0])
    assert files[0] == "README.md"
    assert files[-1].endswith("gargon/scoring.py")
    total = sum(map(words, files))
    assert total < 45 * 200
    told = re.search(r"about ([\d,]+) words, (\d+) minutes", ROUTE)
    assert told is not None
    assert abs(int(told[1].replace(",", "")) - total) < 1000
    assert abs(int(told[2]) - total / 200) < 5


def test_every_module_that_is_named_is_there() -> None:
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
    assert enforced[:first] == [["cli"], ["compiling"], ["tui"]]
