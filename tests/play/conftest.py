"""Recorded games to read, cut and spoil."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub.bots.random_bot import RandomBot
from cardhub.play.records.recording import record_to
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

PLAYERS = [Player("Anna", "human"), Player("Bob", "random"), Player("Chris", "random")]


def finish(referee: Referee[Any]) -> None:
    """Play a game to its end; every choice depends only on the number of actions before it."""
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        referee.apply(RandomBot(Random(len(observation.history))).choose(observation))


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Return the record of a finished three-seat game of Gargon."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {"open_winnings": True}, seed=7)
    record_to(referee, path)
    referee.proceed()
    finish(referee)
    return path


Spoil = Callable[[int, Callable[[dict[str, Any]], None]], Path]


@pytest.fixture
def spoil(recorded: Path) -> Spoil:
    """Return a function that edits one line of the record, counted from 1."""

    def edit(number: int, change: Callable[[dict[str, Any]], None]) -> Path:
        lines = recorded.read_text("utf-8").splitlines()
        line = json.loads(lines[number - 1])
        change(line)
        lines[number - 1] = json.dumps(line, ensure_ascii=False)
        recorded.write_text("\n".join(lines) + "\n", "utf-8")
        return recorded

    return edit
