"""Orchards: the rules by example, and the checks of the contract."""

from random import Random

from cardhub import CHANCE, OVER, Area
from cardhub.testing import ByHand, checks, initial_state, resolve_options, shuffled_pack
from orchards import Orchards
from orchards.game import Table

ORCHARDS = Orchards()
test_orchards = checks(ORCHARDS, games=1)


def at_table(hand: str, market: str = "Grove", deck: str = "", discard: str = "") -> ByHand[Table]:
    """Return a position in which seat 0 is to act."""
    at = ByHand(ORCHARDS, 2)
    state = at.state
    state.put_all(at.take(hand), state.hand, 0)
    state.put_all(at.take(deck), state.deck, 0)
    state.put_all(at.take(discard), state.discard, 0)
    state.put_all(at.take(market), state.market)
    state.seat = state.player = 0
    return at


def test_each_player_begins_with_five_pennies_and_two_trees() -> None:
    """R1."""
    settings = resolve_options(ORCHARDS, {}, 3)
    pack = shuffled_pack(ORCHARDS, settings, 3, Random(1))
    at = ByHand(ORCHARDS, 3)
    at.state = initial_state(ORCHARDS, settings, 3, pack)
    at.act("begin")
    for pile in at.state.discard:
        assert sorted(at.cards(pile).split()) == ["Penny"] * 5 + ["Tree"] * 2
    assert ORCHARDS.scores(at.state) == [2, 2, 2]
    assert len(at.state.market) == 72 - 21


def test_a_card_can_be_bought_for_the_coins_that_were_played() -> None:
    """R2."""
    at = at_table("Penny Crown Tree", "Crown Tree Grove Penny")
    assert at.legal() == {"play Penny", "play Crown", "buy Penny", "end"}
    at.act("play Crown", "play Penny")
    assert at.legal() == {"buy Penny", "buy Crown", "buy Tree", "end"}


def test_a_card_says_why_it_cannot_be_played_or_bought() -> None:
    at = at_table("Tree Penny", market="Grove Crown")
    assert at.why_not("play Tree") == "it only scores points"
    assert at.why_not("buy Crown") == "it costs 3 coins"
    assert at.why_not("play Penny") is None


def test_a_cart_draws_two_cards() -> None:
    """R2."""
    at = at_table("Cart", deck="Penny Crown Tree").act("play Cart", "draw")
    assert at.cards(at.state.hand[0]) == "Tree Crown"
    assert at.state.seat == 0


def test_an_empty_deck_is_made_of_the_discarded_cards() -> None:
    """R3: they are shuffled before the missing cards are drawn."""
    at = at_table("Cart", deck="Penny", discard="Crown Tree").act("play Cart", "draw")
    assert at.state.seat == CHANCE
    assert (len(at.state.hand[0]), len(at.state.deck[0])) == (1, 2)
    at.act("draw")
    assert (len(at.state.hand[0]), at.state.seat) == (2, 0)


def test_all_cards_of_a_turn_and_the_bought_one_are_discarded() -> None:
    """R3."""
    at = at_table("Penny Penny Tree", "Tree Grove").act("play Penny", "play Penny", "buy Tree")
    assert sorted(at.cards(at.state.discard[0]).split()) == ["Penny", "Penny", "Tree", "Tree"]
    assert ORCHARDS.scores(at.state)[0] == 1
    assert (at.state.player, at.state.seat) == (1, CHANCE)


def test_the_game_ends_with_the_last_grove_or_after_all_turns() -> None:
    """R4."""
    rich = at_table("Crown Crown Penny").act("play Crown", "play Crown", "play Penny", "buy Grove")
    assert rich.state.seat == OVER
    assert ORCHARDS.scores(rich.state) == [3, 0]
    late = at_table("Penny")
    late.state.turns = 23
    assert late.act("end").state.seat == OVER


def test_the_market_and_the_own_hand_count_equal_cards() -> None:
    scene = at_table("Penny Penny").observe(0).scene()
    counted = [
        (area.caption, area.seat)
        for area in scene.areas
        if isinstance(area, Area) and area.counted and area.caption != "played"
    ]
    assert counted == [("market", None), ("hand", 0)]


def test_the_log_says_what_is_drawn_and_discarded() -> None:
    """Each viewer reads what they know."""
    at = at_table("Cart Tree", deck="Penny Crown").act("play Cart", "draw")
    names = ("Anna", "Bob")
    assert at.log_lines(0, names) == ["Anna draws Penny and Crown"]
    assert at.log_lines(1, names) == ["Anna draws 2 cards"]
    assert at.act("end").log_lines(0, names) == ["Anna discards Cart, Tree, Crown and Penny"]
