"""Reports of a match for points."""

import csv
from io import StringIO

import pytest
from tests.lab.report.conftest import Played

from cardhub.cli.match.summary import print_summary
from cardhub.lab.analysis import analyse
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.number_format import NO_INTERVALS
from cardhub.plugins.registry import PluginRegistry


def test_every_game_was_played_to_its_end(chips: Played) -> None:
    assert {game.end for game in chips.games} == {"over"}
    assert any(game.faults for game in chips.games)
    pairs = [row for row in chips.result["statistics"]["games"][0]["pairs"] if row["b"] == "broken"]
    assert pairs
    for row in pairs:
        assert row["score_fixed"]["value"] >= 0


def test_figures_are_in_chips(chips: Played) -> None:
    (game,) = chips.result["statistics"]["games"]
    best = game["bots"][0]
    mean = f"{best['points']['value']:+.2f}".replace("-", "−")
    for name in ("report.html", "report.md"):
        text = chips.text(name)
        assert "Chips a game" in text
        assert "Ahead by, chips a game" in text
        assert "Elo by places" in text
        assert "Elo, fixed" not in text
        assert "allowing for the stop" not in text
        assert mean in text


def test_ratings_have_columns_of_points(chips: Played, cup: Played) -> None:
    """Empty where a game is not scored so."""
    rows = list(csv.DictReader(StringIO(chips.text("ratings.csv"))))
    for row in rows:
        assert float(row["points"])
        # The test could end the match by its results: no interval for a number set in advance.
        assert row["points_low"] == row["points_high"] == ""
    assert {row["points"] for row in csv.DictReader(StringIO(cup.text("ratings.csv")))} == {""}


def test_the_summary_on_the_terminal_is_in_chips(
    chips: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    print_summary(chips.typed, chips.folder)
    shown = " ".join(capsys.readouterr().out.split())
    assert "Chips a game" in shown
    assert NO_INTERVALS in shown
    test = chips.result["test"]
    assert test["verdict"] == "not better"
    assert "Verdict: first is not 100 normalized Elo better than dice in kuhn." in shown
    assert f"after {test['blocks']} blocks." in shown
    value = chips.result["statistics"]["test"]["score_always"]["value"]
    assert f"{value:+.2f} chips a game".replace("-", "−") in shown


def test_a_match_for_points_verifies(chips: Played, registry: PluginRegistry) -> None:
    checks = verify(
        chips.folder, registry, options=RunOptions(make_executor(1), 1, analyse=analyse)
    )
    assert checks.problems == []
    assert checks.games == len(chips.games)
