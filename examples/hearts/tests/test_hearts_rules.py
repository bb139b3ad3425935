"""Hearts: passing, playing and counting, rule by rule."""

from random import Random

import pytest

from cardhub import OVER, Observation, Value
from cardhub.play import Table as TableInPlay
from cardhub.testing import ByHand
from hearts import Hearts
from hearts.table import CARDS, PASSING, PLAYING, POINTS, Table

HEARTS = Hearts()


def begun(seed: int = 1, **options: Value) -> TableInPlay:
    """Return a game in which the first hand is dealt."""
    return TableInPlay(HEARTS, options=options, seed=seed)


def pass_all(table: TableInPlay) -> dict[int, list[int]]:
    """Pass the first three cards of each seat; return them by seat."""
    passed: dict[int, list[int]] = {seat: [] for seat in range(4)}
    while table.observation(4).state.phase == PASSING:
        passed[table.seat].append(table.observation().legal()[0])
        table.act(passed[table.seat][-1])
    return passed


def finish_hand(table: TableInPlay, rng: Random) -> None:
    """Play at random until the next hand is dealt, or the game is over."""
    number = table.observation(4).state.number
    while table.observation(4).state.number == number:
        table.act(rng.choice(table.observation().legal()))


def playing(*hands: str, is_broken: bool = False) -> ByHand[Table]:
    """Return a position with these hands after some tricks, seat 0 to lead."""
    at = first_trick(*hands)
    # A trick without points: the first one is over, and the scores are still 0.
    at.state.put_all(at.take("2C 3C 4C 5C"), at.state.taken, 3)
    at.state.is_broken = is_broken
    return at


def first_trick(*hands: str) -> ByHand[Table]:
    """Return a position with these hands before the first trick, seat 0 to lead."""
    at = ByHand(HEARTS, 4)
    for seat, names in enumerate(hands):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.seat, at.state.leader, at.state.phase = 0, 0, PLAYING
    return at


def test_each_seat_is_dealt_thirteen_cards() -> None:
    state = begun().observation(4).state
    assert [len(hand) for hand in state.hand] == [13] * 4


@pytest.mark.parametrize(
    ("passing", "receivers"),
    [("left", [1, 2, 3, 0]), ("right", [3, 0, 1, 2]), ("across", [2, 3, 0, 1])],
)
def test_three_cards_are_passed_left_right_or_across(passing: str, receivers: list[int]) -> None:
    """Left is clockwise: to the seat that acts next."""
    table = begun(passing=passing)
    for giver, cards in pass_all(table).items():
        assert len(cards) == 3
        assert set(cards) <= set(table.observation(4).state.hand[receivers[giver]])


def test_no_cards_are_passed_in_a_hand_that_is_held() -> None:
    assert begun(passing="hold").observation(4).state.phase == PLAYING


def test_cards_go_left_right_across_and_nowhere_in_turn() -> None:
    table, rng = begun(hands=5), Random(3)
    steps = []
    for _ in range(5):
        given = pass_all(table).get(0)
        hands = table.observation(4).state.hand
        # A hand that is held passes no card: 0 steps.
        steps.append(next((s for s in range(4) if given and given[0] in hands[s]), 0))
        finish_hand(table, rng)
    assert steps == [1, 3, 2, 0, 1]


def test_passed_cards_are_taken_up_when_all_seats_have_passed() -> None:
    """Cards are passed before any are received."""
    table = begun()
    # Three seats have passed three cards each; the last seat has still to pass.
    for _ in range(9):
        table.act(table.observation().legal()[0])
    state = table.observation(3).state
    assert [len(cards) for cards in state.passed] == [3, 3, 3, 0]
    assert len(state.hand[3]) == 13
    assert not any(state.seen[token] >> 3 & 1 for token in state.passed[2])


def test_a_passed_card_is_known_to_giver_and_receiver_alone_until_it_is_played() -> None:
    """The giver sees it in the other's hand, and imagines it nowhere else."""
    table = begun()
    (card, *_) = pass_all(table)[0]
    known = [table.observation(viewer).labels().is_known(card) for viewer in range(5)]
    assert known == [True, True, False, False, False]
    face = table.observation(0).state.face[card]
    for seed in range(20):
        imagined = table.observation(0).determinize(Random(seed))
        assert face in [imagined.face[token] for token in imagined.hand[1]]


