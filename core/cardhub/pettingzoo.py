"""PettingZoo environments, under a name that training scripts can rely on."""

from cardhub.learning.adapters.pettingzoo import CardhubEnv, env, raw_env

__all__ = ["CardhubEnv", "env", "raw_env"]
