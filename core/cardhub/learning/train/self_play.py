"""Games of a network against itself at many tables, as arrays for training."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.adapters.vector import VectorEnv
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.learner_slots import LearnerInputs, from_first, from_seat
from cardhub.learning.train.network import margins_in
from cardhub.learning.train.rewards import Floats, Rewards

Generator = np.random.Generator

# How much the value of a position counts later results: less is less noise, and more bias.
TRACE = 0.95
# The probability of a sampled action is at least this in a sum of logarithms.
TINY = 1e-12


class PlayingNetworks(Protocol):
    """The networks that play: the policy sees an observation, the critic the true state."""

    def log_shares(self, observations: Slots, masks: Mask) -> Floats:
        """Return the logarithms of the probabilities of all actions."""
        ...

    def values(self, true_states: Slots) -> Floats:
        """Return the expected utilities of all seats."""
        ...


class Decisions(NamedTuple):
    """Decisions of one batch, one in each row of all arrays.

    `log_shares`: the logarithm of the probability of the action. `gains`: how much better than
    expected the game went on for the seat that acted. `targets`: the utilities of all seats, as
    the critic should have expected them, in the order of its inputs.
    """

    observations: Slots
    masks: Mask
    true_states: Slots
    actions: NDArray[np.int64]
    log_shares: Floats
    gains: Floats
    targets: Floats


class SelfPlay:
    """Tables at which one network has all seats.

    `inputs`: what the network sees. `steps`: decisions at each table in a batch. `points`: how many
    points 1 stands for in the inputs that are scores.
    """

    def __init__(
        self,
        tables: VectorEnv,
        inputs: LearnerInputs,
        steps: int,
        rewards: Rewards,
        points: float = 0.0,
    ) -> None:
        self._env, self._inputs, self._steps = tables, inputs, steps
        self._rewards, self._points = rewards, points
        self.games = 0
        """The number of games that have ended."""

    @property
    def standing(self) -> np.float32:
        """What the margin by present scores counts in rewards, by input.

        The critic estimates only the rest, because a sum of the points of a whole game is noise to
        it. In games without margins it is 0.
        """
        return np.float32(self._points * self._rewards.point)

    def reset(self, seed: int) -> None:
        """Start new games at all tables."""
        self._env.reset(seed)

    def collect(self, networks: PlayingNetworks, rng: Generator) -> Decisions:
        """Play some decisions at each table, and return them."""
        steps: list[dict[str, NDArray[Any]]] = []
        for _ in range(self._steps):
            steps.append(self._step(networks, rng))
        last = self._env.arrays.true_states
        of_steps = [step.pop("true_states") for step in steps]
        states = np.stack([*of_steps, self._inputs.of_states(last)])
        rows = {name: np.stack([step[name] for step in steps]) for name in steps[0]}
        results, ended = rows.pop("results"), rows.pop("ended")
        rewards = np.zeros(results.shape, np.float32)
        if ended.any():
            rewards[ended] = self._rewards.add(results[ended])
        rows["true_states"] = states[:-1]
        if self._inputs.are_open:
            rows["observations"] = states[:-1]
        acting = np.concatenate([rows.pop("acting"), self._inputs.acting(last)[None]])
        standing = self.standing * margins_in(states, self._inputs)
        values = networks.values(states.reshape(-1, states.shape[-1]))
        values = from_first(values.reshape(*states.shape[:2], -1) + standing, acting)
        gains = gains_of(rewards, values, ended, TRACE)
        seats = rows.pop("seats")
        rows["gains"] = np.take_along_axis(gains, seats[..., None], 2)[..., 0]
        rows["targets"] = from_seat(gains + values[:-1], acting[:-1]) - standing[:-1]
        return Decisions(**{name: row.reshape(-1, *row.shape[2:]) for name, row in rows.items()})

    def _step(self, networks: PlayingNetworks, rng: Generator) -> dict[str, NDArray[Any]]:
        """Choose an action at each table and apply it; return a row for each table."""
        arrays = self._env.arrays
        observations = self._inputs.of_observations(arrays.observations)
        masks, seats = arrays.masks.copy(), arrays.seats.copy()
        are_open = self._inputs.are_open
        true_states = observations if are_open else self._inputs.of_states(arrays.true_states)
        acting = self._inputs.acting(arrays.true_states)
        log_shares = networks.log_shares(observations, masks)
        actions = sample(log_shares, masks, rng)
        self._env.step(actions)
        # A truncated game has no result: it ends like a game between even players.
        ended = arrays.terminated | arrays.truncated
        self.games += int(ended.sum())
        return ({} if are_open else {"observations": observations}) | {
            "masks": masks,
            "true_states": true_states,
            "seats": seats,
            "acting": acting,
            "actions": actions,
            "log_shares": np.take_along_axis(log_shares, actions[:, None], 1)[:, 0],
            "results": arrays.rewards.copy(),
            "ended": ended,
        }


def sample(log_shares: Floats, masks: Mask, rng: Generator) -> NDArray[np.int64]:
    """Return an action of each row, drawn with its probabilities."""
    noise = rng.exponential(size=log_shares.shape).astype(np.float32)
    # The greatest of the logarithms with Gumbel noise is distributed like the probabilities.
    keys = np.where(masks, log_shares - np.log(noise + TINY), -np.inf)
    actions: NDArray[np.int64] = keys.argmax(axis=1)
    return actions


def gains_of(rewards: Floats, values: Floats, ended: NDArray[np.bool_], trace: float) -> Floats:
    """Return how much better than the critic's value each decision went on, for all seats.

    The future depends on the true state alone. So a decision leads to the value of the next true
    state, also if another seat acts there.
    """
    gains = np.zeros_like(rewards)
    later = np.zeros_like(rewards[0])
    for step in range(len(rewards) - 1, -1, -1):
        goes_on = (~ended[step])[:, None].astype(np.float32)
        change = rewards[step] + goes_on * values[step + 1] - values[step]
        later = change + trace * goes_on * later
        gains[step] = later
    return gains
