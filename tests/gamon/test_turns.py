"""Rulings on turns: N6 to N14, N16, N17 and N19; the examples in the rulebook and the rules."""

import pytest

from cardhub.model.hidden.observation import observed_state
from cardhub.model.table.faces import blanked
from cardhub_gamon import sentences

from .positions import set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass hornswagging-seadog"


def test_the_defender_may_cry_first_then_the_attacker() -> None:
    """The defender may call Gamon on the attacker's card; if they refrain, the attacker may."""
    at = set_up(NAVY, PIRATES)
    at.act("place gunner", "call 4", "place boatswain", "call 6")
    assert (at.state.seat, at.legal()) == (1, {"gamon", "believe"})
    at.act("believe")
    assert (at.state.seat, at.legal()) == (0, {"gamon", "believe"})


@pytest.mark.parametrize("doubts", [("gamon",), ("believe", "gamon")])
def test_at_most_one_gamon_a_turn(doubts: tuple[str, ...]) -> None:
    """Gamon N6: only one call of Gamon is possible."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", *doubts)
    assert sum(at.state.cried) == 1
    assert not any(at.state.placed)


@pytest.mark.parametrize("doubts", [("gamon",), ("believe", "gamon"), ("believe", "believe")])
def test_both_cards_are_always_flipped(doubts: tuple[str, ...]) -> None:
    """Gamon N6: both cards are always flipped, and known to both from then on."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 6", *doubts)
    for token in (at.state.played[0][0], at.state.played[1][0]):
        assert at.state.seen[token] == at.state.everybody


def test_both_cards_are_shown_before_their_effects_and_the_end_of_the_round() -> None:
    """The last turn of a round is shown, too, although its cards are discarded at once."""
    at = set_up(NAVY, PIRATES).turn("gunner 5", "boatswain 2", "gamon")
    (beat,) = at.beats
    assert [len(pile) for pile in beat.state.played] == [1, 1]
    at.turn("corsair 5", "deckhand 2", "gamon")
    (beat,) = at.beats
    assert ([len(pile) for pile in beat.state.played], beat.by) == ([2, 2], 1)
    assert beat.text == sentences.LIE
    assert at.state.played == [[], []]
    title = at.game.display.scene(beat.state, 0).status
    assert title == "round 1 · turn 2 of 3"


@pytest.mark.parametrize(
    ("called", "caller_wins", "sentence"),
    [
        (4, False, "Gunner is a 4, as called: Navy told the truth and wins the turn"),
        (5, True, "Gunner is a 4, not a 5: Navy lied, and Pirate wins the turn"),
    ],
)
def test_a_lie_wins_the_turn_for_the_caller_of_gamon(
    called: int, caller_wins: bool, sentence: str
) -> None:
    """A lie: the caller wins the turn; no lie: the caller loses it."""
    at = set_up(NAVY, PIRATES).turn(f"gunner {called}", "boatswain 2", "gamon")
    assert at.state.won == ([0, 1] if caller_wins else [1, 0])
    assert sentence in at.logged


@pytest.mark.parametrize("called", range(1, 7))
def test_a_base_0_card_is_always_a_lie(called: int) -> None:
    """Gamon N7: calls run from 1 to 6, so a base-0 card is always a lie."""
    at = set_up("all-hands-on-deck gunner", PIRATES)
    at.act("place all-hands-on-deck")
    assert at.legal() == {f"call {number}" for number in range(1, 7)}
    at.act(f"call {called}", "place boatswain", "call 2", "gamon")
    assert at.state.won == [0, 1]


def test_sirens_are_always_a_lie() -> None:
    """Gamon N7: Singing Sirens and Ship in the Fog are never called 5, so they are always a lie."""
    for called in (1, 2, 3, 4, 6):
        at = set_up("ship-in-the-fog gunner", "singing-sirens boatswain")
        at.turn(f"ship-in-the-fog {called}", f"singing-sirens {called}", "gamon")
        assert at.state.won == [0, 1]


def test_ties_go_to_the_defender() -> None:
    at = set_up(NAVY, PIRATES).turn("gunner 4", "cannoneer 4")
    assert at.state.won == [0, 1]
    assert "4 each: Pirate defends and wins the turn" in at.logged
    other = set_up(NAVY, PIRATES, attacker=1).turn("cannoneer 4", "gunner 4")
    assert other.state.won == [1, 0]


