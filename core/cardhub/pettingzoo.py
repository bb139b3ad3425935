"""PettingZoo environments, under a name that training scripts can rely on."""

from cardhub.learning.adapters.pettingzoo import (
    CardhubEnv,
    ParallelCardhubEnv,
    env,
    parallel_env,
    raw_env,
)

__all__ = ["CardhubEnv", "ParallelCardhubEnv", "env", "parallel_env", "raw_env"]
