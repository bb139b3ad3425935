"""Many learners' games as a vector environment of Gymnasium."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.learning.adapters.spaces import action_space, array_space, head_space, masked_space
from cardhub.learning.adapters.vector import VectorEnv
from cardhub.learning.adapters.vector.learner_game import FORFEIT
from cardhub.learning.arrays import Mask

Floats = NDArray[np.float64]


class LearnerVectorEnv(GymnasiumVectorEnv[Any, Any, Any]):
    """A learner's seat at each of many tables with bots, which are stepped together.

    When a game ends, the next game at this table begins in the same step: `info["final_obs"]` and
    `info["final_info"]` describe the ended game. With `AutoresetMode.NEXT_STEP` it begins in the
    next step, which ignores the action of this table and has the reward 0; until then the
    observation is the last one of the ended game, without a legal action. `action_heads`: True if
    actions are rows of choices of `Layout.action_heads`. `copy`: True to return new arrays, False
    to return the same observation and mask arrays, which the next step overwrites; only with the
    first mode. Raises OptionError.
    """

    def __init__(
        self,
        tables: VectorEnv,
        *,
        mask_in_observation: bool = False,
        action_heads: bool = False,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    ) -> None:
        layout = tables.layout
        self.metadata = {"render_modes": [], "autoreset_mode": _read_mode(autoreset_mode)}
        self._ends_first = self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        if self._ends_first and not copy:
            raise OptionError("copy must be True if games begin in the next step")
        self.tables = tables
        self.num_envs = tables.tables
        space = (masked_space if mask_in_observation else array_space)(layout)
        self.single_observation_space = space
        self.single_action_space = (head_space if action_heads else action_space)(layout)
        self.observation_space = batch_space(space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._has_masks = mask_in_observation
        self._copies = copy
        # The tables whose game ended with the last step and that wait for the next game.
        self._waiting = np.zeros(self.num_envs, np.bool_)

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new games at all tables; without a seed, the games follow from the last seed.

        `options` is ignored: options of a game are parameters of the environment.
        """
        super().reset(seed=seed)
        self.tables.reset(seed)
        self._waiting[:] = False
        return self._observations(), self._infos()

    @override
    def step(self, actions: Any) -> tuple[Any, Floats, Any, Any, dict[str, Any]]:
        """Apply one action at each table and play until the learners' next decisions."""
        arrays = self.tables.arrays
        seats, seeds = arrays.seats.copy(), arrays.seeds.copy()
        self.tables.step(actions, self._waiting if self._ends_first else None)
        is_over = arrays.terminated | arrays.truncated
        if self._ends_first:
            self._waiting = is_over
        observations, infos = self._observations(), self._infos()
        if is_over.any():
            ended = self._final_infos(is_over, seats, seeds)
            if self._ends_first:
                self._show_ended(observations, infos, ended["final_info"])
            else:
                infos |= ended
        return (
            observations,
            arrays.learner_rewards.copy(),
            arrays.terminated.copy(),
            arrays.truncated.copy(),
            infos,
        )

    def action_masks(self) -> Mask:
        """Return the masks of the legal actions; all 0 at tables whose game has ended."""
        masks = self.tables.arrays.masks
        if self._waiting.any():
            return np.where(self._waiting[:, None], masks.dtype.type(0), masks)
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

    def _show_ended(self, observations: Any, infos: dict[str, Any], ended: dict[str, Any]) -> None:
        """Replace the observations and infos of tables whose game has ended by its last ones."""
        is_over = self._waiting
        seen = observations["observation"] if self._has_masks else observations
        seen[is_over] = self.tables.arrays.final_observations[is_over]
        for key in ("seat", "seed"):
            infos[key][is_over] = ended[key][is_over]
        infos |= {key: ended[key] for key in ("illegal_action", "_illegal_action")}

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


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    modes = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP
    if mode not in {*modes, *(mode.value for mode in modes)}:
        words = " or ".join(repr(mode.value) for mode in modes)
        raise OptionError(f"autoreset_mode cannot be {mode!r}: it is {words}")
    return AutoresetMode(mode)