@pytest.mark.parametrize(("counts", "prize"), [(True, 2), (False, 1)])
def test_a_turn_won_by_gamon_is_a_battle_won(counts: bool, prize: int) -> None:
    """Gamon N8: "wins a battle" also follows a Gamon, unless the option says otherwise."""
    at = set_up(NAVY, PIRATES, options={"gamon_counts_as_battle": counts})
    at.turn("gunner 4", "boatswain 2", "gamon")
    assert at.state.prize == prize


def test_a_turn_lost_by_gamon_is_a_battle_lost() -> None:
    """Gamon N8: so it triggers Petty Officer and HMS Peril, but not with the option off."""
    hand = "petty-officer hms-peril gunner"
    at = set_up(hand, PIRATES).turn("petty-officer 2", "boatswain 2", "gamon")
    assert at.legal() == {"remove 0", "remove 1"}
    assert at.act("remove 0").legal() == {"place gunner"}
    off = set_up(hand, PIRATES, options={"gamon_counts_as_battle": False})
    off.turn("petty-officer 2", "boatswain 2", "gamon")
    assert off.legal() == {"place gunner", "place hms-peril"}


def test_polly_and_cadet_count_gamon_with_either_option() -> None:
    """Gamon N8: `false` lets only Polly and Cadet, whose texts name Gamon, count it."""
    off = {"gamon_counts_as_battle": False}
    at = set_up("cadet gunner", "polly-the-parrot boatswain", purse=(3, 3), options=off)
    at.turn("cadet 2", "polly-the-parrot 1", "gamon")
    assert "move 3" in at.legal()
    at = set_up("cadet gunner", "polly-the-parrot boatswain", purse=(3, 3), options=off)
    at.turn("cadet 1", "polly-the-parrot 2", "believe", "gamon")
    assert (at.state.seat, "move 3" in at.legal()) == (0, True)


def test_the_winner_is_decided_before_any_effect() -> None:
    """Gamon N9: the winner is decided with prize and purses as they are before the effects."""
    at = set_up("naval-spy gunner", "deckhand boatswain", prize=1)
    at.turn("naval-spy 2", "deckhand 1")
    assert at.state.won == [0, 1], "2 against 1 + 1: the Spy's coin was still in the prize"
    assert at.state.purse == [1, 0]


def test_the_attackers_effect_comes_first() -> None:
    """Gamon N9: the attacker's card takes effect completely, then the defender's."""
    hands = ("naval-spy gunner", "hornswagging-seadog boatswain")
    at = set_up(*hands, prize=1).turn("naval-spy 2", "hornswagging-seadog 4")
    assert at.state.purse == [1, 0]
    at = set_up(*hands, prize=1, attacker=1).turn("hornswagging-seadog 4", "naval-spy 2")
    assert at.state.purse == [0, 1]


def test_a_choice_is_made_before_the_next_effect() -> None:
    """Gamon N9: an effect is complete only with its owner's choice."""
    at = set_up("petty-officer gunner", "captain-blackbrow boatswain", prize=3, pile=20)
    at.turn("petty-officer 1", "captain-blackbrow 5").act("remove 2")
    assert (at.state.prize, at.state.pile) == (2, 21), "one coin, doubled"


def test_the_prize_is_paid_as_it_then_stands() -> None:
    """Gamon N9: then the current prize is paid if a seat has won two turns."""
    at = set_up(NAVY, PIRATES, prize=1)
    at.turn("corsair 4", "boatswain 2").turn("gunner 4", "deckhand 1")
    assert at.state.purse == [2, 0]


def test_effects_happen_though_gamon_was_called() -> None:
    """Gamon N10: effects happen whether or not Gamon was called or a lie was caught."""
    at = set_up(NAVY, PIRATES, prize=2)
    at.turn("gunner 4", "hornswagging-seadog 6", "believe", "gamon")
    assert (at.state.won, at.state.purse) == ([1, 0], [0, 1])


def test_modifiers_are_unused_in_a_turn_decided_by_gamon() -> None:
    """Gamon N10: Gamon compares the call with the printed base value only."""
    at = set_up("midshipman gunner", PIRATES, purse=(0, 4))
    at.turn("midshipman 5", "boatswain 2", "gamon")
    assert at.state.won == [0, 1], "worth 5, called 5, but printed 2: a lie"


