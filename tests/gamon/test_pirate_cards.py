"""The thirteen kinds of the Pirates."""

import pytest

from .positions import set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer"


def test_all_hands_hoay_is_worth_the_number_called() -> None:
    """All Hands Hoay! (3, 0): V value = the number called."""
    at = set_up(NAVY, "all-hands-hoay cannoneer")
    at.turn("gunner 4", "all-hands-hoay 6")
    assert "Pirate shows All Hands Hoay!: 0 + 6 for the call = 6" in at.logged
    assert at.state.won == [0, 1]


@pytest.mark.parametrize("doubts", [("gamon",), ("believe", "gamon"), ("believe", "believe")])
def test_polly_moves_coins_when_the_turn_is_won(doubts: tuple[str, ...]) -> None:
    """Polly the Parrot (3, 1): E won the turn, by Gamon or otherwise: move 0-3 coins."""
    at = set_up("all-hands-on-deck gunner", "polly-the-parrot cannoneer", purse=(2, 0))
    at.turn("all-hands-on-deck 1", "polly-the-parrot 1", *doubts)
    assert at.state.won == [0, 1]
    assert (at.state.seat, at.legal()) == (1, {"move 0", "move 1", "move 2"})
    at.act("move 2")
    assert (at.state.prize, at.state.purse) == (3, [0, 0])


def test_polly_has_no_effect_when_the_turn_is_lost() -> None:
    """Polly the Parrot: E won the turn."""
    at = set_up(NAVY, "polly-the-parrot cannoneer", purse=(2, 0))
    at.turn("corsair 3", "polly-the-parrot 1")
    assert (at.state.won, at.state.seat, at.state.purse) == ([1, 0], 0, [2, 0])


@pytest.mark.parametrize(("prize", "wins"), [(1, False), (2, False), (3, True), (4, True)])
def test_deckhand_counts_the_coins_in_the_prize(prize: int, wins: bool) -> None:
    """Deckhand (3, 1): V + coins in the prize."""
    at = set_up(NAVY, "deckhand cannoneer", prize=prize)
    at.turn("gunner 4", "deckhand 1")
    assert at.state.won == ([0, 1] if wins else [1, 0])


def test_deckhand_counts_at_most_five_coins() -> None:
    at = set_up("corsair gunner", "deckhand cannoneer", prize=8)
    at.turn("corsair 4", "deckhand 1")
    assert "Pirate shows Deckhand: 1 + 5 for 5 coins in the prize = 6" in at.logged


def test_boatswain_counts_deckhands_played_earlier() -> None:
    """Boatswain (3, 2): V +3 per own Deckhand played earlier this round."""
    at = set_up(NAVY, "deckhand boatswain cannoneer")
    at.turn("gunner 4", "deckhand 1")
    at.turn("high-officer 3", "boatswain 2")
    assert "Pirate shows Boatswain: 2 + 3 for 1 Deckhand played = 5" in at.logged
    other = set_up(NAVY, "cannoneer boatswain deckhand")
    other.turn("gunner 4", "cannoneer 4").turn("corsair 3", "boatswain 2")
    assert "Pirate shows Boatswain: 2" in other.logged


def test_gambling_drunk_may_pay_for_the_next_card() -> None:
    """Gambling Drunk (2, 2): E may pay 1 coin; then own next card this round +2."""
    at = set_up(NAVY, "gambling-drunk mate-with-a-cutlass cannoneer", purse=(0, 2))
    at.turn("gunner 4", "gambling-drunk 2")
    assert (at.state.seat, at.legal()) == (1, {"pay 0", "pay 1"})
    at.act("pay 1")
    assert (at.state.purse, at.state.prize) == ([0, 1], 3), "Gunner has added one before"
    at.turn("high-officer 3", "mate-with-a-cutlass 3")
    assert "An earlier card changes Pirate's 3 to 5" in at.logged


def test_gambling_drunk_has_no_bonus_without_paying() -> None:
    at = set_up(NAVY, "gambling-drunk mate-with-a-cutlass cannoneer", purse=(0, 2))
    at.turn("gunner 4", "gambling-drunk 2").act("pay 0")
    assert (at.state.purse, at.state.bonus) == ([0, 2], [0, 0])


