"""A bot may change its observation; the game is not affected."""

from typing import Any

import pytest

from cardhub.model.table.state import fields_of
from cardhub.play.referee import Referee
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

from ..conftest import PLAYERS


def spoil(value: Any) -> None:
    """Change everything in nested lists that can be changed."""
    if isinstance(value, list):
        for item in value:
            spoil(item)
        value.append(99)
        value[0] = 99


@pytest.mark.parametrize("steps", [0, 40])
def test_spoiling_an_observation_leaves_the_game_as_it_was(steps: int) -> None:
    """No mutable object is shared between a state and an observation of it."""
    referee: Referee[Any] = set_up(Gargon(), PLAYERS, {}, seed=2)
    referee.proceed()
    for _ in range(steps):
        referee.apply(referee.observe(referee.seat).legal()[0])
    before = [referee.observe(viewer).state for viewer in range(4)]
    for viewer in range(4):
        for value in fields_of(referee.observe(viewer).state).values():
            spoil(value)
    assert [referee.observe(viewer).state for viewer in range(4)] == before
