"""The page on the architecture agrees with the code, and its reading path is short enough."""

import re
import tomllib

import pytest
from tests.kit.paths import ROOT

CORE = ROOT / "core" / "cardhub"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PATH = PAGE.partition("\n## The idea\n")[0]
MAP = PAGE.partition("\n## The map\n")[2].partition("\n## ")[0]
# By room, in the order of the map: what it does, and where to start.
ROOMS = {
    name: (purpose, start)
    for name, purpose, start in re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", MAP, re.MULTILINE)
}
MINUTES, WORDS_A_MINUTE = 36, 200
MOST_WORDS = 1000


def folders() -> set[str]:
    """Return the names of the packages within `cardhub`."""
    return {path.parent.name for path in CORE.glob("*/__init__.py")}


def layers() -> list[set[str]]:
    """Return the layers of the import contract from below, without single modules."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    assert contract["type"] == "layers"
    assert contract["containers"] == ["cardhub"]
    steps = (set(layer.split(" | ")) & folders() for layer in reversed(contract["layers"]))
    return [step for step in steps if step]


def test_the_map_has_the_rooms_in_the_order_in_which_they_import() -> None:
    """The contract that is enforced allows a room the rooms above it in the map."""
    assert set(ROOMS) == folders() - {"_compiled"}
    rest = list(ROOMS)
    for step in layers():
        assert set(rest[: len(step)]) == step
        rest = rest[len(step) :]
    # Rooms of one layer do not import each other, which the page says of the only such pair.
    assert [sorted(step) for step in layers() if len(step) > 1] == [["lab", "online"]]
    assert "`online` and `lab` do not import each other" in " ".join(PAGE.split())


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_names_modules_of_the_room(room: str) -> None:
    purpose, start = ROOMS[room]
    assert len(purpose.split()) >= 3
    names = re.findall(r"`([\w/.]+)`", start)
    assert names
    assert [name for name in names if not (CORE / name).exists()] == []
    assert all(name.startswith(f"{room}/") for name in names)


def test_every_decision_is_linked() -> None:
    files = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))
    linked = re.findall(r"\(decisions/([\w-]+\.md)\)", PAGE)
    assert linked == files
    assert [name[:3] for name in files] == [f"{number:03}" for number in range(1, len(files) + 1)]


def test_the_path_to_gargons_rules_takes_at_most_36_minutes() -> None:
    """The page says how many words there are, to the nearest hundreds."""
    files = re.findall(r"^\d\. \[([\w/.-]+)\]\(", PATH, re.MULTILINE)
    assert files[0] == "README.md"
    assert {"docs/game-reference.md", "games/gargon/cardhub_gargon/game.py"} <= set(files)
    total = sum(len((ROOT / name).read_text("utf-8").split()) for name in files)
    assert total <= MINUTES * WORDS_A_MINUTE
    stated = re.search(r"about ([\d,]+) words, (\d+) minutes", PATH)
    assert stated is not None
    assert abs(int(stated[1].replace(",", "")) - total) < 300
    assert abs(int(stated[2]) - total / WORDS_A_MINUTE) < 2
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"a reading path of {MINUTES} minutes" in readme


def test_the_page_stays_short() -> None:
    """Reasons stand in docs/decisions, purposes of modules in their docstrings."""
    assert len(PAGE.split()) <= MOST_WORDS
