"""Gymnasium environments, under a name that training scripts can rely on."""

from cardhub.learning.adapters.gymnasium import (
    LearnerEnv,
    LearnerVectorEnv,
    env,
    environment_id,
    vector_env,
)

__all__ = ["LearnerEnv", "LearnerVectorEnv", "env", "environment_id", "vector_env"]
