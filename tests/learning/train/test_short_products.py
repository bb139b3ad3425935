"""Large networks multiply floats of 16 bits in training, and play nearly the same with others."""

import numpy as np
import pytest

from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.network import SMALL_ARRAY, Network

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")

from cardhub.learning.train import torch_networks
from cardhub.learning.train.actor_critic import ActorCritic
from cardhub.learning.train.pytorch import torch
from cardhub.learning.train.rewards import UtilityScale
from cardhub.learning.train.schedule import SHARP
from cardhub.learning.train.self_play import Decisions

ACTIONS, SEATS, TABLES, UPDATES = 5, 2, 64, 10
SMALL = LearnerInputs(np.arange(SMALL_ARRAY))
PLAIN = LearnerInputs(np.arange(SMALL_ARRAY + 1))
# The last 30 slots are three rows of ten, each of which rates an action.
WITH_ROWS = LearnerInputs(
    np.arange(SMALL_ARRAY - 29),
    np.arange(SMALL_ARRAY - 29, SMALL_ARRAY + 1).reshape(3, 10),
    np.array([[1], [2], [4]]),
)


@pytest.fixture(autouse=True)
def processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a processor with short products: others compute the same, but more slowly."""
    monkeypatch.setattr(torch_networks, "_has_short_products", lambda: True)


def batch(inputs: LearnerInputs) -> Decisions:
    """Return decisions of which the first action is always the good one."""
    rng = np.random.default_rng(1)
    slots = rng.random((TABLES, len(inputs.gathered))).astype(np.float32)
    actions = np.arange(TABLES) % ACTIONS
    gains = np.where(actions == 0, 1, -1).astype(np.float32)
    return Decisions(
        slots,
        np.ones((TABLES, ACTIONS), np.int8),
        slots,
        actions,
        np.full(TABLES, -np.log(ACTIONS), np.float32),
        gains,
        np.zeros((TABLES, SEATS), np.float32),
    )


@pytest.mark.parametrize("inputs", [PLAIN, WITH_ROWS], ids=["plain", "with rows"])
def test_training_and_play_agree(inputs: LearnerInputs) -> None:
    networks = ActorCritic(inputs, 16, ACTIONS, SEATS, 1, SHARP)
    decisions = batch(inputs)
    before = np.exp(networks.log_shares(decisions.observations, decisions.masks))
    for number in range(UPDATES):
        networks.update(decisions, np.random.default_rng(number))
    shares = np.exp(networks.log_shares(decisions.observations, decisions.masks))
    assert shares[:, 0].mean() > before[:, 0].mean() + 0.01
    # After so few updates the player is no average yet, but the policy.
    player = Network(inputs, *networks.player(UtilityScale(4, 0, 4)))
    unordered = np.empty_like(decisions.observations)
    unordered[:, inputs.gathered] = decisions.observations
    assert np.allclose(player(unordered, decisions.masks), shares, atol=0.02)
    values = networks.values(decisions.true_states)
    assert np.allclose(player.utilities(unordered), values, atol=0.02)


def test_small_networks_stay_exact() -> None:
    assert torch_networks.factor_type(SMALL) == torch.float32
    assert torch_networks.factor_type(PLAIN) == torch.bfloat16
    assert torch_networks.factor_type(WITH_ROWS) == torch.bfloat16


def test_other_processors_stay_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": False})
    assert torch_networks.factor_type(PLAIN) == torch.float32
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert torch_networks.factor_type(PLAIN) == torch.float32
