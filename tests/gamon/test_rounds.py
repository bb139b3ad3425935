"""Rulings on rounds: N1 to N5, N15, N18."""

from random import Random

import pytest

from cardhub.model.game.initial_state import initial_state, shuffled_pack
from cardhub.model.table.scoring import places
from cardhub.model.table.state import CHANCE, OVER
from cardhub_gamon import Gamon

from .positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass hornswagging-seadog"


def dealt(**options: int | str) -> Position:
    """Return a position right after the deal."""
    at = Position(Gamon(), 2, options)
    settings = at.state.settings
    at.state = initial_state(at.game, settings, 2, shuffled_pack(at.game, settings, 2, Random(1)))
    return at


def test_seat_0_is_navy_and_seat_1_is_pirate() -> None:
    """Gamon N1: the seats are the decks."""
    state = dealt().state
    for seat in (0, 1):
        tokens = state.hand[seat] + state.deck[seat]
        assert len(tokens) == 29
        assert {state.back[token] for token in tokens} == {seat}


def test_navy_attacks_first_by_default() -> None:
    """Gamon N1: the values of `first_attacker` are navy (the default), pirate and random."""
    assert dealt().state.seat == 0
    assert dealt(first_attacker="pirate").state.seat == 1


def test_chance_names_the_first_attacker_if_asked_to() -> None:
    """Gamon N1: `first_attacker: random`; chance's action is recorded like any other."""
    at = dealt(first_attacker="random")
    assert (at.state.seat, at.legal()) == (CHANCE, {"first navy", "first pirate"})
    assert [at.observe(viewer).scene().prompt for viewer in range(3)] == [
        "decide who attacks first"
    ] * 3
    at.act("first pirate")
    assert (at.state.seat, len(at.state.hand[0])) == (1, 6)


def test_a_round_starts_with_six_cards_each_and_a_coin_in_the_prize() -> None:
    """Gamon N2: both draw; one coin goes from the pile to the prize."""
    state = dealt().state
    assert [len(hand) for hand in state.hand] == [6, 6]
    assert (state.pile, state.prize) == (35, 1)


def test_the_attacker_sets_the_prize_to_one_to_four_coins() -> None:
    """Gamon N2: the attacker, who has seen their hand, sets the prize to 1-4 in all."""
    at = dealt()
    assert at.legal() == {"prize 1", "prize 2", "prize 3", "prize 4"}
    at.act("prize 3")
    assert (at.state.pile, at.state.prize, at.state.seat) == (33, 3, 0)


@pytest.mark.parametrize(("coins", "most"), [(1, 1), (2, 2), (3, 3), (5, 4)])
def test_the_prize_is_raised_as_far_as_the_pile_goes(coins: int, most: int) -> None:
    """Gamon N2: the pile limits the prize; a single answer is asked for, too."""
    assert dealt(coins=coins).legal() == {f"prize {n}" for n in range(1, most + 1)}


def test_the_attacker_role_alternates() -> None:
    at = dealt()
    play_round(at)
    assert (at.state.round, at.state.attacker, at.state.seat) == (2, 1, 1)


def test_a_pile_emptied_during_a_round_does_not_stop_it() -> None:
    """Gamon N3: "no coins left" is asked when a round should start."""
    at = dealt(coins=4).act("prize 4")
    assert (at.state.pile, at.state.seat) == (0, 0)
    finish_round(at)
    assert at.state.seat == OVER
    assert at.logged[-1] == "The pile is empty, so the game ends"


def test_the_pile_is_checked_before_drawing() -> None:
    """Gamon N3: the pile is checked before drawing, so before N4."""
    at = dealt(coins=1)
    play_round(at)
    assert [len(deck) for deck in at.state.deck] == [23, 23]
    assert max(map(len, at.state.hand)) < 6


def test_a_round_needs_two_cards_each() -> None:
    """Gamon N4: a round does not start if, after drawing, a seat holds fewer than two cards."""
    at = set_up("gunner corsair high-officer", "boatswain boatswain boatswain", only_named=True)
    at.turn("gunner 4", "boatswain 2").turn("corsair 3", "boatswain 2")
    assert at.state.seat == OVER
    assert at.logged[-1] == "Pirate has fewer than two cards left, so the game ends"
    assert (at.state.pile, at.state.prize) == (29, 0), "asked before a coin moves"


def test_cards_are_asked_for_after_the_draw() -> None:
    """Gamon N4: the draw comes first, so one card in hand is enough while the deck lasts."""
    at = set_up("gunner", "cannoneer", prize=0)
    assert [len(hand) for hand in at.state.hand] == [6, 6]
    assert at.state.seat == 0


def test_discards_are_never_reshuffled() -> None:
    """Gamon N4: discards are never reshuffled."""
    at = set_up("gunner", PIRATES, prize=0, only_named=True)
    assert at.state.seat == OVER
    assert len(at.state.discard[0]) == 28