def test_amounts_are_limited_by_the_coins_there() -> None:
    """Gamon N11: amounts are limited by the coins there; the prize may exceed 4."""
    at = set_up("captain-mayn gunner", PIRATES, prize=4, pile=1)
    at.turn("captain-mayn 5", "boatswain 2")
    assert (at.state.prize, at.state.pile) == (5, 0)
    at = set_up(NAVY, "captain-blackbrow boatswain", prize=4, pile=3)
    at.turn("corsair 3", "captain-blackbrow 5")
    assert (at.state.prize, at.state.pile) == (7, 0)


def test_the_prize_may_fall_to_0() -> None:
    """Gamon N11: the prize may fall to 0; an empty prize stays empty."""
    at = set_up("naval-spy gunner", "hornswagging-seadog boatswain", prize=1)
    at.turn("naval-spy 2", "hornswagging-seadog 4")
    assert (at.state.prize, at.state.purse) == (0, [1, 0])
    assert "Hornswagging Seadog: Pirate takes no coins from the prize" in at.logged


def test_up_to_is_the_owners_choice() -> None:
    """Gamon N12: "may" and "up to" are the owner's choice, 0 included."""
    at = set_up("petty-officer gunner", "boatswain cannoneer", prize=2)
    at.turn("petty-officer 1", "boatswain 2").act("remove 0")
    assert at.state.prize == 2


def test_a_choice_of_0_only_is_not_asked() -> None:
    """A choice whose only possible amount is 0 is not asked; every other choice is."""
    at = set_up("all-hands-on-deck gunner", "polly-the-parrot gambling-drunk", purse=(0, 0))
    at.turn("all-hands-on-deck 1", "polly-the-parrot 1")
    assert "place gunner" in at.legal()
    at.turn("gunner 4", "gambling-drunk 2")
    assert not any(action.startswith("pay") for action in at.legal())


def test_more_coins_compares_purses() -> None:
    """Gamon N13: "more coins than you" compares purses, without the prize."""
    at = set_up("lord-of-the-seas gunner", PIRATES, purse=(2, 2), prize=8)
    assert "place lord-of-the-seas" not in at.legal()


def test_conditions_are_checked_when_the_card_is_placed() -> None:
    """Gamon N14: they are not checked again when it is flipped."""
    at = set_up("naval-spy gunner corsair", "queen-annes-vengeance boatswain", prize=4)
    at.turn("naval-spy 2", "queen-annes-vengeance 6")
    assert at.state.won == [0, 1]
    assert at.legal() >= {"place gunner", "place corsair"}
    assert at.state.prize == 3


def test_the_next_card_is_used_up_even_if_gamon_decides() -> None:
    """Gamon N16: the next card placed uses the bonus up, even if Gamon decides that turn."""
    at = set_up("dreadnought corsair gunner", PIRATES)
    at.turn("dreadnought 5", "boatswain 2").turn("corsair 4", "deckhand 1", "gamon")
    assert at.state.won == [1, 1]
    at.turn("gunner 4", "cannoneer 4")
    assert "Pirate shows Cannoneer: 4" in at.logged


def test_the_next_card_must_come_this_round() -> None:
    """Gamon N16: the bonus ends with the round."""
    at = set_up("corsair dreadnought gunner", PIRATES)
    at.turn("corsair 4", "boatswain 2").turn("dreadnought 5", "cannoneer 4")
    assert (at.state.round, at.state.bonus) == (2, [0, 0])


def test_several_add_up() -> None:
    """Gamon N16: several bonuses add up."""
    at = set_up("dreadnought corsair gunner", "gambling-drunk cannoneer", purse=(0, 1))
    at.turn("dreadnought 5", "gambling-drunk 2").act("pay 1")
    assert at.state.bonus == [0, 0], "-2 by the Dreadnought, +2 by the Drunk"
    at.turn("gunner 4", "cannoneer 4")
    assert "Pirate shows Cannoneer: 4" in at.logged


def test_they_add_to_the_number_called_by_all_hands() -> None:
    """Gamon N16: bonuses add to All Hands' called number, too."""
    at = set_up("dreadnought corsair gunner", "boatswain all-hands-hoay")
    at.turn("dreadnought 5", "boatswain 2").turn("gunner 4", "all-hands-hoay 6")
    assert "Pirate shows All Hands Hoay!: 0 + 6 for the call = 6" in at.logged
    assert "An earlier card changes Pirate's 6 to 4" in at.logged


