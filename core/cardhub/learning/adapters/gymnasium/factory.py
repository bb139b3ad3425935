"""Make Gymnasium environments of a game, and register the ids of the installed games."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from gymnasium.envs.registration import register, registry
from gymnasium.vector import AutoresetMode

from cardhub.base.errors import OptionError
from cardhub.learning.adapters.gymnasium.learner_env import LearnerEnv
from cardhub.learning.adapters.gymnasium.learner_vector_env import LearnerVectorEnv
from cardhub.learning.adapters.vector.factory import check_rivals, table_spec, tables_of
from cardhub.learning.adapters.vector.seeding import PLAY
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import find_plugins

RIVALS = ("random",)
ILLEGAL_REWARD = -1.0


def env(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    mask_in_observation: bool = False,
    action_heads: bool = False,
    render_mode: str | None = None,
    **choices: Any,
) -> LearnerEnv:
    """Return an environment in which one seat learns and bots play the other seats.

    `players` and `options` default to the game's defaults. `action_heads`: an action is a row of
    choices of `Layout.action_heads` instead of a number. `choices`: parameters of `learner_spec`.
    Raises PluginError for an unknown game or bot, and OptionError for other invalid parameters.
    """
    spec = learner_spec(game, players, options, **choices)
    check_rivals(spec)
    return LearnerEnv(
        spec,
        mask_in_observation=mask_in_observation,
        action_heads=action_heads,
        render_mode=render_mode,
    )


def vector_env(
    game: str | Game[Any],
    num_envs: int,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    workers: int = 0,
    seeding: str = PLAY,
    mask_in_observation: bool = False,
    action_heads: bool = False,
    copy: bool = True,
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    **choices: Any,
) -> LearnerVectorEnv:
    """Return many environments that are stepped together.

    `workers`: the number of processes that step them; 0 means the calling process. `seeding`:
    `play`, or `fast` for deals in a row by one generator. See LearnerVectorEnv for `copy` and
    `autoreset_mode`, and `env` for the other parameters.
    """
    spec = learner_spec(game, players, options, final_observations=True, **choices)
    tables = tables_of(spec, num_envs, workers, seeding)
    return LearnerVectorEnv(
        tables,
        mask_in_observation=mask_in_observation,
        action_heads=action_heads,
        copy=copy,
        autoreset_mode=autoreset_mode,
    )


def learner_spec(
    game: str | Game[Any],
    players: int | None,
    options: Mapping[str, Value] | None,
    *,
    rivals: Sequence[str] = RIVALS,
    illegal_reward: float | None = ILLEGAL_REWARD,
    **choices: Any,
) -> TableSpec:
    """Return the parameters of tables with rivals; `choices`: parameters of `table_spec`."""
    if not rivals or isinstance(rivals, str):
        raise OptionError(f"rivals cannot be {rivals!r}. fix: pass a list of bots: ['random']")
    return table_spec(
        game, players, options, rivals=rivals, illegal_reward=illegal_reward, **choices
    )


NAMESPACE = "cardhub"
VERSION = 0


def environment_id(game: str) -> str:
    """Return the id of a game: `cardhub/GinRummy-v0` for `gin_rummy`."""
    words = re.findall(r"[^\W_]+", game)  # Gymnasium refuses other characters
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_games() -> None:
    """Register the ids of all installed games that are not registered yet."""
    for game in find_plugins().game_names():
        name = environment_id(game)
        if name in registry:
            continue
        register(
            id=name,
            entry_point=partial(env, game),
            vector_entry_point=partial(_vector_env, game),
            # The environment itself checks the order, with a clearer message.
            order_enforce=False,
        )


def _vector_env(game: str, *, num_envs: int = 1, **choices: Any) -> LearnerVectorEnv:
    # The game is bound by position, because Gymnasium passes all arguments by name.
    return vector_env(game, num_envs, **choices)
