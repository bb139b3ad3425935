"""Environments of TextArena, under a name that training scripts can rely on."""

from cardhub.learning.adapters.words import WordEnv, env

__all__ = ["WordEnv", "env"]
