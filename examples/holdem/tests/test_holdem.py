"""No-limit hold'em: the rules by example, and the checks of the contract."""

import pytest

from cardhub import CHANCE, OVER, Value
from cardhub.testing import ByHand, checks
from holdem import Holdem
from holdem.hands import compared_texts, strength, text_of
from holdem.pots import Pot, side_pots, winnings
from holdem.table import BET, CALL, CARDS, CHECK, DEAL, GATHER, RAISE, Table

HOLDEM = Holdem()
test_holdem = checks(HOLDEM, games=1)


def at_table(*chips: int, **options: Value) -> ByHand[Table]:
    """Return a hand that has just been dealt, with these chips; seat 0 has the button."""
    at = ByHand(HOLDEM, len(chips), {"hands": 1, **options})
    HOLDEM.deal(at.state)
    at.state.chips = [*chips]
    HOLDEM.apply(at.state, HOLDEM.legal(at.state)[0])
    return at


def amounts(at: ByHand[Table]) -> tuple[int, int] | None:
    """Return the least and the greatest legal bet, or None if no bet is legal."""
    legal = HOLDEM.legal(at.state)
    bets = [group.amount(a) for group in (BET, RAISE) for a in legal if a in group]
    return (bets[0], bets[-1]) if bets else None


def verbs(at: ByHand[Table]) -> set[str]:
    """Return the words of the legal actions."""
    return {name.split()[0] for name in at.legal()}


def tokens_of(state: Table, cards: str) -> list[int]:
    """Return the tokens with the faces of these cards."""
    token_of = {state.face[token]: token for token in range(CARDS.count)}
    return [token_of[CARDS.face(name)] for name in cards.split()]


def hand(cards: str) -> tuple[int, ...]:
    """Return the strength of cards."""
    return strength([CARDS.face(name) for name in cards.split()])


def test_the_two_players_after_the_button_post_the_blinds_and_the_next_one_acts() -> None:
    at = at_table(100, 100, 100, 100)
    assert (at.state.button, at.state.bets, at.state.seat) == (0, [0, 1, 2, 0], 3)


def test_with_two_players_the_button_posts_the_small_blind_and_acts_last_after_the_flop() -> None:
    at = at_table(100, 100)
    assert (at.state.bets, at.state.seat) == ([1, 2], 0)
    at.act("call", "check")
    assert (len(at.state.board), at.state.seat) == (3, 1)


def test_the_big_blind_may_raise_after_calls() -> None:
    at = at_table(100, 100, 100)
    at.act("call", "call")
    assert (at.state.seat, verbs(at)) == (2, {"check", "raise"})
    at.act("check")
    assert at.state.phase == 1


def test_a_raise_is_at_least_as_large_as_the_one_before_it() -> None:
    at = at_table(100, 100, 100)
    assert amounts(at) == (4, 100)
    at.act("raise 12")  # by 10
    assert amounts(at) == (22, 100)


def test_a_bet_is_at_least_the_big_blind_in_every_round() -> None:
    at = at_table(100, 100)
    at.act("raise 20", "call")
    assert amounts(at) == (2, 80)
    assert verbs(at) == {"check", "bet"}


def test_all_chips_may_be_raised_though_it_is_less_than_a_full_raise() -> None:
    at = at_table(100, 15, 100)
    at.act("raise 10")
    assert amounts(at) == (15, 15)


def test_an_all_in_for_less_does_not_reopen_the_betting() -> None:
    at = at_table(100, 15, 100)
    at.act("raise 10", "raise 15", "call")
    assert (at.state.seat, at.legal()) == (0, {"fold", "call"})
    at.act("call")
    assert at.state.phase == 1


def test_a_player_who_has_not_acted_may_raise_over_an_all_in_for_less() -> None:
    at = at_table(100, 15, 100)
    at.act("raise 10", "raise 15")
    # The last full raise was one by 8.
    assert (at.state.seat, amounts(at)) == (2, (23, 100))


def test_a_full_raise_reopens_the_betting() -> None:
    at = at_table(100, 18, 100)
    at.act("raise 10", "raise 18", "call")
    assert (at.state.seat, amounts(at)) == (0, (26, 100))


def test_two_all_ins_for_less_that_make_a_full_raise_together_reopen_the_betting() -> None:
    at = at_table(100, 15, 19, 100)
    at.act("call", "raise 10", "raise 15", "raise 19")
    assert at.state.seat == 3
    assert amounts(at) == (27, 100)


def test_nobody_raises_if_all_others_are_all_in() -> None:
    at = at_table(100, 20)
    at.act("raise 5", "raise 20")
    assert at.legal() == {"fold", "call"}


