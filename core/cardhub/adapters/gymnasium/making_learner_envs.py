"""Make Gymnasium environments of a game, given by name or as an object."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardhub.adapters.gymnasium.learner_env import LearnerEnv
from cardhub.adapters.gymnasium.learner_vector_env import LearnerVectorEnv
from cardhub.adapters.named_game import named_game
from cardhub.adapters.utilities import GOAL
from cardhub.adapters.vector.making import check_rivals, tables_of
from cardhub.adapters.vector.table_spec import FINAL, TableSpec, check_spec
from cardhub.arrays import CURRENT, FACES, Layout
from cardhub.errors import OptionError
from cardhub.game.game import Game
from cardhub.table.settings import Value

RIVALS = ("random",)
ILLEGAL_REWARD = -1.0


def env(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    mask_in_observation: bool = False,
    render_mode: str | None = None,
    **choices: Any,
) -> LearnerEnv:
    """Return an environment in which one seat learns and bots have the others.

    `players` and `options` default to the game's own. `choices` are those of `learner_spec`.
    Raises PluginError for an unknown game or bot, and OptionError for other invalid parameters.
    """
    spec = learner_spec(game, players, options, **choices)
    check_rivals(spec)
    return LearnerEnv(spec, mask_in_observation=mask_in_observation, render_mode=render_mode)


def vector_env(
    game: str | Game[Any],
    num_envs: int,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    workers: int = 0,
    mask_in_observation: bool = False,
    copy: bool = True,
    **choices: Any,
) -> LearnerVectorEnv:
    """Return many environments that are stepped together, by `workers` processes if there are any.

    See LearnerVectorEnv for `copy`, and `env` for the others.
    """
    spec = learner_spec(game, players, options, final_observations=True, **choices)
    tables = tables_of(spec, num_envs, workers)
    return LearnerVectorEnv(tables, mask_in_observation=mask_in_observation, copy=copy)


def learner_spec(
    game: str | Game[Any],
    players: int | None,
    options: Mapping[str, Value] | None,
    *,
    rivals: Sequence[str] = RIVALS,
    seat: int | None = None,
    returns: str = GOAL,
    rewards: str = FINAL,
    illegal_reward: float | None = ILLEGAL_REWARD,
    max_actions: int | None = None,
    final_observations: bool = False,
    history: int = 0,
    tokens: bool | None = None,
    actions: str = FACES,
    recall: str = CURRENT,
) -> TableSpec:
    """Return the parameters of tables with rivals; see TableSpec, and Layout for the last four."""
    if not rivals or isinstance(rivals, str):
        raise OptionError(f"rivals cannot be {rivals!r}. fix: pass a list of bots, as ['random']")
    found = named_game(game)
    layout = Layout(
        found, players, options, history=history, tokens=tokens, actions=actions, recall=recall
    )
    spec = TableSpec(
        layout,
        returns,
        max_actions,
        tuple(rivals),
        seat,
        rewards,
        illegal_reward,
        final_observations,
    )
    check_spec(spec)
    return spec
