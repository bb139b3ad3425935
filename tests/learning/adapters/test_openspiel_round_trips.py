"""A game that is exported to OpenSpiel and imported again does not change."""

import pyspiel
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from cardhub.learning.adapters.openspiel import load
from cardhub.learning.adapters.openspiel_games.named_games import game_named
from cardhub.testing import check_game


def test_openspiels_kuhn_poker_comes_back_from_cardhubs_table() -> None:
    theirs, back = pyspiel.load_game("kuhn_poker"), load("openspiel:kuhn_poker")
    lost = [exploitability.exploitability(g, UniformRandomPolicy(g)) for g in (theirs, back)]
    assert lost[0] == lost[1] > 0.4


def test_cardhubs_leduc_poker_comes_back_from_openspiel() -> None:
    assert load("leduc") is not None  # registers it
    game = game_named("openspiel:cardhub_leduc", "cardhub_leduc")
    assert [card.name for card in game.cards.faces] == ["JS", "JH", "QS", "QH", "KS", "KH"]
    assert [game.actions.text(a, str) for a in range(3)] == ["fold", "call", "raise"]
    check_game(game, games=1)
