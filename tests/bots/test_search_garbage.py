"""Automatic collections of garbage are paused while a search runs."""

import gc
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cardhub.bots.search.search_bot import CollectionPause
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


class Cycle:
    """An object that only a collection frees."""

    alive = 0

    def __init__(self) -> None:
        self.me = self
        Cycle.alive += 1

    def __del__(self) -> None:
        Cycle.alive -= 1


@pytest.fixture(autouse=True)
def collections() -> Iterator[None]:
    """Let automatic collections be on before a test, and after it."""
    gc.enable()
    gc.freeze()  # collections need not traverse what other tests have left in this process
    yield
    gc.enable()


def first_observation(game: str) -> Observation[Any]:
    """Return the observation of the seat to act first."""
    players = [Player(f"player {seat}", "bot") for seat in range(2)]
    referee = set_up(REGISTRY.game(game), players, {}, 1)
    referee.proceed()
    return referee.observe(referee.seat)


def test_collections_are_on_again_after_a_search_and_after_an_error() -> None:
    with CollectionPause():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="in between"), CollectionPause():
        raise ValueError("in between")
    assert gc.isenabled()


def test_collections_that_were_off_stay_off() -> None:
    """Another search, or the program itself, has turned them off."""
    gc.disable()
    with CollectionPause() as pause:
        pause.collect()
    assert not gc.isenabled()


def test_cycles_are_freed_in_a_long_search() -> None:
    """The rules of a game may make them."""
    gc.collect()
    Cycle.alive = 0
    with CollectionPause() as pause:
        for _ in range(10):
            Cycle()
        assert Cycle.alive == 10
        pause.collect()
        assert Cycle.alive == 0


@pytest.mark.parametrize("game", ["leduc", "gamon", "garner"])
def test_a_search_leaves_no_garbage(game: str) -> None:
    """All objects are freed without a collection, so pausing collections costs no memory."""
    observation = first_observation(game)
    bot = REGISTRY.make_bot("ismcts:30", game, Random(1))
    bot.choose(observation)
    del bot
    gc.collect()
    gc.disable()
    bot = REGISTRY.make_bot("ismcts:30", game, Random(1))
    bot.choose(observation)
    del bot
    assert gc.collect() == 0
