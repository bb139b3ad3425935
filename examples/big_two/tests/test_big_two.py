"""Big Two: the rules by example, and the checks of the contract."""

from itertools import combinations
from random import Random

import pytest

from big_two import BigTwo
from big_two.combinations import key, name, plays
from big_two.table import BY_STRENGTH, CARDS, STRENGTH, Table
from big_two.turns import cost
from cardhub import OVER, Value, numbers
from cardhub.play import NAMES, play_game
from cardhub.play import Table as TableInPlay
from cardhub.testing import (
    ByHand,
    checks,
    initial_state,
    random_step,
    resolve_options,
)

BIG_TWO = BigTwo()
test_big_two = checks(BIG_TWO, games=1)


def begun(seed: int = 1, seats: int = 4, **options: Value) -> TableInPlay:
    """Return a game in which the first deal is dealt."""
    return TableInPlay(BIG_TWO, seats, options=options, seed=seed)


def at_table(*hands: str, played: str = "", **options: Value) -> ByHand[Table]:
    """Return a position with these hands and seat 0 to act, upon cards of the last seat."""
    at = ByHand(BIG_TWO, len(hands), options)
    for seat, names in enumerate(hands):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.put_all(at.take(played), at.state.table)
    at.state.seat, at.state.lead = 0, len(hands) - 1 if played else 0
    return at


def play(at: ByHand[Table], *turns: str) -> ByHand[Table]:
    """Play combinations in turn, given by their cards; an empty text is a pass."""
    for cards in turns:
        at.act(*(f"choose {card}" for card in cards.split()), "play" if cards else "pass")
    return at


def bits(names: str) -> int:
    """Return cards as bits."""
    return sum(1 << STRENGTH[CARDS.face(card)] for card in names.split())


@pytest.mark.parametrize(("seats", "cards", "lowest"), [(4, 13, "3D"), (3, 17, "3C")])
def test_all_cards_are_dealt_and_the_lowest_leads(seats: int, cards: int, lowest: str) -> None:
    """R1 and R3: all know who has it, and it is part of the first play."""
    table = begun(seats=seats)
    state = table.observation().state
    assert [len(hand) for hand in state.hand] == [cards] * seats
    assert CARDS.face(lowest) in [state.face[token] for token in state.hand[table.seat]]
    other = table.observation((table.seat + 1) % seats)
    for seed in range(10):
        imagined = other.determinize(Random(seed))
        faces = [imagined.face[token] for token in imagined.hand[table.seat]]
        assert CARDS.face(lowest) in faces


def test_the_first_play_contains_the_lowest_card() -> None:
    """R3: the card is alone or in any combination."""
    at = at_table("3D 3H 4C 5S 9D", "3S 4D", "3C 4H", "5D 6D")
    at.state.is_first = True
    assert at.legal() == {"choose 3D", "choose 3H"}
    assert at.act("choose 3H").legal() == {"choose 3D"}
    assert at.act("choose 3D").legal() == {"play"}
    at.act("play")
    assert at.state.seat == 1


def test_cards_rank_from_the_three_of_diamonds_to_the_two_of_spades() -> None:
    """R2: the suits of a rank from diamonds to spades."""
    order = " ".join(BY_STRENGTH)
    assert order.startswith("3D 3C 3H 3S 4D")
    assert order.endswith("KS AD AC AH AS 2D 2C 2H 2S")


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("3S", "4D"),
        ("7D 7S", "8D 8C"),
        ("7D 7H", "7C 7S"),  # the highest card
        ("7D 7H 7S", "8D 8C 8H"),
        ("3D 4D 5C 6D 7S", "4C 5D 6C 7D 8D"),
        ("10D JD QD KD AC", "JC QC KC AD 2D"),  # up to the two
        ("JC QC KC AD 2D", "3D 4D 5D 7D 9D"),  # a flush beats a straight
        ("3D 4D 5D 7D 9D", "3C 4C 5C 6C 9C"),  # of equal ranks the suit
        ("3S 5S 7S JS 2S", "3D 3C 3H 4D 4C"),  # a full house beats a flush
        ("3D 3C 3H 2D 2C", "4D 4C 4H 5D 5C"),  # the three decides
        ("2D 2C 2H AD AC", "3D 3C 3H 3S 4D"),  # a four beats a full house
        ("3D 3C 3H 3S 2D", "4D 4C 4H 4S 5D"),
        ("2D 2C 2H 2S AD", "3D 4D 5D 6D 7D"),  # a straight flush beats a four
        ("3S 4S 5S 6S 7S", "4D 5D 6D 7D 8D"),
    ],
)
def test_a_higher_combination_of_as_many_cards_beats_a_lower_one(lower: str, higher: str) -> None:
    """R5 and R6: the kinds of five cards, and within a kind the highest card."""
    assert 0 < key(bits(lower)) < key(bits(higher))


