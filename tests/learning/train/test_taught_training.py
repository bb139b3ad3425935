"""Trainings that begin by imitating a bot: the same for any number of processes."""

import signal
from pathlib import Path

import pytest

from cardhub.base.errors import OptionError
from cardhub.learning.learn.model_file import read_description
from cardhub.learning.train.plan import TrainingPlan
from cardhub.plugins.registry import PluginRegistry, find_plugins

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")

from cardhub.learning.train.training import Training, is_branch
from cardhub.learning.train.training_run import Limits, Report, run_training

TAUGHT = TrainingPlan("kuhn", players=2, seed=1, teacher="cfr:iterations=50")
ALONE = TrainingPlan("kuhn", players=2, seed=1)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer games for an update, and for a report."""
    monkeypatch.setattr("cardhub.learning.train.training.TABLES", 16)
    monkeypatch.setattr("cardhub.learning.train.training.STEPS", 16)
    monkeypatch.setattr("cardhub.learning.train.training.NEW", 100)
    monkeypatch.setattr("cardhub.learning.train.imitation.NEW", 100)
    monkeypatch.setattr("cardhub.learning.train.imitation.BATCH", 64)
    monkeypatch.setattr("cardhub.learning.train.measuring.GAMES", 32)


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


def test_the_number_of_processes_makes_no_difference(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    contents = []
    for workers in (1, 2):
        training = Training(registry, TAUGHT, workers)
        training.imitate()
        training.end_imitation()
        training.advance()
        training.save(tmp_path / "kuhn.net", {})
        training.close()
        paths = tmp_path / "kuhn.net", tmp_path / "kuhn.net.training"
        contents.append([path.read_bytes() for path in paths])
    assert contents[0] == contents[1]


def test_the_first_quarter_imitates(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SHORTEST", "SHARE", "LEAST_TIMES"):
        monkeypatch.setattr(f"cardhub.learning.train.training_run.{name}", 0)
    reports: list[Report] = []
    training, path = Training(registry, TAUGHT), tmp_path / "kuhn.net"
    run_training(training, path, Limits(None, 8), {}, registry, reports.append)
    assert [report.is_taught for report in reports] == [True] * 2 + [False] * 6
    assert all(report.speed > 0 for report in reports)
    facts = read_description(path).training
    assert (facts["updates"], facts["teacher"]) == (8, TAUGHT.teacher)
    assert facts["teacher_games"] == training.teacher_games > 50
    assert facts["games"] == training.games > 0


def test_perfect_play_is_soon_imitated(registry: PluginRegistry, tmp_path: Path) -> None:
    training, path = Training(registry, TAUGHT), tmp_path / "kuhn.net"
    for number in range(5):
        training.imitate(number / 5)
    training.save(path, {})
    gain = training.gain_in_file(path)
    assert gain is not None
    assert gain < 0.15  # of even chances it is 0.46


def test_an_interrupted_imitation_goes_on_with_the_next_game(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    path = tmp_path / "kuhn.net"
    begun = Training(registry, TAUGHT)
    begun.imitate()
    begun.save(path, {})
    training = Training(registry, TAUGHT)
    training.restore(path)
    assert training.teacher_games == begun.teacher_games > 0
    assert Limits(None, 8).imitation_done(training) == 0.5
    training.save(tmp_path / "again.net", {})
    endings = [(tmp_path / f"{name}.net.training").read_bytes() for name in ("kuhn", "again")]
    assert endings[0] == endings[1]
    training.imitate()
    assert training.teacher_games > begun.teacher_games


def test_a_signal_in_a_game_of_the_teacher_saves_what_was_learned(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    bot = tmp_path / "tired.py"
    bot.write_text(
        "import os, signal\n"
        "class Tired:\n"
        "    decisions = 0\n"
        "    def __init__(self, rng):\n"
        "        pass\n"
        "    def choose(self, observation):\n"
        "        Tired.decisions += 1\n"
        "        if Tired.decisions == 150:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "        return observation.legal()[0]\n"
    )
    plan = TrainingPlan("kuhn", 2, seed=1, teacher=f"file:{bot}")
    training, path = Training(registry, plan), tmp_path / "kuhn.net"
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run_training(training, path, Limits(None, 40), {}, registry, lambda report: None)
    assert signal.getsignal(signal.SIGINT) is before
    again = Training(registry, plan)
    again.restore(path)
    assert again.updates == 1
    assert again.teacher_games == training.teacher_games > 0


def test_another_teacher_needs_another_beginning(registry: PluginRegistry, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.net"
    alone = Training(registry, ALONE)
    alone.advance()
    alone.save(path, {})
    training = Training(registry, TAUGHT)
    with pytest.raises(OptionError, match=r"teacher='', not 'cfr.*fix: --continue"):
        training.restore(path)
    training.branch_from(path)
    assert (training.updates, training.games) == (1, alone.games)
    limits = Limits(None, 5)
    assert limits.share_done(training) == 0.2
    assert limits.imitation_done(training) == 0  # a quarter of what is left
    training.imitate()
    assert limits.imitation_done(training) == 1
    training.save(path, {})
    without = Training(registry, ALONE)
    without.branch_from(path)
    assert limits.imitation_done(without) == 1


def test_a_branch_is_recognized_until_its_source_changes(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    source, path = tmp_path / "source.net", tmp_path / "branch.net"
    assert not is_branch(path, source)
    training = Training(registry, ALONE)
    training.save(source, {})
    assert not is_branch(path, source)
    branch = Training(registry, ALONE)
    branch.branch_from(source)
    branch.advance()
    branch.save(path, {})
    assert is_branch(path, source)
    assert not is_branch(source, path)
    again = Training(registry, ALONE)
    again.restore(path)
    again.save(path, {})
    assert is_branch(path, source)
    training.advance()
    training.save(source, {})
    assert not is_branch(path, source)
