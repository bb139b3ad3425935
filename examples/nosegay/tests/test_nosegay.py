"""Nosegay: the rules by example, and what a passed hand shows."""

import pytest

from cardhub import OVER, Observation
from cardhub.testing import checks, initial_state, resolve_options
from nosegay import Nosegay
from nosegay.game import BEE, CARDS, DAISY, ROSE, TULIP, VIOLET, Table, points

NOSEGAY = Nosegay()
test_nosegay = checks(NOSEGAY, games=1)


def dealt(seats: int = 2, first: str = "") -> Table:
    """Return a game in which these cards are dealt first."""
    faces = [CARDS.face(name) for name in first.split()]
    rest = CARDS.all_copies()
    for face in faces:
        rest.remove(face)
    settings = resolve_options(NOSEGAY, {}, seats)
    return initial_state(NOSEGAY, settings, seats, faces + rest)


def gathered(*nosegays: str) -> Table:
    """Return a state with these nosegays."""
    state = dealt(len(nosegays), " ".join(nosegays))
    token = 0
    for zone in (state.hand, [state.rest]):
        for pile in zone:
            pile.clear()
    for seat, cards in enumerate(nosegays):
        for _ in cards.split():
            state.put(token, state.nosegay, seat)
            token += 1
    state.put_all(range(token, CARDS.count), state.rest)
    return state


@pytest.mark.parametrize(("seats", "size"), [(2, 8), (3, 7), (4, 6), (5, 5)])
def test_hands_are_smaller_at_larger_tables(seats: int, size: int) -> None:
    assert [len(hand) for hand in dealt(seats).hand] == [size] * seats


def test_nothing_changes_until_all_have_chosen_then_the_hands_are_passed() -> None:
    state = dealt(3)
    hands = [hand[:] for hand in state.hand]
    for seat in range(3):
        assert state.hand == hands
        NOSEGAY.apply(state, hands[seat][0])
    assert state.nosegay == [hand[:1] for hand in hands]
    assert state.hand == [hands[2][1:], hands[0][1:], hands[1][1:]]
    assert state.seat == 0


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    state = dealt()
    before = Observation(NOSEGAY, state, 1)
    NOSEGAY.apply(state, state.hand[0][3])
    after = Observation(NOSEGAY, state, 1)
    assert (after.state, after.history) == (before.state, before.history)


def test_the_last_holder_of_a_hand_knows_its_cards() -> None:
    state = dealt(3)
    for _ in range(3):
        NOSEGAY.apply(state, NOSEGAY.legal(state)[0])
    labels = [Observation(NOSEGAY, state, seat).labels() for seat in range(3)]
    assert all(map(labels[0].is_known, state.hand[1]))
    assert not any(map(labels[0].is_known, state.hand[2]))


@pytest.mark.parametrize(
    ("nosegay", "kind", "expected"),
    [
        ("D1 D3 D3", DAISY, 7),
        ("R", ROSE, 0),
        ("R R R", ROSE, 5),
        ("R R R R", ROSE, 10),
        ("V V V", VIOLET, 6),
        ("B B", BEE, 0),
        ("B B D1 D2 R", BEE, 4),
        ("B D1 R T V", BEE, 4),
        ("T", TULIP, 6),
    ],
)
def test_a_nosegay_scores_by_kind(nosegay: str, kind: int, expected: int) -> None:
    assert points(gathered(nosegay, ""))[0][kind] == expected


def test_nobody_scores_tulips_that_are_tied_for_the_most() -> None:
    assert NOSEGAY.scores(gathered("T T", "T T", "T")) == [0, 0, 0]


def test_a_game_ends_when_the_hands_are_empty() -> None:
    state = dealt(5)
    for count in range(25):
        assert state.seat == count % 5
        NOSEGAY.apply(state, NOSEGAY.legal(state)[0])
    assert state.seat == OVER
    assert [len(nosegay) for nosegay in state.nosegay] == [5] * 5


def test_a_card_that_is_not_in_the_own_hand_has_a_reason() -> None:
    state = dealt()
    card, other = state.hand[0][0], state.hand[1][0]
    names = Observation(NOSEGAY, state, 0).labels()
    why_not = NOSEGAY.display.why_not
    assert why_not(state, card, names) is None
    assert why_not(state, other, names) == "it is not in your hand"
    for action in (card, other):
        NOSEGAY.apply(state, action)
    assert why_not(state, card, names) == "it is in a nosegay, where it stays"