@pytest.mark.parametrize(
    "cards",
    [
        "3D 4D",
        "3D 3C 4D",
        "3D 3C 3H 3S",
        "3D 3C 3H 4D 5D",
        "3D 3C 4D 4C 5D",
        "QD KC AD 2D 3D",
        "AD 2C 3D 4D 5D",
    ],
)
def test_other_cards_are_not_a_combination(cards: str) -> None:
    """R5 and R6: four cards are not one, nor is a straight around the corner."""
    assert key(bits(cards)) == 0


def test_a_hand_contains_as_many_combinations_as_all_of_its_subsets_show() -> None:
    """Random hands of ten cards, against the combinations among all subsets."""
    rng = Random(5)
    for _ in range(5):
        cards = sum(1 << card for card in rng.sample(range(20), 10))
        for size in (1, 2, 3, 5):
            subsets = map(sum, combinations([1 << c for c in numbers(cards)], size))
            expected = {subset: key(subset) for subset in subsets if key(subset)}
            assert plays(cards, size) == expected


def test_the_names_of_combinations_tell_their_kind() -> None:
    names = [name(bits(cards)) for cards in ("3D", "3D 3C", "3D 3C 3H", "3D 3C 3H 4D 4C")]
    assert names == ["single card", "pair", "three", "full house"]


def test_only_cards_that_complete_a_higher_combination_can_be_chosen() -> None:
    """R3: only a pair of sevens beats the pair of sixes."""
    at = at_table("4D 4C 7D 7S 9H", "3S", "3C", "5D", played="6D 6C")
    assert at.legal() == {"choose 7D", "choose 7S", "pass"}
    assert at.act("choose 7S").legal() == {"choose 7D"}
    assert at.act("choose 7D").legal() == {"play"}
    assert at.cards(at.act("play").state.table) == "7D 7S"


def test_a_lead_is_any_combination() -> None:
    """R4: one card is enough; it goes on as long as there are more cards to it."""
    at = at_table("4D 4C 5D 6D 7D 8D", "3S", "3C", "5C").act("choose 4D")
    assert at.legal() == {"play", "choose 4C", "choose 5D", "choose 6D", "choose 7D", "choose 8D"}
    at.act("choose 5D")
    assert at.legal() == {"choose 6D", "choose 7D", "choose 8D"}


def test_after_passes_of_all_others_the_player_of_the_last_cards_leads() -> None:
    """R4: a player who has passed may play again before that (R3)."""
    at = play(
        at_table("4D JD QD", "3S KC", "3C 9D", "6D QH"), "4D", "", "9D", "QH", "", "KC", "", ""
    )
    assert at.state.seat == 0
    at = play(at, "")
    assert (at.state.seat, at.state.table) == (1, [])
    assert "pass" not in at.legal()


@pytest.mark.parametrize(
    ("cards", "points"), [(1, 1), (9, 9), (10, 20), (12, 24), (13, 39), (17, 51)]
)
def test_cards_left_cost_more_from_ten_and_from_thirteen_on(cards: int, points: int) -> None:
    """R7: the higher price is for each of them."""
    assert cost(cards) == points


def test_all_pay_the_winner_of_a_deal() -> None:
    """R7: the points of all seats add up to zero."""
    low = "3C 3H 3S 4C 4H 4S 5C 5H 5S 6C 6H 6S"
    at = play(at_table("2D", low, "8D 9D", "10D"), "2D")
    assert at.state.seat == OVER
    assert BIG_TWO.scores(at.state) == [24 + 2 + 1, -24, -2, -1]


def test_the_end_of_a_deal_is_summed_up() -> None:
    """The summary has the points of this deal and of all deals, for any number of cards left."""
    at = play(at_table("2D 3D", "3C 3H", "8D 9D", "10D"), "2D", "", "", "")
    before = at.observe(3).state
    at = play(at, "3D")
    names = at.observe(3).labels(list(NAMES[:4]))
    summary = BIG_TWO.display.summary(before, 0, at.state, names)
    assert summary is not None
    assert summary.title == "Deal 1: Anna is out of cards"
    assert [list(row) for row in summary.rows] == [
        ["player", "cards left", "points", "total"],
        ["Anna", "0", "+5", "5"],
        ["Bob", "2", "−2", "−2"],
        ["Chris", "2", "−2", "−2"],
        ["David", "1", "−1", "−1"],
    ]


