"""Gymnasium ids of the installed games."""

from functools import partial
from typing import Any

from gymnasium.envs.registration import register, registry

from cardhub.learning.adapters.gymnasium.factory import env, vector_env
from cardhub.learning.adapters.gymnasium.learner_vector_env import LearnerVectorEnv
from cardhub.plugins.registry import find_plugins

NAMESPACE = "cardhub"
VERSION = 0


def environment_id(game: str) -> str:
    """Return the id of a game: `cardhub/GinRummy-v0` for `gin_rummy`."""
    words = game.replace("-", "_").split("_")
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
