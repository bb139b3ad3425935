"""Games as PettingZoo's parallel environments, in which seats that choose together act together."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]  # it has types, but no marker

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.pettingzoo.environment import CardhubEnv, raw_env
from cardhub.learning.adapters.rendering import HUMAN, render_text
from cardhub.learning.adapters.spaces import action_space, array_space, masked_space
from cardhub.learning.arrays import Mask
from cardhub.model.game.game import Game

# Observations, rewards, terminations, truncations and infos by agent.
Results = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class ParallelCardhubEnv(ParallelEnv[str, Any, int]):  # type: ignore[misc]  # as it has no marker
    """A game as an environment in which one step has the actions of all seats to act.

    These are the seats that choose at the same time, or the one seat whose turn it is. The other
    agents wait: their only legal action is `wait`, the number after the layout's actions, which
    `step` does not need. `turns` is the environment in which agents act one after the other; this
    one has its agents, rewards and parameters. With `mask_in_observation` an observation is a dict
    of the array and the mask, without it the mask is in the agent's info.
    """

    def __init__(self, turns: CardhubEnv, *, mask_in_observation: bool = True) -> None:
        self.turns = turns
        self.layout = turns.layout
        self.wait = turns.layout.action_count
        self.metadata = {**turns.metadata, "is_parallelizable": True}
        # This environment renders: a spectator's view after each step, not one after each action.
        self.render_mode, turns.render_mode = turns.render_mode, None
        self.possible_agents = turns.possible_agents
        self.agents: list[str] = []
        self.state_space = turns.state_space
        self._has_masks = mask_in_observation
        space: spaces.Space[Any] = (
            masked_space(self.layout, extra=1) if mask_in_observation else array_space(self.layout)
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: action_space(self.layout, extra=1) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions, `wait` included."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a new game, as `CardhubEnv.reset` does."""
        self.turns.reset(seed, options)
        self.agents = self.possible_agents[:]
        self._show()
        return self._observations()

    def step(self, actions: Mapping[str, Any]) -> Results:
        """Apply an action of each seat to act.

        Raises IllegalActionError before anything changes if one of them is missing or not legal,
        or if an agent that waits has another action than `wait`.
        """
        chosen = self._checked(actions)
        turns, agents = self.turns, self.agents
        for number in chosen:
            turns.step(number)
            if any(turns.truncations.values()):
                break
        observations, infos = self._observations()
        results = dict(turns.rewards), dict(turns.terminations), dict(turns.truncations)
        is_over = any(turns.terminations.values()) or any(turns.truncations.values())
        self.agents = [] if is_over else agents
        self._show()
        return observations, *results, infos

    def state(self) -> NDArray[np.float32]:
        """Return the true state as an array, for training with a centralized critic."""
        return self.turns.state()

    def render(self) -> str | None:
        """Return the table as a spectator sees it; in the mode `human`, print it."""
        if self.render_mode is None:
            return None
        return render_text(self.turns.table_text(self.layout.seats), self.render_mode)

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            self.render()

    def close(self) -> None:
        """Return without action: the environment has no resources to release."""

    def _checked(self, actions: Mapping[str, Any]) -> list[int]:
        """Return the numbers of the actions of the seats to act, in the order of seats."""
        if not self.agents:
            raise ValueError("there is no game. fix: call `reset`")
        episode, chosen = self.turns.episode, list[int]()
        to_act = episode.seats_to_act
        for seat, agent in enumerate(self.possible_agents):
            action = actions.get(agent)
            if seat in to_act:
                if action is None:
                    raise IllegalActionError(f"{agent} is to act. fix: pass an action of it")
                episode.numbered(self.layout, seat).chosen(action)
                chosen.append(int(action))
            elif action is not None and action != self.wait:
                raise IllegalActionError(f"{agent} waits. fix: pass {self.wait}, or no action")
        return chosen

    def _observations(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Return the observations and infos of all agents."""
        episode, layout = self.turns.episode, self.layout
        rows = [episode.row(seat) for seat in range(layout.seats)]
        arrays = dict(zip(self.possible_agents, layout.encode_rows(rows), strict=True))
        to_act = episode.seats_to_act
        masks = {
            agent: self._mask(seat, is_to_act=seat in to_act)
            for seat, agent in enumerate(self.possible_agents)
        }
        if not self._has_masks:
            return arrays, {agent: {"action_mask": mask} for agent, mask in masks.items()}
        observations = {
            agent: {"observation": array, "action_mask": masks[agent]}
            for agent, array in arrays.items()
        }
        return observations, {agent: {} for agent in self.possible_agents}

    def _mask(self, seat: int, *, is_to_act: bool) -> Mask:
        mask = np.zeros(self.wait + 1, np.int8)
        numbers = self.turns.episode.numbered(self.layout, seat).numbers if is_to_act else self.wait
        mask[numbers] = 1
        return mask


def parallel_env(
    game: str | Game[Any],
    players: int | None = None,
    *,
    mask_in_observation: bool = True,
    **choices: Any,
) -> ParallelCardhubEnv:
    """Return a parallel environment; the parameters and errors are those of `env`."""
    raw = raw_env(game, players, **choices)
    return ParallelCardhubEnv(raw, mask_in_observation=mask_in_observation)
