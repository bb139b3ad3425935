"""Kuhn poker: the rules, and the value of optimal play."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest

from cardhub import OVER, Observation
from cardhub.testing import checks, initial_state, resolve_options
from kuhn import Kuhn
from kuhn.game import ACTIONS, BET, CALL, CHECK, FOLD, Table

KUHN = Kuhn()
test_kuhn = checks(KUHN)

SETTINGS = resolve_options(KUHN, {}, 2)
JACK, QUEEN, KING = range(3)
DEALS = list(permutations((JACK, QUEEN, KING)))
VALUE = Fraction(-1, 18)

Situation = tuple[int, tuple[int, ...]]
"""All a player knows: the own card and the actions so far."""
Strategy = Mapping[Situation, Fraction]
"""How likely a player bets or calls in a situation."""

FIRST: list[tuple[int, ...]] = [(), (CHECK, BET)]
SECOND: list[tuple[int, ...]] = [(CHECK,), (BET,)]


def dealt(*faces: int) -> Table:
    """Return a game with these faces: first player's, second player's, the one left."""
    return initial_state(KUHN, SETTINGS, 2, list(faces))


def played(state: Table, *actions: int) -> Table:
    """Return the state after some actions."""
    for action in actions:
        assert action in KUHN.legal(state), f"{action} after {actions}"
        KUHN.apply(state, action)
    return state


def situation(state: Table, past: tuple[int, ...]) -> Situation:
    """Return the information state of the seat to act, read from its observation."""
    seen = Observation(KUHN, state, state.seat).state
    return seen.face[seen.hand[seen.seat][0]], past


def value(state: Table, strategies: tuple[Strategy, Strategy], *past: int) -> Fraction:
    """Return the expected return of the first player from this state on."""
    if state.seat == OVER:
        return Fraction(KUHN.scores(state)[0])
    bold = strategies[state.seat][situation(state, past)]
    total = Fraction(0)
    for action in KUHN.legal(state):
        chance = bold if action in (BET, CALL) else 1 - bold
        if chance:
            after = state.clone()
            KUHN.apply(after, action)
            total += chance * value(after, strategies, *past, action)
    return total


def game_value(first: Strategy, second: Strategy) -> Fraction:
    """Return the expected return of the first player over all deals."""
    return sum((value(dealt(*faces), (first, second)) for faces in DEALS), Fraction(0)) / len(DEALS)


def pure_strategies(pasts: list[tuple[int, ...]]) -> Iterator[Strategy]:
    """Yield every deterministic strategy."""
    situations = list(product((JACK, QUEEN, KING), pasts))
    for choice in product((Fraction(0), Fraction(1)), repeat=len(situations)):
        yield dict(zip(situations, choice, strict=True))


def first_equilibrium(bluff: Fraction) -> Strategy:
    """Return the first player's equilibrium that bets a jack as often as `bluff` says."""
    return {
        (JACK, ()): bluff,
        (QUEEN, ()): Fraction(0),
        (KING, ()): 3 * bluff,
        (JACK, (CHECK, BET)): Fraction(0),
        (QUEEN, (CHECK, BET)): bluff + Fraction(1, 3),
        (KING, (CHECK, BET)): Fraction(1),
    }


SECOND_EQUILIBRIUM: Strategy = {
    (JACK, (CHECK,)): Fraction(1, 3),
    (QUEEN, (CHECK,)): Fraction(0),
    (KING, (CHECK,)): Fraction(1),
    (JACK, (BET,)): Fraction(0),
    (QUEEN, (BET,)): Fraction(1, 3),
    (KING, (BET,)): Fraction(1),
}

BLUFFS = [Fraction(0), Fraction(1, 5), Fraction(1, 3)]


@pytest.mark.parametrize("bluff", BLUFFS)
def test_the_first_player_loses_an_eighteenth_of_a_chip_in_equilibrium(bluff: Fraction) -> None:
    """Kuhn 1950: the value of the game is -1/18, however often the first player bluffs."""
    assert game_value(first_equilibrium(bluff), SECOND_EQUILIBRIUM) == VALUE


def test_the_first_player_can_do_no_better_than_the_equilibrium() -> None:
    """No strategy wins more than -1/18 against the second player's equilibrium."""
    assert max(game_value(s, SECOND_EQUILIBRIUM) for s in pure_strategies(FIRST)) == VALUE


@pytest.mark.parametrize("bluff", BLUFFS)
def test_the_second_player_can_do_no_better_than_the_equilibrium(bluff: Fraction) -> None:
    """No strategy holds the first player's equilibrium below -1/18."""
    equilibrium = first_equilibrium(bluff)
    assert min(game_value(equilibrium, s) for s in pure_strategies(SECOND)) == VALUE


@pytest.mark.parametrize(
    ("actions", "scores"),
    [
        ((CHECK, CHECK), [1, -1]),
        ((CHECK, BET, FOLD), [-1, 1]),
        ((CHECK, BET, CALL), [2, -2]),
        ((BET, FOLD), [1, -1]),
        ((BET, CALL), [2, -2]),
    ],
)
def test_the_higher_card_wins_the_stake_of_the_other_unless_it_folded(
    actions: tuple[int, ...], scores: list[int]
) -> None:
    """All five courses of the game, with a king against a queen."""
    state = played(dealt(KING, QUEEN, JACK), *actions)
    assert (state.seat, KUHN.scores(state)) == (OVER, scores)


@pytest.mark.parametrize(
    ("actions", "seen"),
    [
        ((CHECK, CHECK), True),
        ((BET, CALL), True),
        ((BET, FOLD), False),
        ((CHECK, BET, FOLD), False),
    ],
)
def test_cards_are_turned_up_only_without_a_fold(actions: tuple[int, ...], seen: bool) -> None:
    """A player who folds, or wins by a fold, does not show a card."""
    state = played(dealt(KING, QUEEN, JACK), *actions)
    labels = Observation(KUHN, state, state.seats).labels()
    assert [labels.is_known(token) for token in range(3)] == [seen, seen, False]


def test_a_bet_can_only_be_folded_to_or_called() -> None:
    """There is one bet and no raise."""
    texts = [ACTIONS.text(action, str) for action in KUHN.legal(played(dealt(0, 1, 2), BET))]
    assert texts == ["fold", "call"]


def test_a_bot_that_changes_its_legal_actions_does_not_change_the_rules() -> None:
    """The list of an observation is its own, though the game returns the same one each time."""
    observation = Observation(KUHN, dealt(JACK, QUEEN, KING), 0)
    observation.legal().remove(BET)
    assert observation.legal() == [CHECK, BET]
