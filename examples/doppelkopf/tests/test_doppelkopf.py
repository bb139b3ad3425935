"""Doppelkopf: tricks, sides and points by example, and what each player can conclude."""

from collections import Counter
from itertools import permutations
from math import fsum
from random import Random

import pytest

from cardhub import OVER, HiddenFaceError, Observation
from cardhub.testing import ByHand, checks, examples
from doppelkopf import Doppelkopf
from doppelkopf.scoring import by_seat, causes
from doppelkopf.table import CARDS, KONTRA, NO_SIDE, RE, Table

DOPPELKOPF = Doppelkopf()
test_doppelkopf = checks(DOPPELKOPF, games=1)
test_rules_of_doppelkopf = examples(DOPPELKOPF)


def holding(*hands: str) -> ByHand[Table]:
    """Return a position with these hands, and seat 0 to lead."""
    at = ByHand(DOPPELKOPF, 4)
    for seat, names in enumerate(hands):
        at.state.put_all(at.take(names), at.state.hand, seat)
    at.state.announced, at.state.queens = [NO_SIDE] * 4, [0] * 4
    at.state.excluded, at.state.seat, at.state.leader = [0] * 4, 0, 0
    return at


def play(at: ByHand[Table], cards: str) -> ByHand[Table]:
    """Play cards in turn."""
    return at.act(*(f"play {card}" for card in cards.split()))


def shown(observation: Observation[Table]) -> list[int | None]:
    """Return the sides that a viewer knows, None for unknown ones."""
    sides: list[int | None] = []
    for seat in range(4):
        try:
            sides.append(DOPPELKOPF.side(observation.state, seat))
        except HiddenFaceError:
            sides.append(None)
    return sides


def test_each_card_is_there_twice_and_counts_240_points() -> None:
    points = sum(CARDS.ints("points")[face] for face in CARDS.copies)
    assert (CARDS.count, {*Counter(CARDS.copies).values()}, points) == (48, {2}, 240)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AC 10C AC KC", 0),  # of two equal cards the first
        ("KC 10C AC 9C", 2),  # the ten is below the ace
        ("AC 9D 10C KC", 1),  # the lowest trump beats an ace
        ("JD QD JC AD", 1),  # queens are above jacks, which are above other diamonds
        ("QC 10H 10H QS", 1),  # the ten of hearts is the highest trump
        ("KH 9H AH JD", 3),  # hearts are a suit without their tens
        ("KS AC 10S 10C", 2),  # a card of another suit never wins
    ],
)
def test_who_takes_a_trick(cards: str, winner: int) -> None:
    at = play(holding(*cards.split()), cards)
    assert len(at.state.taken[winner]) == 4


def test_a_side_is_announced_before_the_second_card_and_once() -> None:
    at = ByHand(DOPPELKOPF, 4, {"nines": False})
    at.state.put_all(at.take("QC"), at.state.hand, 0)
    for seat, names in enumerate(["AC KC", "10C QC KS", "10S KS 10D", "AC 10D AH"]):
        at.state.put_all(at.take(names), at.state.hand, seat)
    rest = [*at.left]
    for seat in range(4):
        at.state.put_all(rest[7 * seat : 7 * seat + 7], at.state.hand, seat)
    at.state.announced, at.state.queens = [NO_SIDE] * 4, [0] * 4
    at.state.excluded, at.state.seat = [0] * 4, 0
    assert "announce Re" in at.legal()
    assert "announce Kontra" not in at.legal()
    at.act("announce Re")
    assert not {"announce Re", "announce Kontra"} & at.legal()
    play(at, "AC")
    assert "announce Re" not in at.legal()
    play(at, "10C")
    assert shown(at.observe(2)) == [RE, None, KONTRA, None]
    at.act("announce Kontra")
    assert shown(at.observe(3)) == [RE, None, KONTRA, KONTRA]


def test_who_plays_a_queen_of_clubs_is_known_to_be_re() -> None:
    at = holding("QC KC", "QC 10C", "AD AC", "KD AC")
    assert shown(at.observe(0)) == [RE, None, None, None]
    assert shown(at.observe(4)) == [None] * 4
    play(at, "QC")
    assert shown(at.observe(0)) == shown(at.observe(4))[:1] + [None] * 3
    assert shown(at.observe(1)) == [RE, RE, KONTRA, KONTRA]
    assert shown(at.observe(2)) == [RE, None, KONTRA, None]
    play(at, "QC")
    assert shown(at.observe(4)) == [RE, RE, KONTRA, KONTRA]


