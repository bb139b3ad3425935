"""Spades: bidding, tricks, points and teams by example, and the checks of the contract."""

from random import Random

import pytest

from cardhub import CHANCE, OVER, Value
from cardhub.play import Table as TableInPlay
from cardhub.testing import ByHand, checks, initial_state, resolve_options
from spades import Spades
from spades.scoring import count_deal, result
from spades.table import BIDDING, NIL, PLAYING, SUIT, SUITS, Table

SPADES = Spades()
test_spades = checks(SPADES, games=1)

LOW_CLUBS = ("2C", "3C", "4C", "5C")


def begun(seed: int = 1, **options: Value) -> TableInPlay:
    """Return a game in which the first deal is dealt."""
    return TableInPlay(SPADES, 4, options=options, seed=seed)


def finish_deal(table: TableInPlay, rng: Random) -> None:
    """Play at random until the next deal, or the end of the game."""
    number = table.observation(4).state.number
    while table.observation(4).state.number == number:
        table.act(rng.choice(table.observation().legal()))


def playing(*hands: str, bids: tuple[int, ...] = (1, 1, 1, 1), **options: Value) -> ByHand[Table]:
    """Return a position with these hands after the bids, seat 0 to lead."""
    at = ByHand(SPADES, 4, options)
    for seat, names in enumerate(hands):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.bids, at.state.excluded = list(bids), [0] * 4
    at.state.seat, at.state.leader, at.state.phase = 0, 0, PLAYING
    return at


def play(at: ByHand[Table], cards: str) -> ByHand[Table]:
    """Play cards in turn."""
    return at.act(*(f"play {card}" for card in cards.split()))


def test_partners_sit_opposite_each_other_and_share_their_points() -> None:
    """R1: a place counts for both."""
    table = begun(target=0)
    assert tuple(SPADES.teams(table.options, 4)) == (0, 1, 0, 1)
    finish_deal(table, Random(2))
    first, second, third, fourth = table.scores
    assert (first, second) == (third, fourth)
    assert sorted(table.places) == [1, 1, 2, 2]


def test_each_player_sees_who_the_partner_is() -> None:
    """The word is written at the partner's seat; spectators do not have a partner."""
    at = playing(*LOW_CLUBS)
    for viewer, partners in enumerate([[2], [3], [0], [1], []]):
        lines = at.observe(viewer).scene().seats
        assert [seat for seat, line in lines.items() if "partner" in line.badges] == partners


def test_nothing_is_known_before_chance_has_dealt() -> None:
    settings = resolve_options(SPADES, {}, 4)
    pack = SPADES.pack(settings, 4)
    state = initial_state(SPADES, settings, 4, pack)
    assert state.seat == CHANCE
    assert all(SPADES.possible(state, token) == -1 for token in range(52))


def test_each_seat_is_dealt_thirteen_cards_and_bids_once() -> None:
    """R2, R3: nil, or 1 to 13."""
    table = begun()
    assert [len(hand) for hand in table.observation(4).state.hand] == [13] * 4
    for seat in range(4):
        assert table.seat == seat
        observation = table.observation(seat)
        words = [observation.labels().label(action) for action in observation.legal()]
        assert words == [*(f"bid {number}" for number in range(1, 14)), "bid nil"]
        table.act(observation.legal()[seat - 1])
    state = table.observation(4).state
    assert (state.bids, state.phase, state.seat) == ([NIL, 1, 2, 3], PLAYING, 0)


def test_the_first_bidder_moves_on_with_each_deal() -> None:
    """R2: and leads to the first trick (R4)."""
    table, rng = begun(target=500), Random(3)
    first = []
    # Random bids fail: the game lasts three deals at least.
    for _ in range(3):
        first.append(table.seat)
        finish_deal(table, rng)
    assert first == [0, 1, 2]


def test_suit_must_be_followed_by_players_who_can() -> None:
    """R4: without a card of the suit any card is allowed."""
    at = play(playing("8C", "9C 2D AS", "3D QS 2H", "6C"), "8C")
    assert at.legal() == {"play 9C"}
    assert play(at, "9C").legal() == {"play 3D", "play QS", "play 2H"}


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("8D QD AH JD", 1),  # the highest card of the suit led
        ("8D 2S AD JD", 1),  # a spade beats it
        ("8D 2S 3S AD", 2),  # and a higher spade beats that
    ],
)
def test_the_highest_spade_or_else_the_highest_card_of_the_suit_takes(
    cards: str, winner: int
) -> None:
    """R5: its owner leads next."""
    hands = [f"{card} {other}" for card, other in zip(cards.split(), LOW_CLUBS, strict=True)]
    at = play(playing(*hands), cards)
    assert at.cards(at.state.taken[winner]) == cards
    assert at.state.seat == at.state.leader == winner