@pytest.mark.parametrize("passing", ["left", "hold"])
def test_the_two_of_clubs_leads_and_its_owner_is_public(passing: str) -> None:
    """Every seat answers for it, and all determinizations agree on its owner."""
    table = begun(passing=passing)
    pass_all(table)
    two, leader = CARDS.face("2C"), table.seat
    legal = table.observation(leader).legal()
    assert [table.observation(leader).labels().notation(action) for action in legal] == ["play 2C"]
    for viewer in set(range(5)) - {leader}:
        imagined = table.observation(viewer).determinize(Random(viewer))
        assert two in [imagined.face[token] for token in imagined.hand[leader]]


def test_suit_must_be_followed_by_who_can() -> None:
    at = playing("8C", "9C 2D AS", "3D QS 2H", "6C").act("play 8C")
    assert at.legal() == {"play 9C"}
    assert at.act("play 9C").legal() == {"play 3D", "play QS", "play 2H"}


def test_the_highest_card_of_the_suit_led_takes_the_trick() -> None:
    """No other suit takes it, however high; its winner leads next."""
    at = playing("8D 7C", "AS 8C", "JD 9C", "10D 10C").act(
        "play 8D", "play AS", "play JD", "play 10D"
    )
    assert at.cards(at.state.taken[2]) == "8D AS JD 10D"
    assert at.state.seat == at.state.leader == 2


def test_a_trick_is_shown_with_its_winner_before_it_is_taken() -> None:
    at = playing("4D 7C", "9D 8C", "AC 9C", "7D 10C").act(
        "play 4D", "play 9D", "play AC", "play 7D"
    )
    (beat,) = at.beats
    assert [at.cards(laid) for laid in beat.state.laid] == ["4D", "9D", "AC", "7D"]
    assert (at.cards(beat.cards), beat.by) == ("9D", 1)


def test_no_points_are_played_to_the_first_trick() -> None:
    at = first_trick("2C", "3D 4H QS KS", "3C", "4C").act("play 2C")
    assert at.legal() == {"play 3D", "play KS"}


def test_points_are_played_to_the_first_trick_only_without_other_cards() -> None:
    at = first_trick("2C", "4H QS 5H", "3C", "4C").act("play 2C")
    assert at.legal() == {"play 4H", "play QS", "play 5H"}


def test_no_heart_is_led_before_one_has_been_played() -> None:
    """The queen of spades may be led."""
    assert playing("8D QS 4H", "8C", "9C", "10C").legal() == {"play 8D", "play QS"}


@pytest.mark.parametrize("discarded", ["5H", "QS"])
def test_a_heart_or_the_queen_of_spades_breaks_hearts(discarded: str) -> None:
    at = playing("8D 4H KC", f"{discarded} 8C", "9D 9C", "10D 10H 10C")
    at.act("play 8D", f"play {discarded}", "play 9D", "play 10D")
    assert at.legal() == {"play 10H", "play 10C"}


def test_hearts_are_led_early_only_without_other_cards() -> None:
    """Hearts may be led if they are broken or no other card is left."""
    assert playing("4H 6H", "8C 9D", "9C 10D", "10C JD").legal() == {"play 4H", "play 6H"}


def test_hearts_count_one_and_the_queen_of_spades_thirteen() -> None:
    """Three tricks, played out: seat 1 takes a queen and a heart, seat 3 two hearts.

    10S AS QS 2H go to the ace, 7C KH 9C 8D to the nine, and 5H 3D 4D 6D to the five.
    """
    at = playing("10S 8D 3D", "AS 7C 4D", "QS KH 6D", "2H 9C 5H")
    at.act("play 10S", "play AS", "play QS", "play 2H")
    assert HEARTS.scores(at.state) == [0, 14, 0, 0]
    at.act("play 7C", "play KH", "play 9C", "play 8D")
    at.act("play 5H", "play 3D", "play 4D", "play 6D")
    assert (at.state.seat, HEARTS.scores(at.state)) == (OVER, [0, 14, 0, 2])


def test_who_takes_all_points_has_shot_the_moon() -> None:
    """Then the others get 26 each; one heart short of it, the taker gets 25."""
    at = playing("8D", "8C", "9C", "KH")
    all_but_one = [t for t in at.left if POINTS[at.state.face[t]]]
    # The king of hearts is in a hand, so one point is missing.
    at.state.put_all(all_but_one, at.state.taken, 0)
    assert HEARTS.scores(at.state) == [25, 0, 0, 0]
    at.act("play 8D", "play 8C", "play 9C", "play KH")
    assert (at.state.seat, HEARTS.scores(at.state)) == (OVER, [0, 26, 26, 26])


