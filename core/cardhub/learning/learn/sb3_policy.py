"""Policies of Stable-Baselines3 and sb3-contrib."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import BotError, MissingLibraryError
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.learn.model_file import Policy

try:
    import torch
    from gymnasium import spaces
    from stable_baselines3.common.policies import ActorCriticPolicy
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "sb3-contrib is not installed. fix: pip install '.[learn]' in the checkout of cardhub"
    ) from error


def load(path: Path, algorithm: Any) -> Policy:
    """Return the policy of a saved algorithm; raises BotError if it has no probabilities.

    It must be an actor-critic policy, which for example MaskablePPO, PPO and A2C have.
    """
    # A policy gets one observation per call, in many processes: threads would only wait for each
    # other, and sums would depend on their number.
    torch.set_num_threads(1)
    with _unchanged_generators():
        policy = algorithm.load(path, device="cpu").policy
    policy.set_training_mode(False)
    if hasattr(policy, "get_distribution"):
        return ActorCritic(policy)
    raise BotError(
        f"{path}: {algorithm.__name__} has no policy of probabilities. fix: save it with a loader"
    )


@contextmanager
def _unchanged_generators() -> Iterator[None]:
    # Loading an algorithm seeds all global generators, which a running training may be using.
    states = random.getstate(), np.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        torch.set_rng_state(states[2])


class ActorCritic(Policy):
    """A policy of Stable-Baselines3 that has a probability distribution of actions."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy
        # Policies of algorithms without masks do not accept masks.
        self._takes_masks = not isinstance(policy, ActorCriticPolicy)
        self._is_dict = isinstance(policy.observation_space, spaces.Dict)

    def __call__(self, observations: Slots, masks: Mask, /) -> NDArray[np.float32]:
        """Return a row of probabilities for each observation."""
        masked = {"observation": observations, "action_mask": masks}
        with torch.no_grad():
            tensor, _ = self._policy.obs_to_tensor(masked if self._is_dict else observations)
            mask_arguments = {"action_masks": masks} if self._takes_masks else {}
            distribution = self._policy.get_distribution(tensor, **mask_arguments).distribution
        probabilities: NDArray[np.float32] = distribution.probs.numpy()
        return probabilities
