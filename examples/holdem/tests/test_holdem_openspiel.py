"""Hold'em between two players: the same actions and chips as in OpenSpiel's `universal_poker`.

`HOLDEM_HANDS=1000 pytest examples/holdem -k openspiel` plays more hands.
"""

import os
from random import Random
from typing import Any

import pytest

from cardhub import OVER
from cardhub.testing import initial_state, resolve_options
from holdem import Holdem
from holdem.hands import RANK, SUIT
from holdem.table import ACTIONS, DEAL, MOST_CHIPS, Table

pyspiel = pytest.importorskip("pyspiel")

GAME = Holdem()
HANDS = int(os.environ.get("HOLDEM_HANDS", "150"))
# Their player 0 has the big blind, and player 1 the button.
RULES = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=2 1,firstPlayer=2 1 1 1,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack={0} {0},"
    "bettingAbstraction=fullgame)"
)
SUITS = ("clubs", "diamonds", "hearts", "spades")
FOLD, CALL = 0, 1


def their_card(state: Table, token: int) -> int:
    """Return OpenSpiel's number of a card: rank by rank, and in each rank suit by suit."""
    face = state.face[token]
    return 4 * (RANK[face] - 2) + SUITS.index(SUIT[face])


def their_action(state: Table, action: int) -> int:
    """Return OpenSpiel's number of an action; a bet is all that a seat has staked in the hand."""
    verb, value = ACTIONS.verb_and_value[action]
    if verb in ("bet", "raise"):
        return state.staked[state.seat] - state.bets[state.seat] + value
    return FOLD if verb == "fold" else CALL


def chosen(legal: list[int], rng: Random) -> int:
    """Return a random action; small raises and calls are frequent, so that hands are long."""
    few = legal[:4] if rng.random() < 0.8 else legal
    return rng.choice(few)


@pytest.mark.parametrize("chips", [10, 37, MOST_CHIPS])
def test_actions_and_chips_are_those_of_openspiel_in_each_hand(chips: int) -> None:
    rules: Any = pyspiel.load_game(RULES.format(chips))
    settings = resolve_options(GAME, {"chips": chips, "hands": 1}, 2)
    showdowns = 0
    for seed in range(HANDS // 3):
        rng = Random(seed)
        state: Table = initial_state(GAME, settings, 2, rng.sample(range(52), 52))
        GAME.apply(state, DEAL)
        node = rules.new_initial_state()
        for token in (*state.hand[1], *state.hand[0]):
            node.apply_action(their_card(state, token))
        while state.seat != OVER:
            legal = GAME.legal(state)
            assert node.current_player() == 1 - state.seat
            assert node.legal_actions() == [their_action(state, action) for action in legal]
            action = chosen(legal, rng)
            node.apply_action(their_action(state, action))
            GAME.apply(state, action)
            for token in state.board:
                card = their_card(state, token)
                if node.is_chance_node() and card in node.legal_actions():
                    node.apply_action(card)
        assert node.is_terminal()
        assert GAME.scores(state) == node.returns()[::-1]
        showdowns += len(state.board) == 5
    assert showdowns > 0