def test_mate_with_a_cutlass_counts_a_gamon_called_earlier() -> None:
    """Mate with a Cutlass (4, 3): V +2 if its owner called Gamon earlier this round."""
    at = set_up(NAVY, "boatswain mate-with-a-cutlass cannoneer")
    at.turn("gunner 4", "boatswain 2", "gamon")
    at.turn("high-officer 3", "mate-with-a-cutlass 3")
    assert "Pirate shows Mate with a Cutlass: 3 + 2 for crying Gamon this round = 5" in at.logged


@pytest.mark.parametrize(("called", "taken"), [(2, 1), (3, 0), (6, 1)])
def test_seadog_takes_a_coin_after_a_false_call(called: int, taken: int) -> None:
    """Hornswagging Seadog (3, 3): E the call was not 3: take 1 coin from the prize."""
    at = set_up("corsair gunner", "hornswagging-seadog cannoneer", prize=2)
    at.turn("corsair 3", f"hornswagging-seadog {called}")
    assert (at.state.purse, at.state.prize) == ([0, taken], 2 - taken)


def test_cannoneer_adds_a_coin_when_it_wins() -> None:
    """Cannoneer (3, 4): E won: prize +1."""
    at = set_up(NAVY, "cannoneer boatswain", prize=2)
    assert at.turn("corsair 3", "cannoneer 4").state.prize == 3
    at = set_up(NAVY, "cannoneer boatswain", prize=2)
    assert at.turn("corsair 6", "cannoneer 4").state.prize == 2


def test_singing_sirens_are_never_called_five() -> None:
    """Singing Sirens (1, 5): C never called 5."""
    at = set_up(NAVY, "singing-sirens cannoneer", attacker=1).act("place singing-sirens")
    assert at.legal() == {"call 1", "call 2", "call 3", "call 4", "call 6"}


def test_captain_blackbrow_doubles_the_prize() -> None:
    """Captain Blackbrow (1, 5): E won: prize doubled."""
    at = set_up(NAVY, "captain-blackbrow cannoneer", prize=3, pile=20)
    at.turn("corsair 3", "captain-blackbrow 5")
    assert (at.state.prize, at.state.pile) == (6, 17)


@pytest.mark.parametrize("card", ["captain-blackbrow", "the-kraken", "cannoneer"])
def test_effects_of_winners_do_not_happen_to_losers(card: str) -> None:
    """Captain Blackbrow, The Kraken, Cannoneer: E won."""
    at = set_up("corsair gunner", f"{card} boatswain", prize=3)
    at.turn("corsair 3", f"{card} 1", "believe", "gamon")
    assert at.state.won == [1, 0]
    assert (at.state.prize, at.state.bonus) == (3, [0, 0])


def test_the_kraken_weakens_the_next_card_of_the_opponent() -> None:
    """The Kraken (1, 5): E won: opponent's next card this round -2."""
    at = set_up(NAVY, "the-kraken boatswain")
    at.turn("corsair 3", "the-kraken 5").turn("gunner 4", "boatswain 2")
    assert "An earlier card changes Navy's 4 to 2" in at.logged
    assert at.state.purse == [0, 1], "the defender wins ties"


@pytest.mark.parametrize(("prize", "can"), [(3, False), (4, True), (5, True)])
def test_queen_annes_vengeance_needs_a_prize_of_four(prize: int, can: bool) -> None:
    """Queen Anne's Vengeance (1, 6): P prize holds at least 4."""
    at = set_up(NAVY, "queen-annes-vengeance cannoneer", attacker=1, prize=prize)
    assert ("place queen-annes-vengeance" in at.legal()) == can


@pytest.mark.parametrize(("purse", "can"), [((2, 1), True), ((2, 2), False), ((2, 3), False)])
def test_the_flying_dutchman_is_placed_by_the_poorer_only(
    purse: tuple[int, int], can: bool
) -> None:
    """The Flying Dutchman (1, 6): P opponent's purse is larger."""
    at = set_up(NAVY, "the-flying-dutchman cannoneer", attacker=1, purse=purse)
    assert ("place the-flying-dutchman" in at.legal()) == can
