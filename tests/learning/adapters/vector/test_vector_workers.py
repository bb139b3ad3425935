"""Tables in worker processes: the same bytes as in one process, and no process is left over."""

import os
import signal
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.learning.adapters.vector.failing_tables import failing_tables
from tests.learning.adapters.vector.test_vector_env import kept_over, some_actions

from cardhub import Game
from cardhub.base.errors import EpisodeError
from cardhub.learning.adapters.vector import vector_env
from cardhub.learning.adapters.vector.worker_env import WorkerVectorEnv

RIVALS = {"rivals": ["random"], "rewards": "deltas", "final_observations": True}


@pytest.mark.parametrize(
    ("game", "workers", "choices"),
    [
        (Magpie(), 3, {"players": 3, "max_actions": 30}),
        ("leduc", 1, {**RIVALS, "seeding": "fast"}),
    ],
    ids=["chance and shuffles", "rivals"],
)
def test_any_number_of_workers_gives_the_same_bytes(
    game: str | Game[Any], workers: int, choices: dict[str, Any]
) -> None:
    expected = kept_over(vector_env(game, 4, **choices), 25, seed=3)
    with vector_env(game, 4, workers=workers, **choices) as env:
        assert kept_over(env, 25, seed=3) == expected


def test_a_game_whose_rules_raise_in_a_worker_is_named() -> None:
    """The error has the table, the seed of the game, and the traceback as a note."""
    with WorkerVectorEnv(failing_tables(), 4, 2) as env:
        with pytest.raises(EpisodeError, match=r"table \d, game with seed \d+: Zero") as failed:
            kept_over(env, 10, seed=1)
        assert "in apply" in failed.value.__notes__[0]
        with pytest.raises(ValueError, match="call `reset` first"):
            env.step([0] * 4)
        env.step(some_actions(env.reset(1), 0))
    assert active_children() == []


def test_workers_end_with_the_environment_and_their_loss_is_told() -> None:
    """Whether it is closed, a worker is killed, or an exception interrupts a step."""
    env = vector_env("leduc", 2, workers=2)
    assert isinstance(env, WorkerVectorEnv)
    env.reset(1)
    first, _ = active_children()
    first.kill()
    first.join()
    with pytest.raises(EpisodeError, match=r"worker processes ended: \d \(exit code -?\d+\)"):
        env.step(some_actions(env.arrays, 0))
    assert active_children() == []
    assert env.arrays.masks.any()
    env.close()
    with pytest.raises(ValueError, match="the environment is closed"):
        env.reset(1)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGALRM")
def test_an_interrupted_step_ends_the_workers() -> None:
    """Their answers are not taken for answers to the next step."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        env = vector_env("gamon", 2, workers=1, rivals=["ismcts:1000000"], seat=1)
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        with pytest.raises(KeyboardInterrupt):
            env.reset(1)
        assert active_children() == []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_dropped_environment_leaves_no_process_and_no_file() -> None:
    """The environment is dropped without a call of `close`."""
    shared = Path("/dev/shm")
    before = set(shared.iterdir()) if shared.is_dir() else set()
    env = vector_env("kuhn", 1, workers=1)
    env.reset(1)
    del env
    assert active_children() == []
    after = set(shared.iterdir()) if shared.is_dir() else set()
    assert {path.name for path in after - before if path.name.startswith("pym")} == set()
