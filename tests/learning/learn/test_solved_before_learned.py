"""A match in Leduc poker with a solved bot, a search, a trained model and random play."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardhub.lab.analysis import analyse
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.learning.learn import save
from cardhub.plugins.registry import PluginRegistry

pytest.importorskip("torch", reason="sb3-contrib is not installed: make learn-test")
sb3_contrib = pytest.importorskip(
    "sb3_contrib", reason="sb3-contrib is not installed: make learn-test"
)

CUP = """
cardhub_match: 1
name: leduc
seed: 7
bots:
  - {id: solved, use: "cfr:iterations=200"}
  - {id: search, use: "ismcts:5"}
  - {id: learned, use: "model:ppo.zip"}
  - {id: random, use: random}
games: [{game: leduc}]
schedule: {mode: gauntlet, challengers: [solved], blocks: 300}
rating: {bootstrap: 100}
isolate: no
"""


def train(path: Path) -> None:
    """Train a model for a few thousand decisions against random play, and save it."""
    from cardhub.learning.adapters.gymnasium import env

    game = env("leduc", rivals=["random"])
    model = sb3_contrib.MaskablePPO("MlpPolicy", game, n_steps=512, seed=1, device="cpu")
    save(model.learn(4096), game, path)


def test_near_perfect_play_comes_before_a_trained_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, registry: PluginRegistry
) -> None:
    monkeypatch.chdir(tmp_path)
    train(tmp_path / "ppo.zip")
    (tmp_path / "leduc.yaml").write_text(CUP, "utf-8")
    cup = replace(read_match(tmp_path / "leduc.yaml", registry), salt=None)
    run(cup, registry, tmp_path / "out", RunOptions(analyse=analyse))
    result: dict[str, Any] = msgspec.json.decode((tmp_path / "out" / "result.json").read_bytes())
    (game,) = result["statistics"]["games"]
    assert game["bots"][0]["bot"] == "solved"
    assert game["bots"][0]["worst"] == 1
    assert [row["verdict"] for row in game["pairs"]] == ["better"] * 3
