"""The benchmark of learners' environments has all tables, and skips what is not installed."""

import sys

import pytest

import learning_speed
from cardhub.plugins.registry import find_plugins


def test_every_table_has_its_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Comparisons with other frameworks, shares of encoding for every game, and workers."""
    monkeypatch.setattr(learning_speed, "TABLES", 2)
    monkeypatch.setattr(learning_speed, "LONG_STEPS", 1)
    monkeypatch.setattr(sys, "argv", ["learning_speed.py", "--rounds", "1", "--seconds", "0.01"])
    learning_speed.main()
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines()]
    names = [line[0].removeprefix("| ") for line in lines if len(line) > 2]
    assert set(find_plugins().game_names()) <= set(names)
    assert names.count("leduc") >= 5
    assert "leduc against ismcts:20" in names
