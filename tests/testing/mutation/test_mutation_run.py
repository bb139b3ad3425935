"""Mutants are tried by checks and tests in processes of their own; files stay as they are."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.paths import ROOT

from cardhub import Game
from cardhub.base.errors import AuthoringError
from cardhub.testing.mutation import mutation_run
from cardhub.testing.mutation.mutants import Mutant, find_mutants
from cardhub.testing.mutation.mutation_run import mutate_game

SAMPLE = ROOT / "tests" / "testing" / "game_checks" / "sample_game.py"
TESTS = '''"""Two rules of the sample by example."""
from pathlib import Path
from {name} import Sample, TURNS
from cardhub.testing import ByHand, checks

test_sample = checks(Sample())


def test_a_game_has_four_turns() -> None:
    assert TURNS == 4
'''


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game[Any]]:
    """Return a game in a package of its own, with tests."""
    name = "sample_for_mutants"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("from .game import Sample, TURNS\n", "utf-8")
    (folder / "game.py").write_text(SAMPLE.read_text("utf-8"), "utf-8")
    (folder / "rules.md").write_text("# Sample\n", "utf-8")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_sample.py").write_text(TESTS.format(name=name), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = __import__(name)
    yield module.Sample()
    for loaded in [module for module in sys.modules if module.startswith(name)]:
        del sys.modules[loaded]


def chosen(monkeypatch: pytest.MonkeyPatch, *afters: str) -> None:
    """Let only the mutants with these texts be tried, in this order."""

    def find(game: Game[Any], rng: Random) -> list[Mutant]:
        mutants = find_mutants(game, rng)
        return [next(m for m in mutants if m.after == after) for after in afters]

    monkeypatch.setattr(mutation_run, "find_mutants", find)


def test_what_checks_tests_and_nobody_notice_is_told_apart(
    game: Game[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(
        monkeypatch,
        "state.put_all([2, 4], state.stack)",
        "TURNS = 5",
        "return [state.last, 3 - state.last]",
    )
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    report = mutate_game(game, tests=tmp_path / "tests", workers=2)
    assert [noticed_by for _, noticed_by in report.verdicts] == [
        "the check cards",
        "the tests",
        "",
    ]
    assert [mutant.after for mutant in report.survivors] == ["return [state.last, 3 - state.last]"]
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == before


def test_a_time_and_a_number_end_the_trials(game: Game[Any]) -> None:
    assert mutate_game(game, seconds=0.01).verdicts == ()
    report = mutate_game(game, most=1, seed=3)
    assert [mutant for mutant, _ in report.verdicts] == find_mutants(game, Random("3 mutants"))[:1]
    assert report.total > 20


def test_a_game_that_fails_already_is_refused(game: Game[Any], tmp_path: Path) -> None:
    test = tmp_path / "tests" / "test_sample.py"
    test.write_text(test.read_text("utf-8").replace("== 4", "== 5"), "utf-8")
    with pytest.raises(AuthoringError, match="sample fails without a change: the tests"):
        mutate_game(game, tests=tmp_path / "tests")
