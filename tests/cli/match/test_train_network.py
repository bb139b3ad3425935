"""`cardhub train` without PyTorch, and with options that contradict each other."""

import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from cardhub.base.errors import OptionError
from cardhub.cli.main import cli
from cardhub.cli.match.train_network import _check_teacher, _command, _score, train
from cardhub.learning.learn.model_bot import network_files
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring
from cardhub.plugins.registry import find_plugins

TRAIN = "cardhub.learning.train"


def test_without_pytorch_the_remedy_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in ("actor_critic", "training"):
        monkeypatch.delitem(sys.modules, f"{TRAIN}.{module}", raising=False)
    result = run("train", "kuhn")
    assert result.exit_code == 1
    assert "PyTorch is not installed" in result.stderr
    assert "fix: pip install '.[learn]'" in result.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["kuhn", "--minutes", "1", "--updates", "1"], "are mutually exclusive"),
        (["kuhn", "--minutes", "0"], "Invalid value for '--minutes'"),
        (["kuhn", "--continue", "nothing.net"], "'nothing.net' does not exist"),
        (["kuhn", "--workers", "0"], "Invalid value for '--workers'"),
        (["whist"], "unknown game 'whist'"),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused(run: Run, words: list[str], reason: str) -> None:
    result = run("train", *words)
    assert result.exit_code == 2
    assert reason in result.output


def test_a_file_has_the_command_as_it_can_be_typed_again() -> None:
    words = ["gamon", "--set", "coins=40", "--updates", "9", "--out", "my net"]
    with cli.make_context("cardhub", ["train"]) as above:
        context = train.make_context("train", words.copy(), above)
    assert _command(context) == "cardhub train gamon --set coins=40 --updates 9 --out 'my net'"


def test_scores_in_the_progress_have_a_minus_sign_and_no_hyphen() -> None:
    points, games = Scoring((0, 1), Goal.SCORE), Scoring((0, 1), Goal.WIN)
    assert [_score(value, points) for value in (-0.314, 0.0, 1.5)] == ["−0.31", "0.00", "+1.50"]
    assert _score(-0.5, games) == "0.25"


def test_a_training_does_not_change_its_teacher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    registry = find_plugins()
    network = next(network_files(registry.game("gamon")))
    path = tmp_path / "mine.net"
    path.write_bytes(network.read_bytes())
    teacher = "ismcts:50,net=mine.net"
    with pytest.raises(OptionError, match="is the network of the teacher") as refusal:
        _check_teacher(teacher, path, "gamon", registry)
    assert "fix: --out FILE" in str(refusal.value)
    _check_teacher(teacher, tmp_path / "better.net", "gamon", registry)
    _check_teacher(None, path, "gamon", registry)