def test_values_may_go_below_0() -> None:
    """Gamon N16: values may go below 0."""
    at = set_up("dreadnought corsair gunner", "boatswain deckhand", prize=1)
    at.state.prize = 0
    at.turn("dreadnought 5", "boatswain 2").turn("gunner 4", "deckhand 1")
    assert "An earlier card changes Pirate's 1 to −1" in at.logged


def test_effects_count_the_current_turn() -> None:
    """Gamon N17: "this round" counts the current turn for effects."""
    at = set_up("naval-spy gunner", PIRATES, prize=2)
    at.turn("naval-spy 2", "boatswain 2", "gamon")
    assert at.state.purse == [0, 0], "the cry of this very turn counts"


def test_having_cried_counts_whether_it_was_right_or_wrong() -> None:
    """Gamon N17: having called Gamon counts whether it was right or wrong."""
    for called in (4, 5):
        at = set_up("gunner naval-spy corsair", "boatswain mate-with-a-cutlass cannoneer")
        at.turn(f"gunner {called}", "boatswain 2", "gamon")
        at.turn("naval-spy 2", "mate-with-a-cutlass 3")
        assert (
            "Pirate shows Mate with a Cutlass: 3 + 2 for crying Gamon this round = 5" in at.logged
        )
        assert "Naval Spy" not in " ".join(line for line in at.logged if "takes" in line)


def test_high_officer_counts_itself_by_option() -> None:
    """Gamon N17: value modifiers count only earlier turns, except High Officer with its option."""
    at = set_up("high-officer gunner", PIRATES, options={"high_officer_counts_itself": True})
    at.turn("high-officer 3", "cannoneer 4")
    assert "Navy shows High Officer: 3 + 2 for 1 card played = 5" in at.logged


def test_hands_decks_and_unflipped_cards_are_hidden() -> None:
    """Gamon N19: hands, the order of the decks and cards not yet flipped are hidden."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 4")
    faces = blanked(observed_state(at.state, 1).face)
    assert {faces[token] for token in at.state.hand[0] + at.state.placed[0]} == {-1}
    assert {faces[token] for pile in at.state.deck for token in pile} == {-1}
    assert -1 not in {faces[token] for token in at.state.hand[1]}


def test_flipped_and_discarded_cards_are_public() -> None:
    """Gamon N19: flipped and discarded cards are public, also for a spectator."""
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 2").turn("corsair 4", "cannoneer 4")
    faces = blanked(observed_state(at.state, 2).face)
    assert -1 not in {faces[token] for pile in at.state.discard for token in pile}


def test_the_rulebooks_example() -> None:
    """Navy places All Hands on Deck and calls 4; Pirate calls Gamon: a lie, Pirate wins the turn.

    Erratum: the rulebook then pays the prize immediately; that was the deciding turn.
    """
    at = set_up("corsair all-hands-on-deck gunner", "cannoneer boatswain", prize=3, pile=20)
    at.turn("corsair 3", "cannoneer 4")
    at.turn("all-hands-on-deck 4", "boatswain 2", "gamon")
    assert at.logged[1] == "All Hands on Deck is a 0, not a 4: Navy lied, and Pirate wins the turn"
    assert at.state.purse == [0, 4], "three coins and Cannoneer's"
    assert (at.state.round, at.state.attacker) == (2, 1)


def test_the_example_of_the_rules() -> None:
    """A lie that is believed wins by its modifier; doubted, it loses; honest, it is worth less."""
    hands = "corsair gunner cadet", "deckhand cannoneer boatswain"
    at = set_up(*hands, prize=3, pile=20).turn("corsair 5", "deckhand 1")
    assert at.logged[0] == "Navy shows Corsair: 3 + 3 for the false call = 6"
    assert at.logged[1] == "Pirate shows Deckhand: 1 + 3 for 3 coins in the prize = 4"
    assert at.state.won == [1, 0]
    doubted = set_up(*hands, prize=3, pile=20).turn("corsair 5", "deckhand 1", "gamon")
    assert doubted.state.won == [0, 1]
    honest = set_up(*hands, prize=3, pile=20).turn("corsair 3", "deckhand 1")
    assert honest.state.won == [0, 1]
