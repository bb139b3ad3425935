"""`cardhub train` without PyTorch, and with options that contradict each other."""

import sys

import pytest
from tests.cli.conftest import Run

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
        (["whist"], "unknown game 'whist'"),
    ],
)
def test_a_command_that_cannot_be_meant_is_refused(run: Run, words: list[str], reason: str) -> None:
    result = run("train", *words)
    assert result.exit_code == 2
    assert reason in result.output
