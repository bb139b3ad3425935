"""Goofspiel: the rule-based bot."""

from random import Random

import pytest

from cardhub import Observation, Value
from cardhub.play import SeatPlayer, play_game
from cardhub.testing import check_spec, find_plugins, initial_state, resolve_options
from goofspiel import Goofspiel, Matcher
from goofspiel.game import VALUE, Table

GOOFSPIEL = Goofspiel()
GAMES = 30


def dealt(**options: Value) -> Table:
    """Return a game between two players in which the highest prize comes first."""
    settings = resolve_options(GOOFSPIEL, {"order": "descending", **options}, 2)
    return initial_state(GOOFSPIEL, settings, 2, GOOFSPIEL.pack(settings, 2))


def bids(state: Table) -> set[int]:
    """Return the values that it bids in a position, over many seeds."""
    bots = [Matcher(Random(seed)) for seed in range(40)]
    seen = Observation(GOOFSPIEL, state, state.seat)
    return {VALUE[state.face[bot.choose(seen)]] for bot in bots}


def bid(state: Table, *values: int) -> Table:
    """Make the seats bid cards of these values in turn."""
    for value in values:
        (action,) = (t for t in GOOFSPIEL.legal(state) if VALUE[state.face[t]] == value)
        GOOFSPIEL.apply(state, action)
    return state


@pytest.mark.parametrize(("order", "values"), [("descending", {12, 13}), ("ascending", {1, 2})])
def test_it_bids_about_what_the_prize_is_worth(order: str, values: set[int]) -> None:
    """The first prize is the king or the ace; one card up or down keeps its bids uncertain."""
    assert bids(dealt(order=order)) == values


def test_it_counts_the_prizes_that_are_left() -> None:
    state = bid(dealt(), 1, 2, 2, 3, 3, 4)
    assert VALUE[state.face[state.offered[0]]] == 10
    assert bids(state) == {12, 13}


def test_it_bids_high_for_prizes_carried_over() -> None:
    """A tied ten is added to the nine: more than any prize alone."""
    state = bid(dealt(ties="carry", cards=10), 5, 5)
    assert len(state.offered) == 2
    assert bids(state) == {9, 10}


@pytest.mark.parametrize("seats", [2, 3])
def test_it_wins_half_as_much_again_as_random_bids_would(seats: int) -> None:
    """Over 300 games of two it won 88 %."""
    won = 0.0
    for number in range(GAMES):
        seat = number % seats
        bots: list[SeatPlayer] = ["random"] * seats
        bots[seat] = Matcher
        table = play_game(GOOFSPIEL, bots, seed=number)
        places = table.places
        won += (places[seat] == 1) / places.count(1)
    assert won / GAMES > 1.5 / seats


def test_nothing_is_wrong_with_it() -> None:
    """The same seed gives the same answers, and it needs no card that it has not seen."""
    registry = find_plugins()
    assert check_spec(registry, "rule", "goofspiel", positions=60, seed=2).findings == ()
    registry.close()
