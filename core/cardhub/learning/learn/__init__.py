"""Trained policies: saved with their layout, and played by the bot `model:FILE`."""

from cardhub.learning.learn.model_file import Policy, save

__all__ = ["Policy", "save"]
