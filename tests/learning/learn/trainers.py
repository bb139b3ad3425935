"""A trainer that needs no framework: its learner folds less and calls more with each checkpoint."""

from pathlib import Path
from random import Random
from typing import Any

from tests.learning.learn.loaders import floats

from cardhub.base.errors import OptionError
from cardhub.learning.learn import save
from cardhub.learning.learn.league import Trainer


def train(env: Any, before: Path | None, steps: int, seed: int, path: Path, /) -> None:
    """Play some steps at random, and save a policy that folds less and calls more."""
    rng = Random(seed)
    env.reset(seed=seed)
    for _ in range(steps):
        legal = env.action_masks().nonzero()[0].tolist()
        if env.step(rng.choice(legal))[2]:
            env.reset()
    number = int(path.stem.removeprefix("step_")) // steps
    assert (before is None) == (number == 1)
    save(floats(1, 1, 1, number), env, path, loader="tests.learning.learn.loaders:weighted")


def make_any(**parameters: object) -> Trainer:
    """Return the trainer, and ignore all parameters."""
    return train


def make(pace: int = 1, stops_at: int | None = None) -> Trainer:
    """Return the trainer; it raises KeyboardInterrupt once, at the checkpoint `stops_at`."""
    if pace < 1:
        raise OptionError(f"pace cannot be {pace}: it is at least 1")

    def stopping(env: Any, before: Path | None, steps: int, seed: int, path: Path, /) -> None:
        mark = path.with_suffix(".stopped")
        if path.stem == f"step_{(stops_at or 0) * steps:08}" and not mark.exists():
            mark.touch()
            raise KeyboardInterrupt
        train(env, before, steps, seed, path)

    return stopping
