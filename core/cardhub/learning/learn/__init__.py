"""Trained policies: saved with their layout, and played by the bot `model:FILE`."""

from cardhub.learning.learn.model_file import save
from cardhub.learning.learn.trained_policy import Policy

__all__ = ["Policy", "save"]
