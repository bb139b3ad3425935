"""The benchmark of the speed goals."""

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

import goals


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make searches and rollouts short."""
    monkeypatch.setattr(goals, "ITERATIONS", 3)
    monkeypatch.setattr(goals, "ROLLOUTS", 2)
    monkeypatch.setattr(goals, "COUNT", 1)
    monkeypatch.setattr(goals, "TABLES_IN_C", {"kuhn": "2.0"})
    monkeypatch.setattr(goals, "PLAYOUTS_IN_C", {"gamon": "5.0"})
    monkeypatch.setattr(goals, "TRAINED", "kuhn")
    monkeypatch.setattr(goals, "COMPARED", ("gamon",))
    monkeypatch.setattr(goals, "WORKS", {"search": goals.searching})  # each is a process


def test_each_goal_is_a_ratio_of_two_rates(tmp_path: Path) -> None:
    """The sides are OpenSpiel, a file with a reference, and another checkout: here this one."""
    trial = tmp_path / "trial.py"
    trial.write_text(TRIAL, "utf-8")
    with ExitStack() as stack:
        rows = list(goals.goals(trial, sys.executable, stack))
        ratios = [goals.measured(row, rounds=1, seconds=0.001) for row in rows]
    works = [row.work for row in rows]
    assert works[-2:] == ["gargon, 4 seats, random play", "gamon search"]
    assert "kuhn training, decisions" in works
    # Pgx, in two rows, and PyTorch need not be installed.
    measured = [ratio for ratio in ratios if ratio != "not installed"]
    assert len(works) - len(measured) <= 3
    assert all(float(ratio.partition(" ")[0]) > 0 for ratio in measured)


def test_it_says_how_the_code_runs() -> None:
    """The figures of the two forms must not be mixed up."""
    assert goals.mode() in ("interpreted", "compiled")


TRIAL = '''
class Gargon:
    """A game of two steps."""

    @classmethod
    def deal(cls, seats, rng):
        game = cls()
        game.steps, game.over = 0, False
        return game

    def legal(self):
        return [0, 1]

    def apply(self, action):
        self.steps += 1
        self.over = self.steps == 2
'''