def test_points_of_several_hands_add_up_and_the_fewest_win() -> None:
    """A hand has 26 points, or 78 if a seat has shot the moon."""
    table, rng = begun(hands=3), Random(5)
    sums = []
    while not table.is_over:
        pass_all(table)
        finish_hand(table, rng)
        sums.append(sum(table.scores))
    assert len(sums) == 3
    assert {now - was for was, now in zip([0, *sums], sums, strict=False)} <= {26, 78}
    assert table.places[table.scores.index(min(table.scores))] == 1


def test_a_game_to_a_target_ends_after_the_hand_that_reaches_it() -> None:
    table, rng = begun(target=60), Random(5)
    highest = [0]
    while not table.is_over:
        pass_all(table)
        finish_hand(table, rng)
        highest.append(max(table.scores))
    # The highest scores before and after the last hand, though one hand would be enough otherwise.
    assert highest[-2] < 60 <= highest[-1]


def test_determinizations_have_no_card_of_a_suit_that_was_not_followed() -> None:
    """Seat 1 has no diamonds; the others still may."""
    at = playing("8D AC KC", "9S 8C 9C", "9D 6D 7D", "10D 2S 3S").act("play 8D", "play 9S")
    diamonds = {face for face, card in enumerate(CARDS.faces) if card.fields["suit"] == "diamonds"}
    imagined = [imagine(at, 3, seed) for seed in range(30)]
    assert not any(faces_of(state, 1) & diamonds for state in imagined)
    # Else the test would also pass if no hand ever got diamonds.
    assert any(faces_of(state, 2) & diamonds for state in imagined)


def test_an_early_lead_of_a_heart_excludes_other_suits() -> None:
    """The rest of the hand is hearts in every game that can be imagined."""
    at = playing("4H 6H 7H", "8C 9D KC", "9C 10D QC", "10C JD JC").act("play 4H")
    hearts = {face for face, card in enumerate(CARDS.faces) if card.fields["suit"] == "hearts"}
    assert all(faces_of(imagine(at, 2, seed), 0) <= hearts for seed in range(30))


def test_points_in_the_first_trick_exclude_other_cards() -> None:
    """Hearts, and perhaps the queen of spades."""
    at = first_trick("2C 8D 9S", "4H QS 5H", "3C JD 6H", "4C AD KS").act("play 2C", "play 4H")
    assert all(
        all(POINTS[face] for face in faces_of(imagine(at, 3, seed), 1)) for seed in range(30)
    )


def imagine(at: ByHand[Table], viewer: int, seed: int) -> Table:
    """Return the cards as a viewer may imagine them; all other cards are in the stack."""
    state = at.state.clone()
    state.put_all(at.left, state.stack)
    return Observation(HEARTS, state, viewer).determinize(Random(seed))


def faces_of(state: Table, seat: int) -> set[int]:
    """Return the faces in a hand."""
    return {state.face[token] for token in state.hand[seat]}


def test_a_reason_names_the_suit_led_and_the_cards_of_it() -> None:
    """Suits are followed by those who can."""
    at = playing("6C 6H 7H", "JC 9D 8C", "9C 10D QC", "10C JD KC").act("play 6C")
    assert at.why_not("play 9♦") == "clubs were led, and you hold 8♣ J♣"
    assert at.why_not("play 8C") is None


def test_a_reason_names_the_rules_of_the_first_trick() -> None:
    """The two of clubs leads, and no points are played."""
    at = first_trick("2C 8D 9S", "4H QS 5D", "3C JD 6H", "4C AD KS")
    assert at.why_not("play 8D") == "the two of clubs leads the first trick"
    at.act("play 2C")
    reason = "no points may go to the first trick while you hold other cards: 5♦"
    assert at.why_not("play 4H") == at.why_not("play QS") == reason


def test_a_reason_names_the_rule_of_leading_hearts() -> None:
    at = playing("4H 6D 7S", "8C 9D KC", "9C 10D QC", "10C JD JC")
    assert at.why_not("play 4H") == (
        "no heart may be led before a card with points has been played; you hold 6♦ 7♠"
    )


def test_a_reason_names_the_phase_and_the_hand() -> None:
    """Cards are passed before the first trick, by their owners."""
    at = playing("4H 6D 7S", "8C 9D KC", "9C 10D QC", "10C JD JC")
    assert at.why_not("pass 6D") == "the cards have been passed already"
    assert at.why_not("play 8C") == "it is not in your hand"
    assert at.why_not("deal") == "the cards are dealt by chance"
    at.state.phase = PASSING
    assert at.why_not("play 6D") == "first pass three cards"
    assert at.why_not("pass 8C") == "it is not in your hand"