def test_a_third_turn_without_cards_goes_to_the_defender() -> None:
    """Gamon N5: if the third turn cannot be played, the defender takes the round."""
    at = set_up("gunner corsair", PIRATES, prize=2, pile=0, only_named=True)
    at.turn("gunner 4", "boatswain 2").turn("corsair 3", "cannoneer 4")
    assert "Navy has no card left for a third turn" in at.logged
    assert "Pirate wins the round and a prize of 2 coins" in at.logged
    assert at.state.purse == [0, 2]


def test_a_defender_without_cards_still_takes_the_round() -> None:
    """Gamon N5: it does not matter which seat has no card left."""
    at = set_up(NAVY, "boatswain cannoneer", pile=0, only_named=True)
    at.turn("gunner 4", "boatswain 2").turn("petty-officer 1", "cannoneer 4").act("remove 0")
    assert at.state.purse == [0, 1]


def test_before_the_third_turn_hands_are_checked_for_cards_first() -> None:
    """Gamon N5: this is asked before N15."""
    at = set_up("gunner corsair", "boatswain cannoneer queen-annes-vengeance", pile=0, prize=2)
    at.state.deck = [[], []]
    at.turn("gunner 4", "boatswain 2").turn("corsair 3", "cannoneer 4")
    assert not any("can be placed" in line for line in at.logged)
    assert at.state.purse == [0, 2]


def test_a_stuck_player_loses_the_turn() -> None:
    """Gamon N15: a player without a playable card loses the turn without a card or a battle."""
    stuck = "queen-annes-vengeance the-flying-dutchman"
    at = set_up(NAVY, stuck, prize=0, pile=2, attacker=1, only_named=True).act("prize 2")
    assert at.logged[:2] == ["Pirate holds no card that may be placed, so Navy wins the turn"] * 2
    assert at.logged[2] == "Navy wins the round and a prize of 2 coins"
    assert at.state.hand[1] != []
    assert at.state.lost == [0, 0]


def test_a_stuck_defender_loses_the_turn() -> None:
    """Gamon N15: it is checked before the first card is placed."""
    at = set_up("lord-of-the-seas", PIRATES, attacker=1, prize=3, pile=0, only_named=True)
    assert at.state.purse == [0, 3]


def test_if_both_are_stuck_the_defender_wins() -> None:
    """Gamon N15: if both are stuck, the defender wins the turn."""
    at = set_up("lord-of-the-seas", "the-flying-dutchman", attacker=1, pile=0, only_named=True)
    assert at.state.purse == [1, 0]
    at = set_up("lord-of-the-seas", "the-flying-dutchman", attacker=0, pile=0, only_named=True)
    assert at.state.purse == [0, 1]


def test_being_stuck_is_not_a_battle() -> None:
    """Gamon N15: there is no effect and no battle, so HMS Peril could still be placed."""
    at = set_up("corsair gunner", "cannoneer queen-annes-vengeance", pile=0, only_named=True)
    at.turn("corsair 4", "cannoneer 4")
    assert at.state.purse == [1, 0], "Pirate, with the Queen alone, loses the second turn"
    assert at.logged[-3] == "Pirate holds no card that may be placed, so Navy wins the turn"


def test_stuck_is_asked_after_the_prize_is_set() -> None:
    """Gamon N15: it is asked at the start of each turn, after the prize is set."""
    pirate = "queen-annes-vengeance the-flying-dutchman"
    at = set_up(NAVY, pirate, prize=0, attacker=1, only_named=True)
    assert at.legal() == {"prize 1", "prize 2", "prize 3", "prize 4"}
    assert at.act("prize 4").legal() == {"place queen-annes-vengeance"}
    at = set_up(NAVY, pirate, prize=0, attacker=1, only_named=True).act("prize 3")
    assert at.state.purse == [3, 0]


def test_two_turns_won_end_the_round() -> None:
    """Gamon N18: no third turn is played."""
    at = set_up(NAVY, PIRATES)
    at.turn("gunner 4", "boatswain 2").turn("corsair 4", "cannoneer 4")
    assert (at.state.round, at.state.purse) == (2, [2, 0])
    assert [len(pile) for pile in at.state.discard] == [2, 2]
    assert at.state.played == [[], []]


def test_after_one_turn_each_there_is_a_third() -> None:
    """A round is best of three turns."""
    at = set_up(NAVY, PIRATES)
    at.turn("gunner 4", "boatswain 2").turn("corsair 3", "cannoneer 4")
    assert (at.state.won, at.state.round, at.state.seat) == ([1, 1], 1, 0)


def test_equal_purses_are_a_draw() -> None:
    """Gamon N18: equal purses at the end are a draw."""
    at = set_up("gunner corsair", PIRATES, purse=(1, 3), prize=2, pile=0)
    at.turn("gunner 4", "boatswain 2").turn("corsair 4", "cannoneer 4")
    assert at.state.seat == OVER
    assert places(at.game.scores(at.state)) == [1, 1]


def play_round(at: Position) -> None:
    """Play a round with a prize of one coin."""
    finish_round(at.act("prize 1"))


def finish_round(at: Position) -> None:
    """Play the turns of a round."""
    number = at.state.round
    while at.state.round == number and at.state.seat != OVER:
        at.act(sorted(at.legal())[0])
