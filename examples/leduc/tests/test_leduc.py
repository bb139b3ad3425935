"""Leduc poker: the rules by example, and figures that are known of the whole game."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations

import pytest

from cardhub import OVER, Observation
from cardhub.testing import checks, initial_state, resolve_options
from leduc import Leduc
from leduc.game import ACTIONS, CARDS, FOLD, RAISE, Table

LEDUC = Leduc()
test_leduc = checks(LEDUC, games=20)

SETTINGS = resolve_options(LEDUC, {}, 2)
# First player's card, second player's, and the one to be turned up. The order of the other three
# cards does not matter, so these are all deals that differ.
DEALS = list(permutations(range(6), 3))

# States that differ in faces only, with their probabilities as fractions: their sums are exact.
Worlds = list[tuple[Table, Fraction]]


def dealt(faces: Iterable[int]) -> Table:
    """Return a game with these cards; the cards left over follow in order."""
    first = list(faces)
    return initial_state(
        LEDUC, SETTINGS, 2, first + [face for face in range(6) if face not in first]
    )


def played(cards: str, actions: str = "") -> Table:
    """Return the state after some actions."""
    state = dealt(map(CARDS.face, cards.split()))
    for action in actions.split():
        assert action in legal(state), f"{action} in {actions}"
        LEDUC.apply(state, [word.verb for word in ACTIONS.groups].index(action))
    return state


def legal(state: Table) -> list[str]:
    """Return the legal actions in words."""
    return [ACTIONS.text(action, str) for action in LEDUC.legal(state)]


def test_fold_is_not_legal_without_a_bet() -> None:
    """Folding is for those who face a bet."""
    for actions in ("", "call", "call call", "call call call"):
        assert legal(played("JS QS KS", actions)) == ["call", "raise"]


def test_a_bet_can_be_folded_to_called_or_raised_but_a_second_raise_not_raised_again() -> None:
    """There are at most two raises in a round, by both seats together."""
    assert legal(played("JS QS KS", "raise")) == ["fold", "call", "raise"]
    assert legal(played("JS QS KS", "raise raise")) == ["fold", "call"]
    assert legal(played("JS QS KS", "call raise raise")) == ["fold", "call"]
    assert legal(played("JS QS KS", "raise raise call raise")) == ["fold", "call", "raise"]


@pytest.mark.parametrize(
    ("actions", "stakes"),
    [
        ("", [1, 1]),
        ("raise", [3, 1]),
        ("raise call", [3, 3]),
        ("call raise raise", [5, 3]),
        ("raise raise call", [5, 5]),
        ("call call raise", [5, 1]),
        ("raise raise call raise raise call", [13, 13]),
    ],
)
def test_a_raise_is_two_chips_in_the_first_round_and_four_in_the_second(
    actions: str, stakes: list[int]
) -> None:
    assert played("JS QS KS", actions).stakes == stakes


@pytest.mark.parametrize("actions", ["call call", "raise call", "call raise call"])
def test_a_card_is_turned_up_after_the_first_round_and_the_first_player_begins_again(
    actions: str,
) -> None:
    """A round ends with a call, but not with the first player's check."""
    before = played("JS QS KS", actions.rpartition(" ")[0])
    after = played("JS QS KS", actions)
    assert (before.board, after.board, after.seat) == ([], [2], 0)
    assert Observation(LEDUC, after, 2).labels().card(2) == "K♠"


@pytest.mark.parametrize(
    ("cards", "scores"),
    [
        ("JS KS JH", [3, -3]),  # a pair of jacks beats a king
        ("KS QS QH", [-3, 3]),  # a pair of queens
        ("QS JS KH", [3, -3]),  # no pair: the queen is higher
        ("JH QS KH", [-3, 3]),
        ("QS QH KS", [0, 0]),  # suits do not count
    ],
)
def test_a_pair_wins_or_else_the_higher_card_and_equal_cards_split(
    cards: str, scores: list[int]
) -> None:
    """The winner gets the stake of the other: the ante and one raise of the first round."""
    state = played(cards, "raise call call call")
    assert (state.seat, LEDUC.scores(state)) == (OVER, scores)


