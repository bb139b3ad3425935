"""Leduc poker: the rule-based bot."""

from collections import Counter
from random import Random

import pytest

from cardhub import Observation
from cardhub.play import SeatPlayer, play_game
from cardhub.testing import check_spec, find_plugins, initial_state, resolve_options
from leduc import Gambler, Leduc
from leduc.game import ACTIONS, CARDS, Table

LEDUC = Leduc()
SETTINGS = resolve_options(LEDUC, {}, 2)
GAMES = 300


def played(cards: str, actions: str = "") -> Table:
    """Return the state after some actions; the cards are two hands and the one to be turned up."""
    first = [CARDS.face(name) for name in cards.split()]
    others = [face for face in range(6) if face not in first]
    state = initial_state(LEDUC, SETTINGS, 2, first + others)
    for action in actions.split():
        LEDUC.apply(state, [word.verb for word in ACTIONS.groups].index(action))
    return state


def shares(state: Table) -> dict[str, float]:
    """Return how often it takes each action in a position, over many seeds."""
    seen = Observation(LEDUC, state, state.seat)
    chosen = Counter(Gambler(Random(seed)).choose(seen) for seed in range(400))
    return {ACTIONS.text(action, str): number / 400 for action, number in chosen.items()}


def test_it_raises_a_king_and_bluffs_with_a_jack_now_and_then() -> None:
    """The bluffs make its raises worth less to know."""
    assert shares(played("KS QS JS"))["raise"] > 0.7
    assert 0.02 < shares(played("JS QS KS"))["raise"] < 0.2


def test_it_always_raises_a_pair() -> None:
    assert shares(played("QS KS QH", "call call")) == {"raise": 1}


@pytest.mark.parametrize(("cards", "least"), [("JS QS KS", 0.8), ("QS KS JS", 0.4)])
def test_it_folds_a_poor_hand_to_a_raise_in_the_second_round(cards: str, least: float) -> None:
    """A jack, and often a queen, if the other one has raised."""
    first, second, board = cards.split()
    state = played(f"{second} {first} {board}", "call call raise")
    assert shares(state)["fold"] > least


def test_it_wins_chips_from_random_players() -> None:
    """Over 3,000 games it won about a chip a game."""
    won = 0.0
    for number in range(GAMES):
        seat = number % 2
        bots: list[SeatPlayer] = ["random"] * 2
        bots[seat] = Gambler
        table = play_game(LEDUC, bots, seed=number)
        won += table.scores[seat]
    assert won / GAMES > 0.5


def test_nothing_is_wrong_with_it() -> None:
    """The same seed gives the same answers, and it needs no card that it has not seen."""
    registry = find_plugins()
    assert check_spec(registry, "rule", "leduc", positions=60, seed=2).findings == ()
    registry.close()
