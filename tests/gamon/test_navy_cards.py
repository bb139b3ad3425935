"""The thirteen kinds of the Navy."""

import pytest

from .positions import set_up

PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass hornswagging-seadog"


def test_all_hands_on_deck_is_worth_the_number_called() -> None:
    """All Hands on Deck (3, 0): V value = the number called."""
    at = set_up("all-hands-on-deck gunner", PIRATES)
    at.turn("all-hands-on-deck 5", "cannoneer 4")
    assert "Navy shows All Hands on Deck: 0 + 5 for the call = 5" in at.logged
    assert at.state.won == [1, 0]


def test_cadet_moves_coins_after_a_turn_won_by_gamon() -> None:
    """Cadet (3, 1): E its owner has won a turn this round by calling Gamon, this turn included."""
    at = set_up("cadet gunner", PIRATES, prize=2, purse=(0, 5))
    at.turn("cadet 1", "boatswain 4", "believe", "gamon")
    assert at.legal() == {"move 0", "move 1", "move 2", "move 3"}
    at.act("move 3")
    assert (at.state.prize, at.state.purse) == (5, [0, 2])


def test_cadet_remembers_a_turn_won_by_gamon_earlier_in_the_round() -> None:
    """Cadet: a turn this round, whether or not the present one is won."""
    at = set_up("gunner cadet corsair", PIRATES, purse=(0, 2))
    at.turn("gunner 4", "boatswain 4", "believe", "gamon")
    at.turn("cadet 1", "cannoneer 4")
    assert at.state.won == [1, 1]
    assert at.legal() == {"move 0", "move 1", "move 2"}


def test_cadet_has_no_effect_without_a_turn_won_by_gamon() -> None:
    """Cadet: a wrong cry and a turn won by value do not count."""
    at = set_up("gunner cadet corsair", PIRATES, purse=(0, 2))
    at.turn("gunner 4", "boatswain 2", "believe", "gamon")
    assert at.state.won == [0, 1]
    at.turn("cadet 1", "cannoneer 4")
    assert at.state.purse == [0, 4], (
        "Pirate had 2, and wins 1 coin and Cannoneer's; nothing was asked"
    )


def test_petty_officer_removes_coins_after_a_lost_battle() -> None:
    """Petty Officer (3, 1): E lost the battle: remove 0-2 coins from the prize."""
    at = set_up("petty-officer gunner", PIRATES, prize=3, pile=20)
    at.turn("petty-officer 1", "cannoneer 3")
    assert at.state.seat == 0
    assert at.legal() == {"remove 0", "remove 1", "remove 2"}
    at.act("remove 2")
    assert (at.state.prize, at.state.pile) == (2, 21), "Cannoneer then adds one: N9"


def test_petty_officer_has_no_effect_after_a_battle_won() -> None:
    at = set_up("petty-officer gunner", PIRATES, prize=3)
    at.turn("petty-officer 1", "boatswain 3", "believe", "gamon")
    assert (at.state.won, at.state.prize, at.state.seat) == ([1, 0], 3, 0)
    assert "place gunner" in at.legal()


@pytest.mark.parametrize(("purse", "value"), [((1, 2), 5), ((2, 2), 2), ((3, 2), 2)])
def test_midshipman_is_worth_more_to_the_poorer(purse: tuple[int, int], value: int) -> None:
    """Midshipman (3, 2): V +3 if the opponent's purse is larger."""
    at = set_up("midshipman gunner", PIRATES, purse=purse)
    at.turn("midshipman 2", "cannoneer 4")
    assert at.state.won == ([1, 0] if value == 5 else [0, 1])


def test_naval_spy_takes_a_coin_from_the_prize() -> None:
    """Naval Spy (2, 2): E opponent has not called Gamon this round: take 1 coin from the prize."""
    at = set_up("naval-spy gunner", PIRATES, prize=3)
    at.turn("naval-spy 2", "mate-with-a-cutlass 3")
    assert (at.state.purse, at.state.prize) == ([1, 0], 2)
    assert "Naval Spy: Navy takes 1 coin from the prize" in at.logged


def test_naval_spy_has_no_effect_once_the_opponent_has_cried() -> None:
    """Naval Spy: this round, the present turn included; right or wrong (N17)."""
    at = set_up("naval-spy gunner", PIRATES, prize=3)
    at.turn("naval-spy 2", "mate-with-a-cutlass 3", "gamon")
    assert (at.state.purse, at.state.prize) == ([0, 0], 3)


