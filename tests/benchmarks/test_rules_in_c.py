"""The benchmark of rules in C, with a game that is played in Python on both sides."""

import re
import sys

import pytest

import rules_in_c
from cardhub.plugins.registry import find_plugins

GAMES = tuple(find_plugins().game(name) for name in ("kuhn", "leduc", "pig"))


def test_the_table_has_a_row_for_a_game_with_rules_in_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules_in_c, "playouts_in_c", lambda game: game.name != "leduc" or None)
    monkeypatch.setattr(rules_in_c, "working_games", lambda: GAMES)
    monkeypatch.setattr(rules_in_c, "COUNT", 2)
    arguments = ["--games", "kuhn", "leduc", "--rounds", "1", "--iterations", "5"]
    monkeypatch.setattr(sys, "argv", ["rules_in_c.py", *arguments])
    rules_in_c.main()
    *_, heading, row = capsys.readouterr().out.splitlines()
    assert heading.split() == ["game", "playouts", "search"]
    assert re.fullmatch(r"kuhn +(\S+ \(\S+ to \S+\) *){2}", row)
