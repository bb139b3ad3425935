"""Trainings by self-play: repeatable, continued where they stopped, and nearer to perfect play."""

from pathlib import Path

import pytest

from cardhub.base.errors import LayoutError, OptionError
from cardhub.learning.learn.model_file import read_description, read_weights
from cardhub.plugins.registry import PluginRegistry, find_plugins

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")

from cardhub.learning.train.plan import TrainingPlan
from cardhub.learning.train.training import Training
from cardhub.learning.train.training_run import Limits, Report, run_training

PLAN = TrainingPlan("kuhn", players=2, seed=1)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer games for an update, and for a report."""
    monkeypatch.setattr("cardhub.learning.train.training.TABLES", 32)
    monkeypatch.setattr("cardhub.learning.train.training.STEPS", 32)
    monkeypatch.setattr("cardhub.learning.train.measuring.GAMES", 32)


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


def train(registry: PluginRegistry, updates: int, plan: TrainingPlan = PLAN) -> Training:
    """Return a training after some updates."""
    training = Training(registry, plan)
    for _ in range(updates):
        training.advance()
    return training


def test_equal_seeds_give_equal_files(registry: PluginRegistry, tmp_path: Path) -> None:
    for name in ("first.net", "second.net"):
        train(registry, 2).save(tmp_path / name, {})
    train(registry, 2, TrainingPlan("kuhn", 2, seed=2)).save(tmp_path / "other.net", {})
    first, second = ((tmp_path / f"{name}.net").read_bytes() for name in ("first", "second"))
    assert first == second
    assert read_weights(tmp_path / "other.net") != read_weights(tmp_path / "first.net")


def test_a_training_goes_on_from_its_file(registry: PluginRegistry, tmp_path: Path) -> None:
    """Two continuations of one file are equal, and differ from the file."""
    train(registry, 1).save(tmp_path / "begun.net", {})
    for name in ("first.net", "second.net"):
        training = Training(registry, PLAN)
        training.restore(tmp_path / "begun.net")
        assert training.updates == 1
        training.advance()
        training.save(tmp_path / name, {})
    first, second, begun = (
        read_weights(tmp_path / f"{name}.net") for name in ("first", "second", "begun")
    )
    assert first == second != begun


def test_a_restored_training_is_the_one_that_was_saved(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    before = train(registry, 1)
    before.save(tmp_path / "kuhn.net", {})
    after = Training(registry, PLAN)
    after.restore(tmp_path / "kuhn.net")
    assert after.games == before.games > 0
    after.save(tmp_path / "again.net", {})
    assert (tmp_path / "again.net").read_bytes() == (tmp_path / "kuhn.net").read_bytes()
    endings = [(tmp_path / f"{name}.net.training").read_bytes() for name in ("kuhn", "again")]
    assert endings[0] == endings[1]


def test_another_training_does_not_go_on(registry: PluginRegistry, tmp_path: Path) -> None:
    train(registry, 1).save(tmp_path / "kuhn.net", {})
    other = Training(registry, TrainingPlan("kuhn", 2, seed=2))
    with pytest.raises(OptionError, match="was trained with seed=1, not 2"):
        other.restore(tmp_path / "kuhn.net")
    leduc = Training(registry, TrainingPlan("leduc", 2, seed=1))
    with pytest.raises((OptionError, LayoutError), match="game"):
        leduc.restore(tmp_path / "kuhn.net")


def test_a_training_of_another_version_does_not_go_on(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kuhn.net"
    train(registry, 1).save(path, {})
    monkeypatch.setattr("cardhub.learning.train.training.VERSION", 3)
    with pytest.raises(OptionError, match="another version of cardhub wrote it"):
        train(registry, 0).restore(path)


@pytest.mark.parametrize("content", [None, b"", b"weights"])
def test_a_damaged_training_is_refused(
    registry: PluginRegistry, tmp_path: Path, content: bytes | None
) -> None:
    training = train(registry, 1)
    training.save(tmp_path / "kuhn.net", {})
    file = tmp_path / "kuhn.net.training"
    file.unlink() if content is None else file.write_bytes(content)
    with pytest.raises(OptionError, match=r"cannot go on from .*kuhn\.net\.training"):
        training.restore(tmp_path / "kuhn.net")


def test_the_file_says_how_it_was_trained(registry: PluginRegistry, tmp_path: Path) -> None:
    training = train(registry, 1)
    training.save(tmp_path / "kuhn.net", {"command": "cardhub train kuhn"})
    facts = read_description(tmp_path / "kuhn.net").training
    assert facts["command"] == "cardhub train kuhn"
    assert (facts["updates"], facts["games"], facts["seed"]) == (1, training.games, 1)
    assert len(facts["date"]) == len("2030-01-31")
    assert (tmp_path / "kuhn.net").stat().st_size < 1_000_000


def test_reports_measure_the_player_against_bots_and_the_last_file(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardhub.learning.train.training_run.SHORTEST", 0)
    monkeypatch.setattr("cardhub.learning.train.training_run.SHARE", 0)
    monkeypatch.setattr("cardhub.learning.train.training_run.LEAST_TIMES", 0)
    reports: list[Report] = []
    training = train(registry, 0)
    path = tmp_path / "kuhn.net"
    run_training(training, path, Limits(None, 2), {}, registry, reports.append)
    assert [sorted(report.scores) for report in reports] == [["random"], ["before", "random"]]
    assert training.updates == 2
    assert all(report.speed > 0 for report in reports)
    assert path.exists()


def test_slow_reports_are_rare(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On this clock an update takes a second and a report two, which is an eighth of 16."""
    seconds = 0
    updates = []
    training = train(registry, 0)

    def advance(share_done: float) -> None:
        nonlocal seconds
        assert share_done < 1
        seconds += 1

    def report(*arguments: object) -> None:
        nonlocal seconds
        updates.append(training.seconds)
        seconds += 2

    monkeypatch.setattr("cardhub.learning.train.training_run.monotonic", lambda: seconds)
    monkeypatch.setattr("cardhub.learning.train.training_run.SHORTEST", 1)
    monkeypatch.setattr("cardhub.learning.train.training_run._report", report)
    monkeypatch.setattr(training, "advance", advance)
    limits = Limits(40, None)
    run_training(training, tmp_path / "kuhn.net", limits, {}, registry, lambda report: None)
    assert updates == [1, 17, 33]


def test_play_gets_nearer_to_perfect(registry: PluginRegistry, tmp_path: Path) -> None:
    training = train(registry, 75)
    training.save(tmp_path / "kuhn.net", {})
    gain = training.gain_in_file(tmp_path / "kuhn.net")
    assert gain is not None
    # Of even chances it is 0.46. Processors round products differently, so the limit has room.
    assert gain < 0.3


def test_the_best_player_is_saved_and_goes_on_being_the_best(
    registry: PluginRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardhub.learning.train.training.MEASURED_AFTER", 1)
    training = train(registry, 2)
    training.save(tmp_path / "kuhn.net", {})
    assert training.gain is not None
    assert training.gain_in_file(tmp_path / "kuhn.net") == pytest.approx(training.gain, abs=1e-3)
    again = Training(registry, PLAN)
    again.restore(tmp_path / "kuhn.net")
    assert again.gain == training.gain
    again.advance()
    assert again.gain is not None
    assert again.gain <= training.gain
