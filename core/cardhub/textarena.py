"""Environments of TextArena, under a name that training scripts can rely on."""

from cardhub.learning.adapters.words import WordEnv, env, register

__all__ = ["WordEnv", "env", "register"]
