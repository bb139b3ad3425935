"""A wrapper for PettingZoo environments that takes masks out of observations."""

from typing import Any

from gymnasium import spaces
from pettingzoo.utils import BaseWrapper  # type: ignore[import-untyped]  # no marker
from typing_extensions import override

from cardhub.learning.arrays import Slots


class MaskInInfo(BaseWrapper):  # type: ignore[misc]  # as it has no marker
    """An environment whose observations are arrays; masks are `infos[agent]["action_mask"]`.

    Wrappers that transform arrays, such as SuperSuit's, do not accept observations with masks.
    """

    @property
    def observation_spaces(self) -> dict[str, spaces.Space[Any]]:
        """The space of each agent's arrays."""
        return {agent: self.observation_space(agent) for agent in self.possible_agents}

    @override
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        space: spaces.Space[Any] = super().observation_space(agent)["observation"]
        return space

    @override
    def observe(self, agent: str) -> Slots:
        slots: Slots = super().observe(agent)["observation"]
        return slots

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=seed, options=options)
        self._set_masks()

    @override
    def step(self, action: Any) -> None:
        super().step(action)
        self._set_masks()

    def _set_masks(self) -> None:
        for agent in self.agents:
            self.infos[agent]["action_mask"] = self.unwrapped.action_mask(agent)
