"""The benchmark of arrays runs for every installed game."""

import sys

import pytest

import encoding
from cardhub.plugins.registry import find_plugins


def test_every_game_has_a_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["encoding.py", "--rounds", "1", "--arrays", "2"])
    encoding.main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    figures = {row[0]: row[1:] for row in rows if row and row[0] in find_plugins().game_names()}
    assert sorted(figures) == sorted(find_plugins().game_names())
    assert all(
        int(slots) > 20 and float(rate) > 0 and float(batch) > 0
        for _, slots, rate, batch in figures.values()
    )
