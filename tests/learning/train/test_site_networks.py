"""Networks that read a board site by site, in training and in play."""

import numpy as np
import pytest

from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout, Mask, Slots
from cardhub.learning.arrays.learner_slots import from_first, learner_inputs
from cardhub.learning.train.network import LARGE_LEAST_SHARE, Network, load, pack
from cardhub_garner import Garner

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")

from cardhub.learning.train import torch_networks
from cardhub.learning.train.actor_critic import ActorCritic
from cardhub.learning.train.pytorch import torch
from cardhub.learning.train.rewards import UtilityScale
from cardhub.learning.train.schedule import SHARP
from cardhub.learning.train.self_play import Decisions

LAYOUT = Layout(Garner())
INPUTS = learner_inputs(LAYOUT)
SCALE = UtilityScale(4, 0, 4)


@pytest.fixture(scope="module")
def arrays() -> tuple[Slots, Slots, Mask]:
    """Return observations, true states and masks of games at random."""
    rng = np.random.default_rng(1)
    with tables_of(TableSpec(LAYOUT, true_states=True), 8, 0) as tables:
        batch = tables.reset(1)
        for _ in range(50):
            tables.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        return batch.observations.copy(), batch.true_states.copy(), batch.masks.copy()


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> ActorCritic:
    """Return networks in training whose policy is not near even chances."""
    monkeypatch.setattr(torch_networks, "_has_short_products", lambda: False)
    networks = ActorCritic(INPUTS, 16, LAYOUT.action_count, 2, 1, SHARP)
    with torch.no_grad():
        for network in (networks._policy, networks._player):
            network.of_both.weight.mul_(20000)
    return networks


def test_play_and_training_compute_the_same(
    arrays: tuple[Slots, Slots, Mask], networks: ActorCritic
) -> None:
    observations, states, masks = arrays
    network = Network(INPUTS, *networks.player(SCALE))
    shares = np.exp(networks.log_shares(INPUTS.of_observations(observations), masks))
    assert shares.max() > 0.2
    shares[shares < LARGE_LEAST_SHARE * shares.max(axis=1, keepdims=True)] = 0
    shares /= shares.sum(axis=1, keepdims=True)
    assert np.allclose(network(observations, masks), shares, atol=1e-4)
    values = from_first(networks.values(INPUTS.of_states(states)), INPUTS.acting(states))
    assert np.allclose(network.utilities(states), values, atol=1e-4)


def test_a_file_has_the_sites(arrays: tuple[Slots, Slots, Mask], networks: ActorCritic) -> None:
    observations, states, masks = arrays
    player = networks.player(SCALE)
    network, expected = load(pack(INPUTS, player)), Network(INPUTS, *player)
    assert np.allclose(network(observations, masks), expected(observations, masks), atol=1e-2)
    assert np.allclose(network.utilities(states), expected.utilities(states), atol=1e-2)


def test_a_training_goes_on_from_its_arrays(
    arrays: tuple[Slots, Slots, Mask], networks: ActorCritic
) -> None:
    observations, states, masks = arrays
    seen, count = INPUTS.of_observations(observations), len(masks)
    decisions = Decisions(
        seen,
        masks,
        INPUTS.of_states(states),
        masks.argmax(axis=1),
        np.full(count, -1, np.float32),
        np.ones(count, np.float32),
        np.zeros((count, 2), np.float32),
    )
    networks.update(decisions, np.random.default_rng(1))
    restored = ActorCritic(INPUTS, 16, LAYOUT.action_count, 2, 2, SHARP)
    restored.restore(networks.arrays())
    for training in (networks, restored):
        training.update(decisions, np.random.default_rng(2))
    assert np.array_equal(restored.log_shares(seen, masks), networks.log_shares(seen, masks))


def test_numbers_of_many_faces_need_exact_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_networks, "_has_short_products", lambda: True)
    assert torch_networks.factor_type(INPUTS) == torch.bfloat16
    monkeypatch.setattr(torch_networks, "MOST_EXACT", 74)
    assert torch_networks.factor_type(INPUTS) == torch.float32