@pytest.mark.parametrize(("called", "won"), [(4, [1, 0]), (3, [0, 1])])
def test_corsair_is_worth_more_falsely_called(called: int, won: list[int]) -> None:
    """Corsair (4, 3): V +3 if the call was not 3."""
    at = set_up("corsair gunner", PIRATES)
    at.turn(f"corsair {called}", "cannoneer 4")
    assert at.state.won == won


def test_high_officer_is_worth_more_for_cards_played_earlier() -> None:
    """High Officer (3, 3): V +2 per own card played earlier this round."""
    at = set_up("gunner high-officer corsair", PIRATES)
    at.turn("gunner 4", "boatswain 2")
    at.turn("high-officer 3", "cannoneer 4")
    assert "Navy shows High Officer: 3 + 2 for 1 card played = 5" in at.logged
    first = set_up("high-officer gunner", PIRATES).turn("high-officer 3", "cannoneer 4")
    assert "Navy shows High Officer: 3" in first.logged


def test_gunner_adds_a_coin_when_it_wins() -> None:
    """Gunner (3, 4): E won: prize +1."""
    at = set_up("gunner corsair", PIRATES, prize=2, pile=20)
    at.turn("gunner 4", "boatswain 2")
    assert (at.state.prize, at.state.pile) == (3, 19)
    at = set_up("gunner corsair", PIRATES, prize=2)
    at.turn("gunner 4", "boatswain 2", "gamon")
    assert at.state.prize == 3, "a wrong cry wins the turn for the Gunner"


def test_gunner_has_no_effect_when_it_loses() -> None:
    """Its effect (E won) requires that it has won the turn."""
    at = set_up("gunner corsair", PIRATES, prize=2)
    at.turn("gunner 3", "boatswain 2", "gamon")
    assert (at.state.won, at.state.prize) == ([0, 1], 2)


def test_ship_in_the_fog_is_never_called_five() -> None:
    """Ship in the Fog (1, 5): C never called 5."""
    at = set_up("ship-in-the-fog gunner", PIRATES).act("place ship-in-the-fog")
    assert at.legal() == {"call 1", "call 2", "call 3", "call 4", "call 6"}


def test_captain_mayn_adds_a_coin_for_each_card_played() -> None:
    """Captain Mayn (1, 5): E won: prize + number of cards played this round by both."""
    at = set_up("captain-mayn gunner", PIRATES, prize=1, pile=20)
    at.turn("captain-mayn 5", "boatswain 2")
    assert (at.state.prize, at.state.pile) == (3, 18)
    at = set_up("corsair captain-mayn gunner", PIRATES, prize=1, pile=20)
    at.turn("corsair 3", "cannoneer 4").turn("captain-mayn 5", "boatswain 2")
    assert at.state.prize == 1 + 1 + 4, "Cannoneer's coin and one for each of four cards"


@pytest.mark.parametrize("card", ["captain-mayn", "dreadnought", "gunner"])
def test_effects_of_winners_do_not_happen_to_losers(card: str) -> None:
    at = set_up(f"{card} corsair", "mate-with-a-cutlass boatswain", prize=3)
    at.turn(f"{card} 1", "mate-with-a-cutlass 3", "gamon")
    assert at.state.won == [0, 1]
    assert (at.state.prize, at.state.bonus) == (3, [0, 0])


def test_dreadnought_weakens_the_next_card_of_the_opponent() -> None:
    """Dreadnought (1, 5): E won: opponent's next card this round -2."""
    at = set_up("dreadnought corsair gunner", PIRATES)
    at.turn("dreadnought 5", "boatswain 2")
    assert "Dreadnought: Pirate's next card this round counts 2 less" in at.logged
    at.turn("corsair 3", "cannoneer 4")
    assert "An earlier card changes Pirate's 4 to 2" in at.logged
    assert at.state.purse == [1, 0], "two turns won"


def test_hms_peril_is_not_placed_after_a_lost_battle() -> None:
    """HMS Peril (1, 6): P its owner has lost no battle this round."""
    at = set_up("hms-peril corsair gunner", PIRATES)
    assert "place hms-peril" in at.legal()
    at.turn("corsair 3", "cannoneer 4")
    assert at.legal() == {"place gunner"}


@pytest.mark.parametrize(("purse", "can"), [((1, 2), True), ((2, 2), False), ((3, 2), False)])
def test_lord_of_the_seas_is_placed_by_the_poorer_only(purse: tuple[int, int], can: bool) -> None:
    """Lord of the Seas (1, 6): P opponent's purse is larger."""
    at = set_up("lord-of-the-seas gunner", PIRATES, purse=purse)
    assert ("place lord-of-the-seas" in at.legal()) == can
