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
from cardhub.testing import inspect_game, random_play
from cardhub.testing.checking import ConformanceError, first_line
from cardhub.testing.game_checks.slips.check_slips import check_source, find_slips

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
    "apply that forgets the next seat": (
        "state.seat = OVER if turns(state) == TURNS else 1 - state.seat",
        "turns(state)",
        "apply() never sets state.seat: to the next seat, or to OVER at the end",
    ),
    "list with a first value": (
        "taken: list[int]",
        "taken: list[int] = [0, 0]",
        "taken begins as an empty list, whatever the class says. Set it in deal()",
    ),
    "state in the game object": (
        "state.last = action",
        "self.last = action",
        "last belongs to the game object, which all games and all copies of a state share. "
        "Annotate last in the state class, and write state.last",
    ),
    "mutable attribute of the game": (
        "state.last = action",
        "self.phases_seen.append(action)",
        "phases_seen belongs to the game object, which all games and all copies of a state share. "
        "Annotate phases_seen in the state class, and write state.phases_seen",
    ),
    "state in the module": (
        "state.last = action",
        "PAST.append(action)",
        "PAST belongs to the module, which all games and all copies of a state share. "
        "Annotate a field of the state class for it",
    ),
}
# What the game with a slip has besides.
BESIDES = {
    "phases_seen": ("    def deal(", "    phases_seen = []\n\n    def deal("),
    "PAST": ("TURNS = 4", "TURNS = 4\nPAST = []"),
}
# Slips that only a played game shows: the check, its problem, and the text in the line it names.
PLAYED = {
    "deal that forgets a card": (
        ("state.put_all([2, 3], state.stack)", "state.put_all([2], state.stack)"),
        ("cards", "nowhere: B (token 3)", "def deal"),
    ),
    "card in two zones": (
        ("state.last = action", "state.last = action\n        state.put(0, state.stack)"),
        ("cards", "in several places: D", "state.put(0, state.stack)"),
    ),
    "card in no zone": (
        ("state.last = action", "state.last = action\n        state.stack.pop()"),
        ("cards", "nowhere: B (token 3)", "state.stack.pop()"),
    ),
    "action out of range": (
        ("for action in range(3)", "for action in range(4)"),
        ("legal", "[1, 2, 3] is not within 3 actions", "return [action"),
    ),
    "legal that returns nothing in some positions": (
        ("return [action", "if state.last == 0:\n            return [action"),
        ("legal", "legal() returns None, not a list of ints", "if state.last == 0"),
    ),
    "face that the deal reads": (
        ("state.taken = [0, 0]", "state.taken = [state.face[0], 0]"),
        ("deal_is_blind", "dealing other hidden cards gives another taken", "state.face[0]"),
    ),
    "game that never ends": (
        ("OVER if turns(state) == TURNS else 1 - state.seat", "1 - state.seat"),
        ("end", "the game goes on after 300 actions", "def apply"),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_named_with_its_line_before_anything_is_played(slip: str, write: Write) -> None:
    right, wrong, problem = SLIPS[slip]
    path = write(right, wrong)
    for name, (before, after) in BESIDES.items():
        if name in wrong:
            path.write_text(path.read_text("utf-8").replace(before, after, 1), "utf-8")
    shown = {"legal()": "def legal", "apply()": "def apply"}.get(problem.split()[0], wrong)
    game, began = imported(path), process_time()
    report = inspect_game(game, is_measured=False)
    assert process_time() - began < 0.5
    (finding,) = report.findings
    assert (finding.check, report.games) == ("source", 0)
    assert f"plugins/sample.py:{line_of(path, shown)}: {problem}" in finding.problem


@pytest.mark.parametrize("slip", PLAYED)
def test_a_slip_that_a_game_shows_is_named_with_its_line(
    slip: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random_play, "MOST_ACTIONS", 300)
    (right, wrong), (check, problem, shown) = PLAYED[slip]
    path = write(right, wrong)
    report = inspect_game(imported(path), games=1, is_measured=False)
    finding = report.finding(check)
    assert finding is not None, "\n".join(map(str, report.findings))
    assert finding.problem.startswith(problem)
    assert f"(plugins/sample.py:{line_of(path, shown)})" in finding.problem


def test_a_value_that_is_computed_when_it_is_first_asked_for_is_no_slip(write: Write) -> None:
    lazy = (
        "if self.seats_known is None:\n            self.seats_known = 2\n        "
        "TABLE[action] = 1\n        state.last = action"
    )
    path = write("state.last = action", lazy)
    text = path.read_text("utf-8").replace("TURNS = 4", "TURNS = 4\nTABLE = {}", 1)
    path.write_text(
        text.replace("    def deal(", "    seats_known = None\n\n    def deal("), "utf-8"
    )
    assert not find_slips(imported(path))


def as_it_is(function: Callable[[], None]) -> Callable[[], None]:
    """Return a function."""
    return function


@as_it_is
def decorated() -> None:
    """Do nothing."""


def test_the_first_line_of_a_decorated_method_is_that_of_its_name() -> None:
    line = first_line(decorated)
    assert line is not None
    assert Path(line.path).read_text("utf-8").splitlines()[line.number - 1].startswith("def ")


VERBS = """\
        verb, _ = self.actions.{table}[action]
        match verb:
            case "{case}":
                state.last = action
        state.taken[state.seat] += 1
"""


@pytest.mark.parametrize(
    ("table", "case", "problem"),
    [
        ("verb_and_value", "gren", "no action has the verb 'gren'. Did you mean 'green'?"),
        ("verb_and_index", "blue", "verb_and_index counts the amounts of 'blue' from 0"),
    ],
)
def test_a_case_without_an_action_or_with_an_index_for_an_amount_is_a_slip(
    table: str, case: str, problem: str, write: Write
) -> None:
    lines = VERBS.format(table=table, case=case)
    path = write("        state.taken[state.seat] += 1\n", lines)
    text = path.read_text("utf-8")
    text = text.replace('"blue")', 'Amount("blue", 1, 1))')
    text = text.replace("Actions,", "Actions, Amount,", 1)
    path.write_text(text, "utf-8")
    (slip,) = find_slips(imported(path))
    assert slip.line == line_of(path, "case ")
    assert slip.problem.startswith(problem)


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
        ("TURNS = 4", 'TURNS = CARDS.face("Foxx")', "LookupError: unknown card 'Foxx'."),
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


@pytest.mark.parametrize("game", [Magpie(), Cribs(), LeakingCribs()])
def test_no_sound_game_of_the_tests_has_a_slip(game: Game[Any]) -> None:
    assert not find_slips(game)