def test_a_call_with_too_few_chips_is_an_all_in() -> None:
    at = at_table(100, 30)
    at.act("raise 60", "call")
    assert at.state.seat == OVER
    assert sum(HOLDEM.scores(at.state)) == -70  # the second player began with 30 of 100 chips
    assert at.state.chips in ([130, 0], [70, 60], [100, 30])


def test_without_choices_left_hands_are_shown_and_the_board_is_completed() -> None:
    at = at_table(50, 50)
    at.act("raise 50", "call")
    shown = {token for token, seen in enumerate(at.state.seen) if seen == at.state.everybody}
    assert len(at.state.board) == 5
    assert shown == {*at.state.board, *at.state.hand[0], *at.state.hand[1]}


def test_who_wins_by_folds_of_all_others_shows_no_card() -> None:
    at = at_table(100, 100, 100)
    at.act("raise 10", "fold", "fold")
    assert (at.state.seat, at.state.chips) == (OVER, [103, 99, 98])
    assert at.state.everybody not in at.state.seen


def test_the_main_pot_and_each_side_pot_have_their_own_players() -> None:
    """All-in with 20, 50 and 100 chips: the last 50 are nobody's but their owner's."""
    pots = side_pots([20, 50, 100], [True, True, True])
    assert pots == [Pot(60, (0, 1, 2)), Pot(60, (1, 2)), Pot(50, (2,))]


def test_chips_of_folded_players_stay_in_the_pots() -> None:
    pots = side_pots([20, 35, 50, 50], [True, False, True, True])
    assert pots == [Pot(80, (0, 2, 3)), Pot(75, (2, 3))]


def test_a_folded_player_who_staked_most_leaves_it_to_the_last_pot() -> None:
    assert side_pots([5, 2], [False, True]) == [Pot(7, (1,))]


def test_a_short_stack_wins_the_main_pot_only() -> None:
    pots = side_pots([20, 50, 100], [True, True, True])
    assert winnings(pots, {0: (8,), 1: (3,), 2: (1,)}, 0, 3) == [60, 60, 50]


def test_odd_chips_go_to_the_first_winners_after_the_button() -> None:
    pots = [Pot(11, (0, 1, 3))]
    equal = {0: (1,), 1: (1,), 3: (1,)}
    assert winnings(pots, equal, 0, 4) == [3, 4, 0, 4]
    assert winnings(pots, equal, 1, 4) == [4, 3, 0, 4]


def test_each_kind_of_hand_beats_the_one_before_it() -> None:
    kinds = [
        *("AS KS 9D 7C 5H 3D 2C", "2S 2H 3D 5C 7H 9D JC", "3S 3H 2D 2C 7H 9D JC"),
        *("4S 4H 4D 2C 7H 9D JC", "AS 2H 3D 4C 5H 9D JC", "2H 4H 6H 8H 10H AS AD"),
        *("2S 2H 3D 3C 3H 9D JC", "2S 2H 2D 2C 3H 9D JC", "AH 2H 3H 4H 5H 6S 7S"),
    ]
    strengths = [hand(cards) for cards in kinds]
    assert strengths == sorted(strengths)
    assert [kind for kind, *_ in strengths] == [*range(9)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AS AH KD 9C 7H", "AD AC QD JC 10H"),  # the kicker
        ("KS KH QD QC 2H", "KD KC JD JC AH"),  # the second pair
        ("2S 3H 4D 5C 6H", "AS 2D 3H 4C 5D"),  # an ace is low
        ("AS KH QD JC 10H", "KD QC JD 10C 9H"),  # and high
        ("3S 3H 3D 2C 2H", "2S 2D 2H AC AH"),  # the three of a full house
    ],
)
def test_equal_kinds_are_compared_by_their_ranks(better: str, worse: str) -> None:
    assert hand(better) > hand(worse)


def test_a_flush_in_another_suit_or_a_sixth_card_changes_nothing() -> None:
    board = "AS KS QD JC 9H"
    assert hand(f"{board} 2C 3D") == hand(f"{board} 4H 5D")


def test_the_button_moves_and_skips_players_without_chips() -> None:
    at = at_table(100, 100, 100, hands=2)
    at.act("fold", "fold")
    state = at.state
    assert state.seat == CHANCE
    state.chips = [102, 0, 100]
    at.act("gather", "deal")
    assert (state.button, state.hand[1], state.is_in) == (2, [], [True, False, True])


