"""A game as an environment in which agents act one after the other."""

from random import Random
from typing import Any, SupportsIndex, TypedDict

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # it has types, but no marker

from cardhub.adapters.pettingzoo.course import Course
from cardhub.adapters.worth import MARGINS, check_worth, worth
from cardhub.arrays import Layout, Mask, Slots
from cardhub.errors import OptionError
from cardhub.hidden.observation import EVERYTHING
from cardhub.text import lay_out, render
from cardhub.text.plain_text import WIDTH

ANSI = "ansi"
SEED_BITS = 128


class Observed(TypedDict):
    """What an agent gets to see: an array, and which actions it may take (none if not to act)."""

    observation: Slots
    action_mask: Mask


class CardhubEnv(AECEnv[str, Observed, int]):  # type: ignore[misc]  # as it has no marker
    """A game at one table; agent `player_0` has seat 0, and so on.

    Chance acts by itself. Rewards are 0 until the game is over; then they are what `returns` says:
    `margins`, `places` or `scores`, see `cardhub.adapters.worth`. After `max_actions` of the agents
    the game is cut off and rewards nobody. With `render_mode="ansi"`, `render` returns the table as
    text, as the agent to act sees it; at the end, as everybody does. Raises OptionError.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        returns: str = MARGINS,
        render_mode: str | None = None,
        max_actions: int | None = None,
    ) -> None:
        super().__init__()
        check_worth(returns)
        if render_mode not in (None, ANSI):
            raise OptionError(f"render_mode cannot be {render_mode!r}: it is None or {ANSI!r}")
        if max_actions is not None and max_actions < 1:
            raise OptionError(f"max_actions cannot be {max_actions}: it is None or at least 1")
        self.layout = layout
        self.render_mode = render_mode
        self.metadata = {
            "name": f"cardhub_{layout.game.name}",
            "render_modes": [ANSI],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(layout.seats)]
        self.observation_spaces = {agent: _seen_space(layout) for agent in self.possible_agents}
        size = layout.game.actions.size
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.state_space = _array_space(layout)
        self._returns, self._max_actions = returns, max_actions
        self._seeds = Random()
        self._course: Course
        self._actions = 0

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions; the mask in an observation says which are legal."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, with the cards that `cardhub play --seed` deals for this seed.

        Without a seed, games follow from the last seed given, or from none. `options` is ignored: a
        game's options are chosen when the environment is made.
        """
        if seed is not None:
            self._seeds = Random(f"{seed} seeds")
        chosen = self._seeds.getrandbits(SEED_BITS) if seed is None else seed
        layout = self.layout
        self._course = Course(layout.game, layout.settings, layout.seats, chosen)
        self._actions = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observed:
        """Return what an agent may know now."""
        seen = self._course.observe(self.possible_agents.index(agent))
        return {"observation": self.layout.encode(seen), "action_mask": self.layout.mask(seen)}

    def state(self) -> NDArray[np.float32]:
        """Return the true state as an array, for training with a critic that sees everything."""
        return self.layout.encode(self._course.observe(EVERYTHING))

    def step(self, action: SupportsIndex | None) -> None:
        """Carry out an action of the agent to act; IllegalActionError names the legal ones.

        Once the game is over, each agent in turn is taken out with None.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # which complains unless that is None
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._course.act(action)
        self._actions += 1
        self._end()
        self._accumulate_rewards()
        self._select()

    def render(self) -> str | None:
        """Return the table as text, or None without a render mode."""
        if self.render_mode is None:
            return None
        seats = self.layout.seats
        viewer = seats if self._course.is_over else self._course.seat
        sheet = lay_out(self._course.observe(viewer), self.possible_agents, WIDTH)
        return render(sheet)

    def close(self) -> None:
        """Do nothing: there is nothing to be released."""

    def _end(self) -> None:
        """Pay out if the game is over; cut it off if it has gone on for long enough."""
        if self._course.is_over:
            game = self.layout.game
            scores = self._course.scores()
            paid = worth(scores, self._returns, lowest_wins=game.lowest_wins)
            self.rewards = dict(zip(self.agents, paid, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._actions == self._max_actions:
            self.truncations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        """Say who is next: the agent to act, or the first to be taken out."""
        self.agent_selection = self.possible_agents[max(self._course.seat, 0)]
        self._deads_step_first()


def _array_space(layout: Layout) -> spaces.Box:
    return spaces.Box(-1.0, 1.0, (layout.size,), np.float32)


def _seen_space(layout: Layout) -> spaces.Dict:
    mask = spaces.Box(0, 1, (layout.game.actions.size,), np.int8)
    return spaces.Dict({"observation": _array_space(layout), "action_mask": mask})
