"""A game as a Gymnasium environment: one seat learns, bots play the other seats."""

from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.rendering import (
    HUMAN,
    RENDER_MODES,
    check_render_mode,
    render_text,
)
from cardhub.learning.adapters.spaces import action_space, array_space, head_space, masked_space
from cardhub.learning.adapters.vector.learner_game import FORFEIT, LearnerGame, bot_maker
from cardhub.learning.adapters.vector.learning_table import MOST_WITHOUT_DECISION
from cardhub.learning.adapters.vector.seeding import SEED_BITS
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout, LegalActions, Mask
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Step
from cardhub.model.table.state import CHANCE
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import table_lines

LEARNER = "learner"


def seat_text(game: LearnerGame, spec: TableSpec, rivals: dict[int, str]) -> str:
    """Return the actions since the learner's previous decision, then the table, as text."""
    seats = range(spec.layout.seats)
    names = [f"player_{seat}" if seat in rivals else LEARNER for seat in seats]
    learner = names.index(LEARNER)
    # The text uses the learner's observation: lines name only cards that it has seen.
    observation = game.episode.observe(learner)
    bots = [rivals.get(seat, "") for seat in seats]
    view = build_view(observation, names, bots=bots)
    # The learner's last step and all steps after it.
    own_steps = [number for number, step in enumerate(observation.history) if step.seat == learner]
    latest = observation.history[own_steps[-1] if own_steps else 0 :]
    past = _action_lines(latest, observation.labels(names))
    return "\n".join([*past, *table_lines(view, build_catalogue(spec.layout.game))])


def _action_lines(steps: Sequence[Step], labels: Labels) -> Iterator[str]:
    for seat, action in steps:
        actor = "chance" if seat == CHANCE else labels.player(seat)
        yield f"{actor}: {labels.plain_label(action)}"
    if steps:
        yield ""


class LearnerEnv(gymnasium.Env[Any, Any]):
    """One learner's seat at a table of bots; a step is a decision of the learner.

    An observation is an array of the layout, or with `mask_in_observation` a dict of the array and
    the mask; `info["action_mask"]` is always the mask. With `action_heads` an action is a row of
    choices of `Layout.action_heads`; masks still have a number for each action. An illegal action
    ends the game with the reward `spec.illegal_reward`, or raises IllegalActionError if the reward
    is None. Games without a decision of the learner are skipped. Raises OptionError.
    """

    # Gymnasium requires a frame rate from every environment that can be rendered.
    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012  # Gymnasium's type

    def __init__(
        self,
        spec: TableSpec,
        *,
        mask_in_observation: bool = False,
        action_heads: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        layout = spec.layout
        self.table_spec = spec
        self.render_mode = render_mode
        self.observation_space = (masked_space if mask_in_observation else array_space)(layout)
        self.action_space = (head_space if action_heads else action_space)(layout)
        self._has_heads = action_heads
        self._has_masks = mask_in_observation
        self._scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._make_bot = bot_maker(spec)
        self._turn = -1
        self._game: LearnerGame | None = None
        self._legal: LegalActions | None = None

    @property
    def layout(self) -> Layout:
        """The layout of the observations."""
        return self.table_spec.layout

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a new game, with the cards that `cardhub play --seed` deals for this seed.

        Without a seed, the next seed follows from the last one. `options` is ignored: options of a
        game are parameters of the environment. If the learner's seat changes from game to game, it
        is `seed` modulo the number of seats, and moves to the next seat in games without a seed.
        """
        super().reset(seed=seed)
        self._turn = self._turn + 1 if seed is None else seed
        for _ in range(MOST_WITHOUT_DECISION):
            deal = int(self.np_random.integers(1 << SEED_BITS)) if seed is None else seed
            self.close()
            self._game = LearnerGame(
                self.table_spec, self._scoring, deal, self._turn, self._make_bot
            )
            if self._playing().advance():
                return self._observation(is_open=True)
            self._turn, seed = self._turn + 1, None
        raise ValueError(f"the learner had no decision in {MOST_WITHOUT_DECISION} games in a row")

    @override
    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply an action of the learner and play until its next decision or the end."""
        game = self._playing()
        game.act(self._checked(action))
        is_open = game.advance()
        observation, info = self._observation(is_open=is_open)
        is_truncated = not (is_open or game.is_terminated)
        return observation, game.reward(), game.is_terminated, is_truncated, info

    def action_masks(self) -> Mask:
        """Return the mask of the legal actions; all 0 after the end."""
        mask = np.zeros(self.layout.action_count, np.int8)
        if self._legal is not None:
            mask[self._legal.numbers] = 1
        return mask

    @override
    def render(self) -> Any:
        """Return the learner's view of the table as text; in the mode `human`, print it."""
        if self.render_mode is None:
            return None
        spec = self.table_spec
        text = seat_text(self._playing(), spec, spec.rivals_by_seat(self._turn))
        return render_text(text, self.render_mode)

    @override
    def close(self) -> None:
        """Close the bots."""
        self._legal = None
        if self._game is not None:
            self._game.close()

    def _playing(self) -> LearnerGame:
        if self._game is None:
            raise ValueError("there is no game. fix: call `reset` first")
        return self._game

    def _checked(self, number: Any) -> int:
        """Return the legal action with a learner's number, or FORFEIT for an illegal number.

        Raises IllegalActionError instead if `spec.illegal_reward` is None.
        """
        if self._legal is None:
            raise ValueError("the game is over. fix: call `reset`")
        if self._has_heads:
            number = self.layout.action_heads.join(np.asarray([number]))[0].item()
        try:
            return self._legal.chosen(number)
        except IllegalActionError as error:
            # An object that is not a number is a bug of the caller.
            if self.table_spec.illegal_reward is None or type(error.action) is not int:
                raise
            return FORFEIT

    def _observation(self, *, is_open: bool) -> tuple[Any, dict[str, Any]]:
        """Return the learner's observation and info; `is_open`: the learner has a decision."""
        game = self._playing()
        row = game.learner_row()
        self._legal = game.episode.numbered(self.layout) if is_open else None
        observation: Any = self.layout.encode_rows([row])[0]
        if self._has_masks:
            observation = {"observation": observation, "action_mask": self.action_masks()}
        info = {"action_mask": self.action_masks(), "seat": game.learner, "seed": game.seed}
        if game.has_forfeited:
            info["illegal_action"] = True
        if self.render_mode == HUMAN:
            self.render()
        return observation, info