def test_points_of_several_deals_add_up() -> None:
    """Each deal begins with the lowest card."""
    rng = Random(2)
    settings = resolve_options(BIG_TWO, {"deals": 3}, 4)
    state = initial_state(BIG_TWO, settings, 4, rng.sample(range(52), 52))
    sums = []
    while state.seat != OVER:
        number = state.number
        random_step(BIG_TWO, state, rng)
        if state.number > number:
            sums.append(state.points[:])
    assert len(sums) == 3
    assert all(sum(points) == 0 for points in sums)
    assert sums[0] != sums[1] != sums[2]


def test_a_chosen_card_can_be_taken_back_until_five_are_certain() -> None:
    """The first three are seen by their player only; the fourth turns all up."""
    at = at_table("4D 5D 6D 7D 8D 9C", "3S", "3C", "5C")
    at.act("choose 4D", "choose 6D", "choose 5D")
    known = at.observe(1).labels().is_known
    assert not any(known(token) for token in at.state.chosen[0])
    at.act("choose 7D")
    known = at.observe(1).labels().is_known
    assert all(known(token) for token in at.state.chosen[0])


def test_undo_takes_a_chosen_card_back() -> None:
    table = begun()
    seat = table.seat
    action = table.observation(seat).legal()[-1]
    before = table.observation(seat).state
    table.act(action)
    assert len(table.observation(seat).state.chosen[seat]) == 1
    table.undo()
    assert table.observation(seat).state == before


def test_determinizations_can_complete_the_chosen_cards() -> None:
    """Bob has chosen two of five cards; in all that Anna can imagine he has the rest."""
    at = at_table("8D 9D 10D JD QD", "3S 3C", "5C 5S", "6S 6H", played="3D 4C 5D 6D 7D")
    at.act("choose 8D", "choose 10D")
    at.state.put_all(at.left, at.state.stack)
    for seed in range(5):
        imagined = at.observe(1).determinize(Random(seed))
        hand = imagined.hand[0] + imagined.chosen[0]
        cards = sum(1 << STRENGTH[imagined.face[token]] for token in hand)
        assert key(cards) > key(bits("3D 4C 5D 6D 7D"))


def test_the_lowest_card_is_named_once_in_a_reason() -> None:
    at = at_table("3D 3H 4S", "3S 5S", "3C 5C", "5D 6D")
    at.state.is_first = True
    assert at.why_not("choose 4S") == "it makes no combination with 3♦"
    at.act("choose 3H")
    assert at.why_not("choose 4S") == "it makes no combination with 3♦ and 3♥"
    at.act("choose 3D")
    assert at.why_not("choose 4S") == "it makes no combination with 3♦ 3♥"


@pytest.mark.parametrize(
    ("played", "chosen", "tried", "reason"),
    [
        ("6D 6C", "", "choose 9H", "you have no pair with it that beats 6♦ 6♣"),
        ("6D 6C", "7S", "choose 9H", "you have no pair with it and 7♠ that beats 6♦ 6♣"),
        ("6D 6C", "", "choose 3S", "it is not in your hand"),
        ("6D 6C", "7S", "choose 7S", "you have chosen it already"),
        ("6D 6C", "7S", "play", "the chosen cards do not make a combination that you may play"),
        ("6D 6C", "7S", "pass", "you have chosen cards; play them"),
        ("6D 6C", "", "play", "you have chosen no cards"),
        ("", "", "pass", "you lead, so you must play"),
        ("", "7S", "choose 9H", "it makes no combination with 7♠"),
        ("6D 6C", "", "pass", None),
    ],
)
def test_players_are_told_why_an_action_is_not_legal(
    played: str, chosen: str, tried: str, reason: str | None
) -> None:
    at = at_table("4D 4C 7D 7S 9H", "3S", "3C", "5D", played=played)
    at.act(*(f"choose {card}" for card in chosen.split()))
    assert at.why_not(tried) == reason


def test_search_beats_random_play() -> None:
    """Twenty determinizations are enough to win points from three random bots."""
    bots = ["ismcts:20", "random", "random", "random"]
    assert sum(play_game(BIG_TWO, bots, seed=seed).scores[0] for seed in range(5)) > 20
