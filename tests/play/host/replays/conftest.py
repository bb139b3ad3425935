"""Recorded games for replays."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub import Game
from cardhub.base.files import numbered_paths
from cardhub.play.host.replays.replay import Replay, open_replay
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

Play = Callable[..., Replay]
NAMES = ("Anna", "Bob", "Chris", "David")


def seat_bots(seats: int, people: Sequence[int] = ()) -> list[Player]:
    """Return random bots, with people in some seats."""
    kinds = ["human" if seat in people else "random" for seat in range(seats)]
    return [Player(*fields) for fields in zip(NAMES, kinds, strict=False)]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Return a function that plays a game at random, and returns the replay of its record."""

    def play_randomly(
        game: Game[Any], seats: int = 2, people: Sequence[int] = (0,), most: int = 10_000
    ) -> Replay:
        paths = numbered_paths(tmp_path, game.name, ".jsonl")
        path = next(path for path in paths if not path.exists())
        referee = set_up(game, seat_bots(seats, people), {}, 5)
        record_to(referee, path)
        referee.proceed()
        rng = Random(1)
        while not referee.is_over and referee.action_count < most:
            referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        return open_replay(game, read_record(path))

    return play_randomly
