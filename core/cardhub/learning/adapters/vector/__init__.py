"""Many tables of a game in one environment: `vector_env("gamon", 64, workers=2)`."""

from cardhub.learning.adapters.vector.factory import table_spec, vector_env
from cardhub.learning.adapters.vector.learning_table import BatchArrays
from cardhub.learning.adapters.vector.vector_env import VectorEnv

__all__ = ["BatchArrays", "VectorEnv", "table_spec", "vector_env"]