def test_no_spade_is_led_before_one_has_been_played() -> None:
    """R6: a trump breaks them."""
    at = playing("8D 4S KC", "AD 8S JC", "9S 7S 9C", "10D 10S 10C")
    assert at.legal() == {"play 8D", "play KC"}
    assert play(at, "8D AD 9S 10D").legal() == {"play 7S", "play 9C"}


def test_spades_are_led_early_only_without_other_cards() -> None:
    """R6: then the first lead may be a spade."""
    assert playing("4S 6S", "8C 9D", "9C 10D", "10C JD").legal() == {"play 4S", "play 6S"}


@pytest.mark.parametrize(
    ("bids", "taken", "points", "bags"),
    [
        ((3, 2), (3, 2), 50, 0),  # R7: exactly the contract
        ((3, 2), (1, 4), 50, 0),  # partners take it together
        ((3, 2), (4, 3), 52, 2),  # two bags
        ((3, 2), (2, 2), -50, 0),  # one short
        ((NIL, 4), (0, 5), 141, 1),  # R8: nil made
        ((NIL, 4), (2, 4), -58, 2),  # nil failed: its tricks are bags (ruling 3)
        ((NIL, 4), (2, 3), -138, 2),  # they do not help the partner
        ((NIL, NIL), (0, 2), 2, 2),  # ruling 4
    ],
)
def test_points_of_a_team(
    bids: tuple[int, int], taken: tuple[int, int], points: int, bags: int
) -> None:
    """R7, R8 and the rulings on nil."""
    assert result(bids, taken) == (points, bags)


def test_every_tenth_bag_costs_a_hundred_points() -> None:
    """R9: further bags are kept."""
    at = playing("AC KC", "2C 3C", "4C 5C", "6C 7C", bids=(1, 1, NIL, 1), target=500)
    at.state.total, at.state.bags = [100, 0], [9, 9]
    play(at, "AC 2C 4C 6C KC 3C 5C 7C")
    # 10 for the contract, 1 for the bag, 100 for nil, -100 for ten bags.
    assert (at.state.total, at.state.bags) == ([111, -20], [0, 9])


def test_two_tenth_bags_in_a_deal_cost_two_hundred_points() -> None:
    """R9: two players who bid nil take all tricks but two, after nine bags."""
    state = playing(bids=(NIL, 1, NIL, 1), target=500).state
    state.total, state.bags = [300, 0], [9, 0]
    for seat, count in enumerate((6, 1, 5, 1)):
        state.taken[seat] = list(range(4 * count))
    count_deal(state)
    assert (state.total, state.bags) == ([300 + 11 - 200 - 200, 20], [0, 0])
    (section,) = SPADES.display.breakdown(state)
    assert {row.label: list(row.points) for row in section.rows} == {
        "deals before": [300, 0, 300, 0],
        "tricks bid": [0, 20, 0, 20],
        "bags": [11, 0, 11, 0],
        "nil": [-200, 0, -200, 0],
        "every 10th bag": [-200, 0, -200, 0],
    }


@pytest.mark.parametrize(
    ("target", "total", "is_over"),
    [
        (200, [180, 0], True),  # 20 points more reach the target
        (200, [170, 0], False),
        (200, [0, -180], True),  # 20 points less fall as far below zero
        (200, [200, 240], False),  # equal points
        (0, [0, 0], True),  # a single deal
    ],
)
def test_the_game_ends_with_the_deal_that_reaches_the_target(
    target: int, total: list[int], is_over: bool
) -> None:
    """R10: the first team gains 20 points in this deal, the second one loses 20."""
    at = playing("AC KC", "2C 3C", "4C 5C", "6C 7C", target=target)
    at.state.total = total
    play(at, "AC 2C 4C 6C KC 3C 5C 7C")
    assert (at.state.seat == OVER) == is_over


def test_the_end_of_a_deal_is_summed_up() -> None:
    at = playing("AC KC", "2C 3C", "4C 5C", "6C 7C", bids=(1, 1, NIL, 2))
    play(at, "AC 2C 4C 6C KC 3C 5C")
    before = at.state.clone()
    play(at, "7C")
    labels = at.observe(4).labels(["Anna", "Bob", "Chris", "David"])
    summary = SPADES.display.summary(before, 0, at.state, labels)
    assert summary is not None
    assert [list(row) for row in summary.rows[1:]] == [
        ["Anna and Chris", "1+nil", "2+0", "+111", "111", "1"],
        ["Bob and David", "1+2", "0+0", "−30", "−30", "0"],
    ]


