"""The benchmarks of learners: trained policies in whole games, environments, and arrays."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import encoding
import learning_quality as quality
import learning_speed
from cardhub.learning.adapters.gymnasium.factory import learner_spec
from cardhub.plugins.registry import find_plugins

GAMES = tuple(find_plugins().game(name) for name in ("kuhn", "leduc", "pig", "goofspiel"))
LEDUC = quality.Contest("leduc", "random", "goal")


def test_policies_are_measured_on_whole_games() -> None:
    spec = learner_spec(**quality.choices(LEDUC))

    def timid(_: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    returns = quality.played(spec, timid, 100, seed=1)
    assert returns.shape == (100,)
    assert returns.mean() < 0
    uniform = quality.played(spec, quality.untrained(1), 100, seed=1)
    assert np.array_equal(quality.played(spec, quality.untrained(1), 100, seed=1), uniform)
    assert not np.array_equal(uniform, returns)


def test_finished_runs_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A second start prints the same table without training."""
    log = tmp_path / "runs.jsonl"
    options = ["--games", "50", "--seeds", "2", "--only", "leduc:random", "--log", str(log)]
    monkeypatch.setattr(sys, "argv", ["learning_quality.py", *options])
    monkeypatch.setattr(quality, "trained", lambda spec, steps, seed: quality.untrained(seed))
    quality.main()
    first = capsys.readouterr().out.splitlines()
    monkeypatch.setattr(quality, "trained", lambda *_: pytest.fail("it has been trained before"))
    quality.main()
    assert capsys.readouterr().out.splitlines()[4:] == first[4:]
    assert [line.split(" | ")[3] for line in first[-2:]] == [quality.RANDOM, "MaskablePPO"]
    assert len(log.read_text("utf-8").splitlines()) == 4


def test_intervals_are_students_over_the_seeds() -> None:
    assert quality.interval([0.5]) == "0.50"
    assert quality.interval([0.4, 0.6]) == "0.50 ± 1.27"
    results = [quality.Result(0.5, 0.25, 10), quality.Result(0.5, 0.25, 20)]
    goofspiel = quality.Contest("goofspiel", "random")
    assert quality.row(goofspiel, "MaskablePPO", results) == (
        "| goofspiel | random | faces, kinds of cards | MaskablePPO "
        "| 0.75 ± 0.00 | 0.25 ± 0.00 | 15 |"
    )


def test_every_table_has_its_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Comparisons with other frameworks, shares of encoding for each game, and workers."""
    monkeypatch.setattr(learning_speed, "working_games", lambda: GAMES)
    monkeypatch.setattr(learning_speed, "TABLES", 2)
    monkeypatch.setattr(learning_speed, "LONG_STEPS", 1)
    case = "leduc against ismcts:20"  # each case starts two processes
    cases = {case: learning_speed.BESIDE_WORKERS[case]}
    monkeypatch.setattr(learning_speed, "BESIDE_WORKERS", cases)
    monkeypatch.setattr(sys, "argv", ["learning_speed.py", "--rounds", "1", "--seconds", "0.01"])
    learning_speed.main()
    lines = [line.split(" | ") for line in capsys.readouterr().out.splitlines()]
    names = [line[0].removeprefix("| ") for line in lines if len(line) > 2]
    assert {game.name for game in GAMES} <= set(names)
    assert names.count("leduc") >= 4
    assert case in names


def test_every_game_has_a_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["encoding.py", "--rounds", "1", "--arrays", "2"])
    monkeypatch.setattr(encoding, "working_games", lambda: GAMES)
    encoding.main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    names = [game.name for game in GAMES]
    figures = {row[0]: row[1:] for row in rows if row and row[0] in names}
    assert list(figures) == names
    assert all(
        int(slots) > 20 and float(rate) > 0 and float(batch) > 0
        for _, slots, rate, batch in figures.values()
    )
