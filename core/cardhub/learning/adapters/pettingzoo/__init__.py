"""cardhub games as PettingZoo environments: `env("gargon", players=4)`.

The import needs the extra `pettingzoo` and raises MissingLibraryError without it.
"""

from cardhub.base.errors import MissingLibraryError

try:
    import pettingzoo  # type: ignore[import-untyped]  # noqa: F401  # for the error below
except ModuleNotFoundError as error:
    raise MissingLibraryError(
        "PettingZoo is not installed. fix: pip install '.[pettingzoo]' in the checkout of cardhub"
    ) from error

from cardhub.learning.adapters.pettingzoo.environment import CardhubEnv, env, raw_env
from cardhub.learning.adapters.pettingzoo.parallel_environment import (
    ParallelCardhubEnv,
    parallel_env,
)

__all__ = ["CardhubEnv", "ParallelCardhubEnv", "env", "parallel_env", "raw_env"]
