"""Training steps of a league: from one checkpoint to the next."""

from collections.abc import Iterable
from inspect import signature
from pathlib import Path
from typing import Any, Protocol

from cardhub.base.errors import MissingLibraryError, OptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.learning.learn.model_file import save

# The default number of steps between two updates, if checkpoints are farther apart.
MOST_STEPS = 2048


class Trainer(Protocol):
    """A function that trains a learner from one checkpoint to the next."""

    def __call__(self, env: Any, before: Path | None, steps: int, seed: int, path: Path, /) -> None:
        """Train for a number of steps in an environment, and save the learner at `path`.

        `before`: the checkpoint to start from, or None for the first round. The result must depend
        only on the arguments, so that a stopped and continued league trains the same learner.
        """
        ...


def maskable_ppo(policy: str = "MlpPolicy", **parameters: Any) -> Trainer:
    """Return a Trainer that uses sb3-contrib's MaskablePPO.

    `parameters`: the parameters of its constructor. `n_steps` defaults to 2048, or to the number of
    steps from one checkpoint to the next if that is smaller; a checkpoint comes after a multiple of
    `n_steps`. Raises MissingLibraryError, or OptionError for an unknown parameter.
    """
    try:
        import torch
        from sb3_contrib import MaskablePPO
    except ModuleNotFoundError as error:
        raise MissingLibraryError(
            "sb3-contrib is not installed. fix: pip install '.[learn]' in the checkout of cardhub"
        ) from error
    _check_parameters(parameters, signature(MaskablePPO).parameters)

    def train(env: Any, before: Path | None, steps: int, seed: int, path: Path, /) -> None:
        torch.set_num_threads(1)  # sums depend on the number of threads
        if before is None:
            arguments = {"n_steps": min(MOST_STEPS, steps), "device": "cpu"} | parameters
            model = MaskablePPO(policy, env, seed=seed, **arguments)
        else:
            model = MaskablePPO.load(before, env=env, device=parameters.get("device", "cpu"))
            model.set_random_seed(seed)
        model.learn(steps, reset_num_timesteps=False)
        save(model, env, path)

    return train


def _check_parameters(names: Iterable[str], accepted: Iterable[str]) -> None:
    possible = [name for name in accepted if name not in ("policy", "env", "seed")]
    for name in names:
        if name not in possible:
            hint = did_you_mean(name, possible) or f" It has {', '.join(possible)}"
            raise OptionError(f"MaskablePPO has no parameter {name!r}.{hint}")