def test_a_silent_solo_is_known_to_its_player_only() -> None:
    at = holding("QC QC", "10C 9C", "AD AC", "KD AC")
    assert shown(at.observe(0)) == [RE, KONTRA, KONTRA, KONTRA]
    assert shown(at.observe(1)) == [None, KONTRA, None, None]


def test_who_does_not_follow_trumps_is_kontra() -> None:
    at = play(holding("9D AC", "KS 10C", "QC AC", "QC KC"), "9D KS")
    assert shown(at.observe(4)) == [None, KONTRA, None, None]


def finished(taken: dict[int, str], queens: list[int], announced: dict[int, int]) -> Table:
    """Return a finished game in which the last seats have all cards that nobody is said to have."""
    at = holding()
    state = at.state
    for seat, names in taken.items():
        state.put_all(at.take(names), state.taken, seat)
    state.put_all(at.left, state.taken, 3)
    state.queens, state.seat = queens, OVER
    for seat, side in announced.items():
        state.announced[seat] = side
    return state


ACES_AND_TENS = "AC AC AS AS AH AH AD AD 10C 10C 10S 10S"
EMPTY: dict[int, int] = {}


@pytest.mark.parametrize(
    ("re_cards", "queens", "announced", "scores"),
    [
        # 148 points against 92: won.
        (ACES_AND_TENS, [1, 1, 0, 0], EMPTY, [1, 1, -1, -1]),
        # 120 points against 120: Kontra wins, against two queens.
        (ACES_AND_TENS[:-8], [1, 1, 0, 0], EMPTY, [-2, -2, 2, 2]),
        # Both sides have announced; the winners get all of it.
        (ACES_AND_TENS, [1, 1, 0, 0], {0: RE, 3: KONTRA}, [5, 5, -5, -5]),
        # One player alone pays three times, and no queens are beaten.
        (ACES_AND_TENS[:-8], [2, 0, 0, 0], EMPTY, [-3, 1, 1, 1]),
    ],
)
def test_points_of_a_game(
    re_cards: str, queens: list[int], announced: dict[int, int], scores: list[int]
) -> None:
    state = finished({0: re_cards}, queens, announced)
    assert DOPPELKOPF.scores(state) == scores
    (section,) = DOPPELKOPF.display.breakdown(state)
    columns = zip(*(row.points for row in section.rows), strict=True)
    assert [fsum(column) for column in columns] == scores


def test_limits_and_a_game_without_a_trick_of_the_losers() -> None:
    state = finished({}, [0, 0, 1, 1], {})
    assert [cause.label for cause in causes(state)] == [
        *("won", "below 90", "below 60", "below 30", "no trick lost")
    ]
    assert by_seat(state, 5) == [-5, -5, 5, 5]


def test_determinizations_are_exactly_the_deals_that_fit() -> None:
    """Each deal is drawn, and as often as the others: Bob is Re, and did not follow spades."""
    at = holding("AS KS KH", "9D QC 10C", "AH AC 9C", "QC KC")
    at.state.put_all(at.left, at.state.taken, 0)
    at.state.announced[1] = RE
    play(at, "AS 9D")
    observation, rng = at.observe(2), Random(1)
    assert shown(observation) == [None, RE, KONTRA, None]
    hidden = [token for seat in (0, 1, 3) for token in at.state.hand[seat]]
    faces = [at.state.face[token] for token in hidden]
    queen, king = CARDS.face("QC"), CARDS.face("KS")
    fitting = {deal for deal in permutations(faces) if queen in deal[2:4] and king not in deal[2:4]}
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(40 * len(fitting)):
        state = observation.determinize(rng)
        drawn[tuple(state.face[token] for token in hidden)] += 1
    assert drawn.keys() == fitting
    # The chi-squared distance of equal probabilities has about this mean, and twice it as variance.
    distance = fsum((count - 40) ** 2 / 40 for count in drawn.values())
    assert distance < len(fitting) + 4 * (2 * len(fitting)) ** 0.5