def test_the_game_ends_if_a_player_has_all_chips_or_after_the_last_hand() -> None:
    at = at_table(100, 100, hands=50)
    at.act("raise 100", "call")
    is_shared = at.state.chips == [100, 100]
    assert at.state.seat == (CHANCE if is_shared else OVER)
    at = at_table(100, 100, hands=2)
    at.act("fold")
    assert at.state.seat == CHANCE


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("AS KS 9D 7C 5H", "ace high"),
        ("6S 6H 3D 5C 7H", "a pair of sixes"),
        ("KS KH 7D 7C 2H", "two pair, kings and sevens"),
        ("4S 4H 4D 2C 7H", "three fours"),
        ("AS 2H 3D 4C 5H", "a straight to the five"),
        ("2H 4H 6H 8H 10H", "a flush, ten high"),
        ("2S 2H 3D 3C 3H", "a full house, threes full of twos"),
        ("QS QH QD QC 3H", "four queens"),
        ("10S JS QS KS AS", "a straight flush to the ace"),
    ],
)
def test_a_hand_is_named_with_its_ranks(cards: str, text: str) -> None:
    assert text_of(hand(cards)) == text


def test_alike_hands_are_named_with_the_cards_that_decide() -> None:
    shown = {0: hand("KS KH AD 9C 4H"), 1: hand("KD KC QS 9C 4H"), 3: hand("2S 2H QS 9C 4H")}
    assert compared_texts(shown) == {
        0: "a pair of kings, with A 9 4",
        1: "a pair of kings, with Q 9 4",
        3: "a pair of twos",
    }
    equal = {0: hand("KS KH AD 9C 4H"), 1: hand("KD KC AS 9C 4H")}
    assert {*compared_texts(equal).values()} == {"a pair of kings"}


def test_the_cards_stay_on_the_table_until_the_next_hand() -> None:
    at = at_table(100, 100, hands=2)
    at.act("call", *["check"] * 7)
    state = at.state
    assert (state.seat, len(state.board), [len(cards) for cards in state.hand]) == (
        CHANCE,
        5,
        [2, 2],
    )
    assert HOLDEM.legal(state) == [GATHER]
    at.act("gather")
    assert (len(state.stack), HOLDEM.legal(state)) == (52, [DEAL])


def test_chips_that_nobody_calls_return_to_their_owner() -> None:
    at = at_table(100, 100, 100)
    at.act("raise 60", "fold", "fold")
    assert at.log_lines(0) == ["Seat 0 wins 5 chips"]


def test_the_log_has_the_board_the_shown_hands_and_the_winner() -> None:
    at = at_table(100, 100)
    state = at.state
    for zone, cards in ((state.hand[0], "KS KH"), (state.hand[1], "AD 7C")):
        zone[:] = tokens_of(state, cards)
    board = tokens_of(state, "9S 5D 3H 2C KD")
    state.stack[:] = [token for token in state.stack if token not in board] + board[::-1]
    at.act("raise 100", "call")
    assert at.log_lines(0) == [
        "The flop is 9♠, 5♦ and 3♥",
        "The turn is 2♣",
        "The river is K♦",
        "Seat 0 shows K♠ and K♥: three kings",
        "Seat 1 shows A♦ and 7♣: ace high",
        "Seat 0 wins 200 chips with three kings",
    ]
    assert [beat.text for beat in at.beats] == [
        "Nobody can bet any more, so the players show their cards",
        "{player} wins with three kings",
    ]


def test_the_summary_has_the_shown_cards_and_their_names() -> None:
    at = at_table(100, 100, 100, hands=2)
    at.act("fold", "call", *["check"] * 6)
    before = at.observe(0).state.clone()
    at.act("check")
    seen = at.observe(0)
    summary = HOLDEM.display.summary(
        before, CHECK, seen.state, seen.labels(["Anna", "Bob", "Chris"])
    )
    assert summary is not None
    heading, anna, bob, _, board = summary.rows
    assert heading == ("player", "cards", "hand", "won", "chips")
    assert anna == ("Anna", "", "folded", "+0", "100")
    assert bob[1] == seen.labels().cards(seen.state.hand[1])
    assert board[2] == seen.labels().cards(seen.state.board)


def test_blinds_are_an_option() -> None:
    at = at_table(100, 100, 100, blind=10)
    assert at.state.bets == [0, 5, 10]
    assert amounts(at) == (20, 100)


def test_a_seat_shows_its_chips_and_its_bet_and_is_folded_or_out_of_chips() -> None:
    at = at_table(100, 100, 0, hands=2)
    at.act("raise 40")
    seats = at.observe(0).scene().seats
    assert [(line.score, *line.badges) for line in seats.values()] == [
        ("60 chips", "bet 40", "button"),
        ("98 chips", "bet 2"),
        ("0 chips", "out of chips"),
    ]
    at = at_table(100, 100, 100)
    at.act("fold")
    assert [*at.observe(0).scene().seats[0].badges] == ["folded", "button"]


def test_a_call_names_its_amount_and_the_record_does_not() -> None:
    at = at_table(100, 100, 100)
    at.act("raise 30")
    assert at.observe(1).labels().label(CALL) == "call 29"
    assert HOLDEM.actions.text(CALL, str) == "call"
    at.act("call", "call")
    assert at.observe(1).labels().label(CALL) == "call"
