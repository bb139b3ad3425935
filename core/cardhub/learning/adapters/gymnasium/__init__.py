"""cardhub games as Gymnasium environments: `env("gamon", rivals=["rule"])`.

The import of this package registers an id for every installed game, for example `cardhub/Gamon-v0`.
It needs the extra `gymnasium` and raises MissingLibraryError without it.
"""

from cardhub.base.errors import MissingLibraryError

try:
    import gymnasium  # noqa: F401  # for the error below
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "Gymnasium is not installed. fix: pip install '.[gymnasium]' in the checkout of cardhub"
    ) from error

from cardhub.learning.adapters.gymnasium.factory import (
    env,
    environment_id,
    register_games,
    vector_env,
)
from cardhub.learning.adapters.gymnasium.learner_env import LearnerEnv
from cardhub.learning.adapters.gymnasium.learner_vector_env import LearnerVectorEnv

__all__ = [
    "LearnerEnv",
    "LearnerVectorEnv",
    "env",
    "environment_id",
    "register_games",
    "vector_env",
]

register_games()
