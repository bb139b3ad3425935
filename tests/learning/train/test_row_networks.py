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


# The same for two seats, whose arrays begin with the viewer and the seat to act: counted from the
# second seat, the first two rows change places, and so do the scores.
FIRST_SLOTS = 7
TURNS = np.array([[7, 8, 9, 10, 11, 12, 13], [8, 7, 11, 12, 9, 10, 13]])
TURNED = LearnerInputs(
    INPUTS.slots + FIRST_SLOTS,
    np.where(INPUTS.rows == ABSENT, ABSENT, INPUTS.rows + FIRST_SLOTS),
    INPUTS.actions,
    turns=(TURNS[:, [0, 1, 2, 3, 4, 5, 6, 0]], TURNS[:, [0, 1, 2, 3, 4, 5, 6, 0]]),
    scores=np.array([0, 1]),
)


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
    gathered = INPUTS.of_observations(observations())
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


def test_rows_that_differ_have_biases_of_their_own() -> None:
    inputs = LearnerInputs(INPUTS.slots, INPUTS.rows, INPUTS.actions, differ=True)
    networks = ActorCritic(inputs, 8, ACTIONS, SEATS, 1, SHARP)
    before = observations()
    with torch.no_grad():
        for network in (networks._policy, networks._player, networks._critic):
            network.of_rows.bias[1].add_(1)
        for network in (networks._policy, networks._player):
            network.of_both.weight.mul_(300)
    player = networks.player(UtilityScale(4, 0, 4))
    network = Network(inputs, *player)
    shares = np.exp(networks.log_shares(inputs.of_observations(before), MASKS))
    assert np.allclose(network(before, MASKS), shares, atol=1e-5)
    exchanged = network(before[:, [0, 1, 4, 5, 2, 3, 6]], MASKS)
    assert not np.allclose(exchanged[:, [0, 3, 4, 1, 2, 5]], shares, atol=1e-3)
    assert np.allclose(load(pack(inputs, player))(before, MASKS), shares, atol=1e-2)


def turned_arrays(seat: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return arrays of the seat that looks and acts, with the slots of `observations`."""
    turn = np.zeros((4, FIRST_SLOTS), np.float32)
    turn[:, [seat, SEATS + 1 + seat]] = 1
    return np.hstack([turn, observations()])


def test_a_network_counts_from_the_seat_to_act() -> None:
    network = Network(TURNED, *layers()._replace(standing=0.5))
    first, second = turned_arrays(0), turned_arrays(1)
    second[:, FIRST_SLOTS:] = second[:, TURNS[1]]
    assert np.allclose(network(second, MASKS), network(first, MASKS), atol=1e-6)
    values = network.utilities(first)
    assert np.allclose(network.utilities(second), values[:, ::-1], atol=1e-6)
    # The critic's output, and the margins by the scores.
    plain = Network(INPUTS, *layers()).utilities(observations())
    scores = observations()[:, :2]
    margins = scores - scores.mean(axis=1, keepdims=True)
    assert np.allclose(values, plain + 0.5 * margins, atol=1e-6)


def test_a_file_has_the_turns_and_the_weight_of_margins() -> None:
    player = layers()._replace(standing=0.5)
    network, array = load(pack(TURNED, player)), turned_arrays(1)
    expected = Network(TURNED, *player)
    assert np.allclose(network(array, MASKS), expected(array, MASKS), atol=1e-2)
    assert np.allclose(network.utilities(array), expected.utilities(array), atol=1e-2)


def test_a_file_has_the_rows() -> None:
    network = load(pack(INPUTS, layers()))
    expected = Network(INPUTS, *layers())(observations(), MASKS)
    assert np.allclose(network(observations(), MASKS), expected, atol=1e-2)