@pytest.mark.parametrize(
    ("cards", "refused", "reason"),
    [
        ("8♣", "play 2♦", "clubs were led, and you hold 9♣ J♣"),
        ("", "play 4♠", "no spade may be led before a spade has been played; you hold 8♣ K♦"),
        ("", "play 9C", "it is not in your hand"),
        ("", "bid 3", "all bids have been made"),
        ("", "play 8C", None),
    ],
)
def test_players_are_told_why_an_action_is_not_legal(
    cards: str, refused: str, reason: str | None
) -> None:
    """R4, R6: the second player follows, the first one leads."""
    at = play(playing("8C KD 4S", "9C JC 2D", "QC 3D 5S", "6C 4D 6S"), cards)
    assert at.why_not(refused) == reason


def test_cards_of_the_next_deal_are_unknown() -> None:
    """All cards are gathered and shuffled; chance deals them."""
    table = begun(target=500)
    finish_deal(table, Random(3))
    assert table.seat != CHANCE
    observation = table.observation(4)
    tokens = [token for hand in observation.state.hand for token in hand]
    assert len(tokens) == 52
    assert not any(observation.labels().is_known(token) for token in tokens)


def test_determinizations_have_no_card_of_a_suit_that_was_not_followed() -> None:
    """Seat 1 has no diamonds; the others still may."""
    at = play(playing("8D AC KC", "9S 8C 9C", "9D 6D 7D", "10D 2S 3S"), "8D 9S")
    imagined = [imagine(at, 3, seed) for seed in range(30)]
    assert not any("diamonds" in suits_of(state, 1) for state in imagined)
    # Else the test would also pass if no hand ever got diamonds.
    assert any("diamonds" in suits_of(state, 2) for state in imagined)


def test_an_early_lead_of_a_spade_excludes_other_suits() -> None:
    """The rest of the hand is spades in every game that can be imagined."""
    at = play(playing("4S 6S 7S", "8C 9D KC", "9C 10D QC", "10C JD JC"), "4S")
    assert all(suits_of(imagine(at, 2, seed), 0) == {"spades"} for seed in range(30))


def imagine(at: ByHand[Table], viewer: int, seed: int) -> Table:
    """Return the cards as a viewer may imagine them; all other cards are in the stack."""
    aside = [token for token in at.left if token not in at.state.stack]
    at.state.put_all(aside, at.state.stack)
    return at.observe(viewer).determinize(Random(seed))


def suits_of(state: Table, seat: int) -> set[str]:
    """Return the suits in a hand."""
    return {SUITS[SUIT[state.face[token]]] for token in state.hand[seat]}


def hint(at: ByHand[Table], notation: str) -> str:
    """Return the hint about an action for the seat to act."""
    seen = at.observe(at.state.seat)
    labels = seen.labels(("Anna", "Bob", "Chris", "David"))
    return SPADES.display.hint(seen.state, labels.parse(notation, seen.legal()), labels)


def test_a_hint_names_the_higher_cards_and_the_tricks_of_the_team() -> None:
    at = playing("QC 3S", "KC 2S", "2D 3D", "4D 5D", bids=(1, 1, 2, 1))
    at.state.put_all(at.left, at.state.taken, 1)
    assert hint(at, "play QC") == (
        "Only K♣ is higher, of 1 club still out. Trumps still out: 1. "
        "Your team has 0 of the 3 tricks that it has bid."
    )
    assert hint(at.act("play QC"), "play KC").startswith("No higher clubs are out. Trumps")


def test_a_hint_says_that_a_team_has_more_tricks_than_it_has_bid() -> None:
    at = playing("QC 3S", "KC 2S", "2D 3D", "4D 5D", bids=(1, 1, 0, 1))
    for _ in range(2):
        at.state.put_all([at.left.pop() for _ in range(4)], at.state.taken, 0)
    assert hint(at, "play QC").endswith("Your team has bid 1 trick and has already 2.")


def test_a_hint_about_a_bid_counts_spades_and_high_cards() -> None:
    at = playing("QC 3S AD", "KC 2S 4H", "2D 3D 4C", "4D 5D 5H", bids=(-1, 1, 2, 1))
    at.state.phase = BIDDING
    assert hint(at, "bid 1") == (
        "You hold 1 spade and 1 ace or king of other suits. Chris has bid 2."
    )


@pytest.mark.parametrize(
    ("partner", "bid", "text"),
    [
        (-1, 3, "your team must take 3 tricks, and as many more as Chris bids"),
        (2, 3, "your team must take 5 tricks for 50 points; with fewer, it loses these points"),
        (2, 0, "if you take no trick, your team gets 100 points; if you take any, it loses 100"),
    ],
)
def test_a_bid_says_what_it_promises(partner: int, bid: int, text: str) -> None:
    at = playing("QC 3S AD", "KC 2S 4H", "2D 3D 4C", "4D 5D 5H", bids=(-1, 1, partner, 1))
    at.state.phase = BIDDING
    labels = at.observe(0).labels(("Anna", "Bob", "Chris", "David"))
    assert SPADES.display.consequence(at.state, bid, labels) == text