def test_who_folds_loses_the_own_stake_and_no_card_is_shown() -> None:
    state = played("KS JS KH", "raise call raise raise fold")  # 3, then 3 + 4 and 3 + 4 + 4
    assert (state.seat, LEDUC.scores(state)) == (OVER, [-7, 7])
    labels = Observation(LEDUC, state, state.seats).labels()
    assert [labels.card(token) for token in range(3)] == ["?", "?", "K♥"]


def test_both_cards_are_turned_up_after_the_second_round() -> None:
    """The event texts name the cards of both."""
    state = played("KS JS QH", "call call call call")
    labels = Observation(LEDUC, state, state.seats).labels()
    assert [labels.card(token) for token in range(3)] == ["K♠", "J♠", "Q♥"]


def test_event_texts_name_stakes_and_cards_shown() -> None:
    """Checks and calls have different texts, though they are one action."""
    sentences: list[str] = []
    state = dealt(map(CARDS.face, ["KS", "JS", "QH"]))
    for action in (1, 2, 1, 1, 1):
        before = state.clone()
        LEDUC.apply(state, action)
        labels = Observation(LEDUC, state, 0).labels(["Anna", "Bob"])
        sentences += LEDUC.display.narration(before, action, state, labels) or []
    assert sentences == [
        "Anna checks",
        "Bob raises to 3",
        "Anna calls 2",
        "Q♥ is turned up",
        "Anna checks",
        "Bob checks",
        "Anna has K♠",
        "Bob has J♠",
    ]


def test_there_are_936_situations_in_which_a_player_may_find_themselves() -> None:
    situations = set()
    states = [(dealt(faces), "") for faces in DEALS]
    for state, past in states:  # grows as it is read
        if state.seat != OVER:
            known = Observation(LEDUC, state, state.seat).state
            cards = known.face[known.hand[known.seat][0]], *map(known.face.__getitem__, known.board)
            # With the actions, as different actions can lead to equal stakes.
            situations.add((state.seat, past, cards))
            states += [(after(state, a), f"{past}{a}") for a in LEDUC.legal(state)]
    assert len(situations) == 2 * 6 * (3 + 5 * 5 * 3) == 936


def after(state: Table, action: int) -> Table:
    """Return the state after an action."""
    state = state.clone()
    LEDUC.apply(state, action)
    return state


def best_response(worlds: Worlds, player: int) -> Fraction:
    """Return the value of the best response to uniformly random actions.

    The player's actions depend only on faces that the player can see.
    """
    first = worlds[0][0]
    if first.seat == OVER:
        return sum((weight * LEDUC.scores(s)[player] for s, weight in worlds), Fraction(0))
    known = defaultdict(list)
    for state, weight in worlds:
        face = state.face
        known[face[player], *map(face.__getitem__, state.board)].append((state, weight))
    # The player can distinguish these groups, and so may act differently in each of them.
    if len(known) > 1:
        return sum((best_response(group, player) for group in known.values()), Fraction(0))
    actions = LEDUC.legal(first)
    # One action for all states of the group: the player does not know which one it is.
    if first.seat == player:
        return max(best_response([(after(s, a), w) for s, w in worlds], player) for a in actions)
    share = Fraction(1, len(actions))
    branches = ([(after(s, a), w * share) for s, w in worlds] for a in actions)
    return sum((best_response(branch, player) for branch in branches), Fraction(0))


def test_random_play_can_be_exploited_by_as_much_as_is_known() -> None:
    """The best responses of both players to random play win 4.747222 together (OpenSpiel)."""
    worlds = [(dealt(faces), Fraction(1, len(DEALS))) for faces in DEALS]
    both = best_response(worlds, 0) + best_response(worlds, 1)
    assert both == Fraction(1709, 360)


def test_reasons_are_given_against_folds_and_raises() -> None:
    """A fold answers a raise, and each round has two raises."""
    state = played("JS QS KS")
    names = Observation(LEDUC, state, 0).labels()
    check = "there is no raise to answer; call, which is a check now"
    assert LEDUC.display.why_not(state, FOLD, names) == check
    state = played("JS QS KS", "raise raise")
    assert LEDUC.display.why_not(state, RAISE, names) == "a round has at most 2 raises"
    assert LEDUC.display.why_not(state, FOLD, names) is None
