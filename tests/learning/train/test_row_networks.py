"""Networks with rows: the same weights for all, in training and in play."""

import numpy as np
import pytest

from cardhub.learning.arrays.alike_rows import ABSENT
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.network import Network, PlayerLayers, load, pack

pytest.importorskip("torch", reason="PyTorch is not installed: make learn-test")

from cardhub.learning.train.actor_critic import ActorCritic
from cardhub.learning.train.pytorch import torch
from cardhub.learning.train.rewards import UtilityScale
from cardhub.learning.train.schedule import SHARP
from cardhub.learning.train.torch_networks import critic_network, layers_of, policy_network

# Two slots outside rows and three rows, the last of which lacks a slot and an action.
INPUTS = LearnerInputs(
    np.array([0, 1]),
    np.array([[2, 3], [4, 5], [6, ABSENT]]),
    np.array([[1, 2], [3, 4], [5, ABSENT]]),
)
SLOTS, ACTIONS, SEATS = 7, 6, 2
MASKS = np.ones((4, ACTIONS), np.int8)


def observations() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return four arrays with random values."""
    return np.random.default_rng(1).random((4, SLOTS)).astype(np.float32)


def layers() -> PlayerLayers:
    """Return the layers of networks with random weights."""
    torch.manual_seed(1)
    policy = policy_network(INPUTS, 8, ACTIONS)
    with torch.no_grad():  # training begins near even chances, which would hide differences
        policy.of_both.weight.mul_(300)
    return PlayerLayers(layers_of(policy), layers_of(critic_network(INPUTS, 8, SEATS)))


def test_play_and_training_compute_the_same() -> None:
    networks = ActorCritic(INPUTS, 8, ACTIONS, SEATS, 1, SHARP)
    gathered = observations()[:, INPUTS.gathered]
    scale = UtilityScale(4, 0, 4)
    network = Network(INPUTS, *networks.player(scale))
    shares = np.exp(networks.log_shares(gathered, MASKS))
    assert np.allclose(network(observations(), MASKS), shares, atol=1e-5)
    assert np.allclose(network.utilities(observations()), networks.values(gathered), atol=1e-5)


def test_rows_that_change_places_exchange_their_actions() -> None:
    network = Network(INPUTS, *layers())
    before = observations()
    after = before[:, [0, 1, 4, 5, 2, 3, 6]]
    exchanged = network(before, MASKS)[:, [0, 3, 4, 1, 2, 5]]
    assert np.allclose(network(after, MASKS), exchanged, atol=1e-5)
    assert not np.allclose(network(before, MASKS), exchanged, atol=1e-3)
    assert np.allclose(network.utilities(after), network.utilities(before), atol=1e-5)


def test_what_a_row_lacks_does_not_count() -> None:
    """It counts as a slot that is always 0."""
    rows = np.where(INPUTS.rows == ABSENT, SLOTS, INPUTS.rows)
    complete = Network(LearnerInputs(INPUTS.slots, rows, INPUTS.actions), *layers())
    with_slot = np.hstack([observations(), np.zeros((4, 1), np.float32)])
    shares = Network(INPUTS, *layers())(observations(), MASKS)
    assert np.allclose(shares, complete(with_slot, MASKS))


def test_a_file_has_the_rows() -> None:
    network = load(pack(INPUTS, layers()))
    expected = Network(INPUTS, *layers())(observations(), MASKS)
    assert np.allclose(network(observations(), MASKS), expected, atol=1e-2)
