"""Slips that a newcomer makes are named with file and line before anything is played."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner
from tests.games.cribs import Cribs
from tests.games.leaking_cribs import LeakingCribs
from tests.games.magpie import Magpie
from tests.kit.paths import ROOT

from cardhub import Game
from cardhub.cli.main import cli
from cardhub.plugins.registry import find_plugins
from cardhub.testing import inspect_game
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.source_checks import check_source

SAMPLE = ROOT / "tests" / "testing" / "game_checks" / "sample_game.py"
Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes the sample game with a slip into a folder for plugins."""

    def write_with(right: str, wrong: str) -> Path:
        source = SAMPLE.read_text("utf-8")
        assert right in source
        path = tmp_path / "plugins" / "sample.py"
        path.parent.mkdir()
        path.write_text(source.replace(right, wrong, 1), "utf-8")
        (path.parent / "rules.md").write_text("# Sample\n", "utf-8")
        return path

    return write_with


def line_of(path: Path, text: str) -> int:
    """Return the number of the first line that has a text."""
    lines = path.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def imported(path: Path) -> Game[Any]:
    """Return the game of a file."""
    spec = importlib.util.spec_from_file_location("sample_with_a_slip", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    game: Game[Any] = module.Sample()
    return game


SLIPS = {
    "typo in a field": (
        "state.taken[state.seat] += 1",
        "state.takn[state.seat] += 1",
        "Table has no field takn. Did you mean 'taken'?",
    ),
    "typo in a helper": (
        "return sum(state.taken)",
        "return sum(state.takn)",
        "Table has no field takn. Did you mean 'taken'?",
    ),
    "field that is not declared": (
        "state.last = action",
        "state.previous = action",
        "Table has no field previous. Annotate it in that class: `previous: int`",
    ),
    "field without annotation": (
        "last: int",
        "last = 0",
        "the field last has no annotation, so copies of a state lose it. Write `last: int`",
    ),
    "misspelt method of the display": (
        "def narration(self, before: Table",
        "def naration(self, before: Table",
        "Display has no method naration(). Did you mean 'narration'?",
    ),
    "misspelt method of the rules": (
        "def allows(self, ",
        "def alows(self, ",
        "Game has no method alows(). Did you mean 'allows'?",
    ),
    "wrong signature": (
        "def scores(self, state: Table) ->",
        "def scores(self) ->",
        "the core calls scores(self, state), and this is scores(self)",
    ),
    "wrong signature of the display": (
        "def scene(self, state: Table, viewer: int)",
        "def scene(self, state: Table)",
        "the core calls scene(self, state, viewer), and this is scene(self, state)",
    ),
    "legal without return": (
        "return [action for action in range(3) if action != state.last]",
        "[action for action in range(3) if action != state.last]",
        "legal() returns nothing, because it has no `return`",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named_with_its_line_before_anything_is_played(slip: str, write: Write) -> None:
    right, wrong, problem = SLIPS[slip]
    path = write(right, wrong)
    shown = "def legal" if "return" in slip else wrong
    game, began = imported(path), process_time()
    report = inspect_game(game, is_measured=False)
    assert process_time() - began < 1
    (finding,) = report.findings
    assert (finding.check, report.games) == ("source", 0)
    assert f"plugins/sample.py:{line_of(path, shown)}: {problem}" in finding.problem


def test_all_slips_are_named_at_once(write: Write) -> None:
    path = write("last: int", "last = 0")
    path.write_text(path.read_text("utf-8").replace("def narration", "def naration"), "utf-8")
    with pytest.raises(ConformanceError, match=r"the field last .*; .* no method naration"):
        check_source(imported(path))


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ("def legal(", "def leagl(", "leagl() is no method of Game. Did you mean 'legal'?"),
        ("state.taken = [0, 0]", "state.taken = [0, 0", "SyntaxError: '[' was never closed"),
        ("from cardhub import (", "from cardhub import Aera, (", "SyntaxError"),
        ("    per_seat,", "    per_saet,", "cannot import name 'per_saet'"),
        ("last: int", "last: imt", "NameError: name 'imt' is not defined"),
    ],
)
def test_a_game_that_cannot_be_made_is_named_with_its_line(
    right: str, wrong: str, problem: str, write: Write
) -> None:
    path, began = write(right, wrong), process_time()
    done = CliRunner().invoke(cli, ["--plugins-dir", str(path.parent), "check", "sample"])
    assert process_time() - began < 1
    printed = " ".join(done.stderr.split())
    assert done.exit_code != 0
    assert problem in printed
    assert f"{path.name}:" in printed


def test_the_sample_without_a_slip_passes(write: Write) -> None:
    report = inspect_game(imported(write("last", "last")), games=1, is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))


@pytest.mark.parametrize("name", find_plugins().game_names())
def test_no_installed_game_has_a_slip(name: str) -> None:
    check_source(find_plugins().game(name))
    for game in (Magpie(), Cribs(), LeakingCribs()):
        check_source(game)
