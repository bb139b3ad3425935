"""Playouts and evaluation of Garner."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub import numbers
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.state import OVER
from cardhub.testing.random_play import Trial, deal
from cardhub_garner import Garner
from cardhub_garner.groups import alike
from cardhub_garner.strategy.playout import (
    ANYWHERE,
    COMPONENTS,
    JOINED,
    Known,
    collect,
    largest,
    lift,
    place,
    uncovered,
)
from cardhub_garner.table import SUIT

from ..positions import Position, set_up

SITES = st.integers(0, ANYWHERE)

# Layout a: 4 is a group of two, of which C4 lies between cards of A.
BRIDGE = """
    A1  B4  C7
    A2  C4  A9
    B8  B9  C5
"""


def named(at: Position, action: int) -> str:
    """Return an action as records write it."""
    return Labels(at.game, at.state.face, at.state.back).notation(action)


@given(SITES)
def test_components_are_connected_sites(sites: int) -> None:
    """They are the sites, each once, the largest part first."""
    components = COMPONENTS[sites]
    assert sum(part for _, part, _ in components) == sites
    assert [size for size, _, _ in components] == sorted(
        (n for n, _, _ in components), reverse=True
    )


@given(SITES)
def test_one_card_more_joins_the_components_that_are_returned(sites: int) -> None:
    size, part, spots = JOINED[sites]
    assert not spots & sites or not sites
    for site in numbers(spots if sites else 0):
        assert largest(sites | 1 << site) >= size
        assert any(part & other == part for _, other, _ in COMPONENTS[sites | 1 << site])


def test_answers_are_forgotten_before_they_are_too_many() -> None:
    """They are found again when they are read again."""
    asked: list[int] = []

    def find(sites: int) -> int:
        asked.append(sites)
        return sites

    known = Known(find, most=2)
    assert [known[sites] for sites in (1, 2, 1, 3, 1)] == [1, 2, 1, 3, 1]
    assert asked == [1, 2, 3, 1]
    assert len(known) == 2


def test_the_cards_beneath_are_uncovered() -> None:
    """They count once the cards on top are gone."""
    at = set_up("B2/A1 . . / . . . / . . .".replace(" / ", "\n"), layout="a")
    tops = alike(at.state, SUIT)
    assert tops[0] == 1
    assert uncovered(at.state, tops, 1)[:2] == [0, 1]


def test_the_lift_serves_the_best_collection() -> None:
    """A9 makes three of A, the only suit that is still open."""
    rows = "A1 A2 B4\nC6 B7 C8\nB5 C3 A9"
    at = set_up(rows, {1: "B1-3 B6 B8 C1-2 C4-5 C7"}, layout="a")
    assert {named(at, lift(at.state, Random(seed))) for seed in range(20)} == {"lift A9"}


def test_a_card_is_placed_where_it_joins_the_most() -> None:
    """A9 goes next to the other cards of its suit, and stays off them."""
    at = set_up(BRIDGE, layout="a")
    at.act("lift A9")
    for seed in range(10):
        chosen = named(at, place(at.state, Random(seed)))
        assert chosen in {"place r0c1", "place r1c1", "place r2c0"}


def test_the_largest_group_of_an_open_suit_is_collected() -> None:
    """Two cards of A are collected, unless the suit is already won."""
    at = set_up(BRIDGE, {1: "C1-3"}, layout="a")
    at.act("lift A9", "place r2c0")
    assert named(at, collect(at.state)) == "collect A1"
    at = set_up(BRIDGE, {1: "A3-7"}, layout="a")
    at.act("lift A9", "place r2c0")
    assert named(at, collect(at.state)) != "collect A1", "the suit is lost"


def test_the_evaluation_is_a_chance() -> None:
    """It is even at first, and certain once the majority of the suits is won (garner R8)."""
    first, second = Garner().heuristics.evaluate(set_up(BRIDGE, layout="a").state)
    assert first + second == pytest.approx(1)
    assert 0.5 <= first < 0.7, "with an edge for the seat to act"
    decided = set_up(BRIDGE, {1: "B1-3 B5-6 C1-3 C6 C8"}, layout="a")
    assert Garner().heuristics.evaluate(decided.state) == [0, 1]


def test_playouts_beat_random_play() -> None:
    game, won = Garner(), 0
    settings = resolve_options(game, {}, 2)
    for number in range(20):
        rng, state = Random(number), deal(game, Trial(2, settings, number))
        while state.seat != OVER:
            plays = (
                game.heuristics.playout_action if state.seat == number % 2 else game.random_action
            )
            game.apply(state, plays(state, rng))
        scores = game.scores(state)
        won += scores[number % 2] > scores[1 - number % 2]
    assert won >= 18
