"""Games as PettingZoo environments, in which agents act in turn, and a wrapper for masks."""

from collections.abc import Mapping
from random import Random
from typing import Any, SupportsIndex, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # it has types, but no marker
from pettingzoo.utils import (  # type: ignore[import-untyped]  # no marker
    BaseWrapper,
    OrderEnforcingWrapper,
)
from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.learning.adapters.episode import Episode, named_game
from cardhub.learning.adapters.rendering import (
    HUMAN,
    RENDER_MODES,
    check_render_mode,
    render_text,
)
from cardhub.learning.adapters.spaces import action_space, array_space, masked_space
from cardhub.learning.adapters.utilities import GOAL, check_utility, utilities
from cardhub.learning.arrays import CURRENT, FACES, Layout, Mask, Slots
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.settings import Value
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import table_lines


class MaskInInfo(BaseWrapper):  # type: ignore[misc]  # as it has no marker
    """An environment whose observations are arrays, with the mask in `infos[agent]["action_mask"]`.

    Wrappers that transform arrays, for example SuperSuit's, do not accept observations with masks.
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


SEED_BITS = 128


class MaskedObservation(TypedDict):
    """An agent's observation, and the mask of its legal actions, all 0 if another agent acts."""

    observation: Slots
    action_mask: Mask


class CardhubEnv(AECEnv[str, MaskedObservation, int]):  # type: ignore[misc]  # as it has no marker
    """A game as an environment; agent `player_0` has seat 0, and so on.

    Chance is part of the environment. Rewards are 0 until the game is over, then utilities.
    `returns`: the kind of utility (`goal`, `margins`, `places` or `scores`; see
    `cardhub.learning.adapters.utilities`). `max_actions`: the number of actions of all agents after
    which the game is truncated with rewards of 0, or None. `render_mode`: with `ansi`, `render`
    returns the view of the agent to act as text, or at the end a spectator's view; with `human`,
    this text is printed after each action. Raises OptionError.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        returns: str = GOAL,
        render_mode: str | None = None,
        max_actions: int | None = None,
    ) -> None:
        super().__init__()
        check_utility(returns)
        check_render_mode(render_mode)
        if max_actions is not None and max_actions < 1:
            raise OptionError(f"max_actions cannot be {max_actions}: it is None or at least 1")
        self.layout = layout
        self.render_mode = render_mode
        self.metadata = {
            "name": f"cardhub_{layout.game.name}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(layout.seats)]
        self.observation_spaces = {agent: masked_space(layout) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(layout) for agent in self.possible_agents}
        self.state_space = array_space(layout)
        self._returns, self._max_actions = returns, max_actions
        self._scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._seeds = Random()  # unpredictable until `reset` gets a seed
        self.episode: Episode
        """The game in progress."""
        self._actions = 0

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions; observations contain a mask of the legal actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, with the cards that `cardhub play --seed` deals for this seed.

        Without a seed, the seed is drawn from the generator of the last given seed. `options` is
        ignored: options of a game are parameters of the environment.
        """
        if seed is not None:
            self._seeds = Random(f"{seed} seeds")
        chosen = self._seeds.getrandbits(SEED_BITS) if seed is None else seed
        layout = self.layout
        self.episode = Episode(layout, chosen)
        self._actions = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()
        self._show()

    def observe(self, agent: str) -> MaskedObservation:
        """Return an agent's observation with its mask."""
        episode, viewer = self.episode, self.possible_agents.index(agent)
        row = episode.turn()[0] if viewer == episode.seat else episode.row(viewer)
        array = self.layout.encode_rows([row])[0]
        return {"observation": array, "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> Mask:
        """Return the mask of an agent's legal actions; all 0 if another agent is to act."""
        mask = np.zeros(self.layout.action_count, np.int8)
        if self.possible_agents.index(agent) == self.episode.seat:
            mask[self.episode.numbered(self.layout).numbers] = 1
        return mask

    def state(self) -> NDArray[np.float32]:
        """Return the true state as an array, for training with a centralized critic."""
        slots: Slots = self.layout.encode_rows([self.episode.row(EVERYTHING)])[0]
        return slots

    def step(self, action: SupportsIndex | None) -> None:
        """Apply an action of the agent to act.

        When the game is over, the action None removes the agent. Raises IllegalActionError, which
        lists the legal actions.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # raises unless the action is None
            return
        # PettingZoo reads an agent's collected rewards before the agent's next step.
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.episode.apply(self.episode.numbered(self.layout).chosen(action))
        self._actions += 1
        self._set_rewards()
        self._accumulate_rewards()
        self._select()
        self._show()

    def render(self) -> str | None:
        """Return the table as text; in the mode `human`, print it; None without a render mode."""
        if self.render_mode is None:
            return None
        viewer = self.layout.seats if self.episode.is_over else self.episode.seat
        return render_text(self.table_text(viewer), self.render_mode)

    def table_text(self, viewer: int) -> str:
        """Return the table as text, as a seat or, with the number of seats, a spectator sees it."""
        view = build_view(self.episode.observe(viewer), self.possible_agents)
        return "\n".join(table_lines(view, build_catalogue(self.layout.game)))

    def close(self) -> None:
        """Return without action: the environment has no resources to release."""

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            self.render()

    def _set_rewards(self) -> None:
        if self.episode.is_over:
            values = utilities(self.episode.scores(), self._returns, self._scoring)
            self.rewards = dict(zip(self.agents, values, strict=True))
            # All agents terminate together, because no agent acts after the end.
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._actions == self._max_actions:
            self.truncations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        # After the end the seat is negative; then any agent may be selected.
        self.agent_selection = self.possible_agents[max(self.episode.seat, 0)]
        self._deads_step_first()  # PettingZoo's method: first remove agents of a finished game


def env(
    game: str | Game[Any],
    players: int | None = None,
    *,
    mask_in_observation: bool = True,
    **choices: Any,
) -> Any:
    """Return an environment that raises an error if used before `reset`; see `raw_env`.

    `mask_in_observation`: True to put the mask into the observation, False to return plain arrays
    and put the mask into the agent's info.
    """
    raw = raw_env(game, players, **choices)
    return OrderEnforcingWrapper(raw if mask_in_observation else MaskInInfo(raw))


def raw_env(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    returns: str = GOAL,
    render_mode: str | None = None,
    max_actions: int | None = None,
    history: int = 0,
    tokens: bool | None = None,
    actions: str = FACES,
    recall: str = CURRENT,
) -> CardhubEnv:
    """Return an environment for a game, given by name or as an object.

    `players` and `options` default to the game's defaults. `history`, `tokens`, `actions` and
    `recall` are parameters of `Layout`, the other ones of CardhubEnv. Raises PluginError for an
    unknown game, and OptionError for other invalid parameters.
    """
    named = named_game(game)
    layout = Layout(
        named, players, options, history=history, tokens=tokens, actions=actions, recall=recall
    )
    return CardhubEnv(layout, returns=returns, render_mode=render_mode, max_actions=max_actions)
