"""The networks in training, in PyTorch: the policy, its slow copies, and the critic."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.imitation import Examples
from cardhub.learning.train.network import CRITIC_WIDTH, PlayerLayers
from cardhub.learning.train.pytorch import nn, torch
from cardhub.learning.train.rewards import Floats, UtilityScale
from cardhub.learning.train.schedule import Schedule
from cardhub.learning.train.self_play import Decisions, Generator, PlayingNetworks
from cardhub.learning.train.torch_networks import (
    critic_network,
    factor_type,
    layers_of,
    policy_network,
)

# Passes over each batch, and decisions in each step of the gradient.
EPOCHS, MINIBATCH = 2, 1024
# The range of the ratio of new to old probabilities that still counts.
CLIP = 0.2
# The rate with which the typical size of gains, at first 1, follows the gains of each update.
SIZE_RATE = 0.05
# The rate with which the magnet follows the policy in each update.
MAGNET_RATE = 0.05
# The least rate with which the player follows the policy in each update of an imitation, which does
# not run in circles.
IMITATION_RATE = 0.1
# The greatest length of a network's gradient. Each network has its own, because the critic's is
# long at first.
GRADIENT_NORM = 0.5
# The logarithm of an illegal action's probability, small enough for a probability of 0.
ILLEGAL = -1e9


class ActorCritic(PlayingNetworks):
    """A policy and a critic, which `update` improves.

    The magnet and the player are moving averages of the policy:
    the policy is pulled to the magnet, and the player is what a file gets.
    """

    def __init__(
        self,
        inputs: LearnerInputs,
        width: int,
        actions: int,
        seats: int,
        seed: int,
        schedule: Schedule,
    ) -> None:
        torch.set_num_threads(1)  # sums depend on the number of threads
        # Products of short floats take half the time, where the processor has them.
        torch.set_float32_matmul_precision("medium")
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._policy = policy_network(inputs, width, actions)
            self._critic = critic_network(inputs, min(width, CRITIC_WIDTH), seats)
        self._magnet, self._player = deepcopy(self._policy), deepcopy(self._policy)
        self._learned = [*self._policy.parameters(), *self._critic.parameters()]
        self._factors, self._are_open = factor_type(inputs), inputs.are_open
        # In one pass over the weights: a third of the time.
        self._optimizer = torch.optim.Adam(self._learned, lr=schedule.step, eps=1e-5, fused=True)
        self._schedule = schedule
        self._square = 1.0  # the mean square of gains
        self.updates = 0
        # The updates by which the schedule is ahead, and whether the last update was an imitation.
        self._head_start, self._is_imitating = 0, False

    @override
    def log_shares(self, observations: Slots, masks: Mask) -> Floats:
        with torch.inference_mode():
            logits = self._policy(torch.from_numpy(observations))
            shares: Floats = _log_shares(logits, torch.from_numpy(masks)).numpy()
        return shares

    @override
    def values(self, true_states: Slots) -> Floats:
        with torch.inference_mode():
            values: Floats = self._critic(torch.from_numpy(true_states)).numpy()
        return values

    def player(self, scale: UtilityScale) -> PlayerLayers:
        """Return the layers of the player; its critic estimates utilities, not on the scale."""
        *critic, (weights, biases) = layers_of(self._critic)
        biases = biases * np.float32(scale.deviation) + np.float32(scale.mean)
        output = weights * np.float32(scale.deviation), biases
        return PlayerLayers(layers_of(self._player), [*critic, output])

    def update(self, batch: Decisions, rng: Generator, share_done: float = 0.0) -> None:
        """Improve the networks by a batch of decisions; `share_done`: the share of the training."""
        position = self.updates + self._head_start
        self._begin_update(self._schedule.step_size(position, share_done), is_imitation=False)
        entropy = self._schedule.entropy_weight(position, share_done)
        batch = batch._replace(gains=self._scaled(batch.gains))
        decisions = self._tensors_of(batch)
        with torch.no_grad():
            magnet = _log_shares(self._magnet(decisions.observations), decisions.masks)
        size = len(batch.actions)
        for _ in range(EPOCHS):
            order = torch.from_numpy(rng.permutation(size))
            for rows in order.split(MINIBATCH):
                # To select takes a quarter of the time of `array[rows]`.
                part = Decisions(*(array.index_select(0, rows) for array in decisions))
                self._improve(part, magnet.index_select(0, rows), entropy)
        self._finish_update()

    def imitate(self, batches: Iterable[Examples], share_done: float = 0.0) -> None:
        """Move the policy to a teacher's shares, and the critic to the results of its games.

        `share_done`: the share of the imitation that is done.
        """
        self._begin_update(self._schedule.imitation_step(share_done), is_imitation=True)
        self._head_start = self._schedule.head_start
        for batch in batches:
            rows = self._tensors_of(batch)
            log_shares = _log_shares(self._policy(rows.observations), rows.masks)
            self._descend(-(rows.shares * log_shares).sum(1).mean() + self._surprise(rows))
        self._finish_update(IMITATION_RATE)

    def _begin_update(self, step_size: float, *, is_imitation: bool) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = step_size
        if is_imitation != self._is_imitating:
            # Imitation and self-play have gradients of different sizes: scaled by averages of the
            # other kind, the first steps would be too large.
            self._optimizer.state.clear()
        self._is_imitating = is_imitation

    def _finish_update(self, least_rate: float = 0.0) -> None:
        """Count an update; the player follows the policy with at least this rate."""
        self.updates += 1
        _follow(self._magnet, self._policy, MAGNET_RATE)
        rate = self._schedule.player_rate(self.updates)
        _follow(self._player, self._policy, max(rate, least_rate))

    def _tensors_of(self, batch: Decisions | Examples) -> Any:
        """Return the arrays of a batch for PyTorch, what networks see as their layers read it."""
        decisions: Any = type(batch)(*(torch.from_numpy(array) for array in batch))
        true_states = decisions.true_states.to(self._factors)
        observations = true_states if self._are_open else decisions.observations.to(self._factors)
        return decisions._replace(observations=observations, true_states=true_states)

    def _scaled(self, gains: Floats) -> Floats:
        """Return gains with a typical size of 1, as the schedule expects.

        In some batches hardly any game ends. So the size follows from many batches.
        """
        self._square += SIZE_RATE * (float((gains**2).mean()) - self._square)
        return gains / np.float32(self._square**0.5)

    def _improve(self, rows: Any, magnet: Any, entropy_weight: float) -> None:
        log_shares = _log_shares(self._policy(rows.observations), rows.masks)
        shares = log_shares.exp()
        entropy = -(shares * log_shares).sum(1).mean()
        divergence = (shares * (log_shares - magnet)).sum(1).mean()
        self._descend(
            self._schedule.pull * divergence
            - entropy_weight * entropy
            - _gain(log_shares, rows)
            + self._surprise(rows)
        )

    def _surprise(self, rows: Any) -> Any:
        """Return the mean square of the critic's errors."""
        return (self._critic(rows.true_states) - rows.targets).square().mean()

    def _descend(self, loss: Any) -> None:
        """Make a step that lowers a loss."""
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for network in (self._policy, self._critic):
            nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_NORM)
        self._optimizer.step()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that training goes on from, as arrays."""
        values = {name: value.detach().numpy() for name, value in self._tensors()}
        return values | {
            "updates": np.array(self.updates),
            "square": np.array(self._square),
            "imitated": np.array([self._head_start, self._is_imitating]),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from the arrays of an earlier training."""
        if int(arrays["updates"]):  # an interruption can come before the first one
            self._fill_optimizer()
        with torch.no_grad():
            for name, value in self._tensors():
                value.copy_(torch.from_numpy(np.asarray(arrays[name])))
        self.updates, self._square = int(arrays["updates"]), float(arrays["square"])
        if "imitated" in arrays:  # trainings of older versions had no imitation
            self._head_start, is_imitating = arrays["imitated"].tolist()
            self._is_imitating = bool(is_imitating)

    def _tensors(self) -> Iterator[tuple[str, Any]]:
        for name in ("policy", "magnet", "player", "critic"):
            for part, value in getattr(self, f"_{name}").state_dict().items():
                yield f"{name}.{part}", value
        for number, parameter in enumerate(self._learned):
            for name, value in self._optimizer.state[parameter].items():
                yield f"optimizer.{number}.{name}", value

    def _fill_optimizer(self) -> None:
        """Take a step of the optimizer, which makes its averages; `restore` overwrites them."""
        for parameter in self._learned:
            # Rows without sums have no weights for them, and no averages.
            if parameter.numel():
                parameter.grad = torch.zeros_like(parameter)
        self._optimizer.step()


def _log_shares(logits: Any, masks: Any) -> Any:
    return torch.log_softmax(logits.masked_fill(masks == 0, ILLEGAL), dim=1)


def _gain(log_shares: Any, rows: Any) -> Any:
    """Return what the policy gains by PPO's measure, which ignores large changes of it."""
    taken = log_shares.gather(1, rows.actions[:, None])[:, 0]
    ratio = (taken - rows.log_shares).exp()
    clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
    return torch.minimum(ratio * rows.gains, clipped * rows.gains).mean()


def _follow(average: Any, network: Any, rate: float) -> None:
    with torch.no_grad():
        for mean, value in zip(average.parameters(), network.parameters(), strict=True):
            mean.lerp_(value, rate)
