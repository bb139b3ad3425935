"""Many learners' games as a vector environment of Gymnasium."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.learning.adapters.spaces import action_space, array_space, head_space, masked_space
from cardhub.learning.adapters.vector import VectorEnv
from cardhub.learning.adapters.vector.learner_game import FORFEIT
from cardhub.learning.arrays import Mask

Floats = NDArray[np.float64]


class LearnerVectorEnv(GymnasiumVectorEnv[Any, Any, Any]):
    """A learner's seat at each of many tables with bots, which are stepped together.

    When a game ends, the next game at this table begins in the same step: `info["final_obs"]` and
    `info["final_info"]` describe the ended game. `action_heads`: True if actions are rows of
    choices of `Layout.action_heads`. `copy`: True to return new arrays, False to return the same
    observation and mask arrays, which the next step overwrites.
    """

    metadata = {  # noqa: RUF012  # as declared by Gymnasium
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        tables: VectorEnv,
        *,
        mask_in_observation: bool = False,
        action_heads: bool = False,
        copy: bool = True,
    ) -> None:
        layout = tables.layout
        self.tables = tables
        self.num_envs = tables.tables
        space = (masked_space if mask_in_observation else array_space)(layout)
        self.single_observation_space = space
        self.single_action_space = (head_space if action_heads else action_space)(layout)
        self.observation_space = batch_space(space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._has_masks = mask_in_observation
        self._copies = copy

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games at all tables; without a seed, the games follow from the last seed.

        `options` is ignored: options of a game are parameters of the environment.
        """
        super().reset(seed=seed)
        self.tables.reset(seed)
        return self._observations(), self._infos()

    @override
    def step(self, actions: Any) -> tuple[Any, Floats, Any, Any, dict[str, Any]]:
        """Apply one action at each table and play until the learners' next decisions."""
        arrays = self.tables.arrays
        seats, seeds = arrays.seats.copy(), arrays.seeds.copy()
        self.tables.step(actions)
        is_over = arrays.terminated | arrays.truncated
        infos = self._infos()
        if is_over.any():
            infos |= self._final_infos(is_over, seats, seeds)
        return (
            self._observations(),
            arrays.learner_rewards.copy(),
            arrays.terminated.copy(),
            arrays.truncated.copy(),
            infos,
        )

    def action_masks(self) -> Mask:
        """Return the masks of the legal actions."""
        masks = self.tables.arrays.masks
        return masks.copy() if self._copies else masks

    @override
    def close_extras(self, **kwargs: Any) -> None:
        """Release processes and bots."""
        self.tables.close()

    def _observations(self) -> Any:
        observations = self.tables.arrays.observations
        observations = observations.copy() if self._copies else observations
        if self._has_masks:
            return {"observation": observations, "action_mask": self.action_masks()}
        return observations

    def _infos(self) -> dict[str, Any]:
        arrays = self.tables.arrays
        return self._with_masks(
            {
                "action_mask": self.action_masks(),
                "seat": arrays.seats.copy(),
                "seed": arrays.seeds.copy(),
            },
            np.ones(self.num_envs, np.bool_),
        )

    def _final_infos(
        self, is_over: NDArray[np.bool_], seats: NDArray[Any], seeds: NDArray[Any]
    ) -> dict[str, Any]:
        arrays = self.tables.arrays
        masks = np.zeros_like(arrays.masks)
        observations = np.full(self.num_envs, None, dtype=object)
        for table in np.flatnonzero(is_over):
            last = arrays.final_observations[table].copy()
            masked = {"observation": last, "action_mask": masks[table].copy()}
            observations[table] = masked if self._has_masks else last
        ended = {
            "action_mask": masks,
            "seat": seats,
            "seed": seeds,
            "illegal_action": arrays.actions == FORFEIT,
        }
        infos = {"final_obs": observations, "final_info": self._with_masks(ended, is_over)}
        return self._with_masks(infos, is_over)

    @staticmethod
    def _with_masks(infos: dict[str, Any], tables: NDArray[np.bool_]) -> dict[str, Any]:
        """Add Gymnasium's masks: `_key` marks the tables with a value of `key`."""
        return infos | {f"_{key}": tables.copy() for key in infos}
