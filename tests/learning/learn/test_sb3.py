"""Models of sb3-contrib and Stable-Baselines3: saved, loaded, and trained on in leagues."""

import random
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from cardhub.learning.learn import save
from cardhub.learning.learn.league import League, maskable_ppo
from cardhub.learning.learn.model_file import load
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing import check_spec

WHY = "sb3-contrib is not installed: make learn-test"
torch = pytest.importorskip("torch", reason=WHY)
sb3_contrib = pytest.importorskip("sb3_contrib", reason=WHY)
stable_baselines3 = pytest.importorskip("stable_baselines3", reason=WHY)

STEPS = 32
PPO = {"n_steps": STEPS, "batch_size": STEPS, "n_epochs": 1, "seed": 1, "device": "cpu"}


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def table(**choices: Any) -> Any:
    """Return Kuhn poker as an environment."""
    from cardhub.learning.adapters.gymnasium import env

    return env("kuhn", **choices)


def generators() -> list[str]:
    """Return the states of all global generators."""
    return [repr(state) for state in (random.getstate(), np.random.get_state())] + [
        repr(torch.get_rng_state().tolist())
    ]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """Return a trained model of Kuhn poker, and the file that it was saved in."""
    model = sb3_contrib.MaskablePPO("MlpPolicy", table(), **PPO).learn(STEPS)
    path = tmp_path_factory.mktemp("sb3") / "model.zip"
    save(model, model.get_env(), path)
    return model, path


def test_a_maskable_model_passes_the_checks_of_bots(
    trained: tuple[Any, Path], registry: PluginRegistry
) -> None:
    """Loading the model does not change the process's random generators."""
    before = generators()
    report = check_spec(registry, f"model:{trained[1]}", "kuhn", positions=20)
    assert report.passed, report.findings
    assert generators() == before


def test_a_model_has_the_probabilities_that_it_was_trained_to(
    trained: tuple[Any, Path], registry: PluginRegistry
) -> None:
    model, path = trained
    game = table()
    seen, info = game.reset(seed=1)
    masks = info["action_mask"][None]
    probabilities = load(path, registry.game("kuhn")).policy(seen[None], masks)
    tensor, _ = model.policy.obs_to_tensor(seen[None])
    with torch.no_grad():
        wanted = model.policy.get_distribution(tensor, action_masks=masks).distribution.probs
    assert probabilities.tolist() == wanted.numpy().tolist()
    assert probabilities[masks == 0].tolist() == [0.0, 0.0]


def test_the_saved_file_is_one_of_the_library(trained: tuple[Any, Path]) -> None:
    loaded = sb3_contrib.MaskablePPO.load(trained[1], env=table(), device="cpu")
    assert loaded.learn(STEPS, reset_num_timesteps=False).num_timesteps == 2 * STEPS


def test_a_saved_file_has_nothing_that_differs_from_run_to_run(trained: tuple[Any, Path]) -> None:
    """Matches compare hashes of models, but the library writes addresses of functions."""
    with ZipFile(trained[1]) as file:
        data = file.read("data")
    assert b"MaskableActorCriticPolicy.__init__>" in data
    assert b" at 0x" not in data


@pytest.mark.parametrize("choices", [{}, {"mask_in_observation": True}])
def test_algorithms_without_masks_play_legal_actions_too(
    choices: dict[str, Any], tmp_path: Path, registry: PluginRegistry
) -> None:
    policy = "MultiInputPolicy" if choices else "MlpPolicy"
    game = table(**choices)
    model = stable_baselines3.PPO(policy, game, **PPO).learn(STEPS)
    save(model, game, tmp_path / "ppo.zip")
    bot = registry.make_bot(f"model:{tmp_path / 'ppo.zip'}", "kuhn", Random(1))
    report = check_spec(registry, f"model:{tmp_path / 'ppo.zip'}", "kuhn", positions=10)
    assert report.passed, report.findings
    assert type(bot).__name__ == "ModelBot"


def test_a_stopped_league_trains_the_same_learner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = []
    for parts in ((2,), (1, 2)):
        folder = tmp_path / str(len(parts))
        folder.mkdir()
        monkeypatch.chdir(folder)
        for rounds in parts:
            train = maskable_ppo(batch_size=STEPS, n_epochs=1)
            league = League("league", "kuhn", train, every=STEPS, blocks=2)
            league.run(rounds * STEPS)
        pools.append([path.read_bytes() for path in sorted(Path("league/pool").iterdir())])
    assert pools[0] == pools[1]
    assert len(pools[0]) == 2
