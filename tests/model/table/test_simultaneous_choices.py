"""Rounds in which several seats choose at the same time."""

import pickle

import pytest
from tests.games.bids import Bids
from tests.games.throws import PAPER, ROCK, SCISSORS, Table, Throws

from cardhub import OVER, State, simultaneous
from cardhub.model.table.rounds import asked_seats, count_choices, is_in_round, turn_to
from cardhub.testing import initial_state, resolve_options

THROWS = Throws()


def dealt() -> Table:
    """Return a position in which both seats are asked."""
    settings = resolve_options(THROWS, {}, 2)
    return initial_state(THROWS, settings, 2, THROWS.pack(settings, 2))


def test_the_first_asked_seat_is_to_act_and_all_are_asked() -> None:
    state = dealt()
    assert (state.seat, asked_seats(state), count_choices(state)) == (0, [0, 1], 0)


def test_a_choice_changes_nothing_but_itself_and_the_seat_to_act() -> None:
    state = dealt()
    assert state.choose(PAPER) == {}
    assert (state.seat, state.known_choices(), asked_seats(state)) == (1, {0: PAPER}, [1])
    assert state.points == [0, 0]


def test_the_last_choice_returns_all_choices_by_seat_and_ends_the_round() -> None:
    state = dealt()
    state.choose(PAPER)
    assert state.choose(ROCK) == {0: PAPER, 1: ROCK}
    assert not is_in_round(state)


def test_the_order_of_choices_does_not_matter() -> None:
    first, second = dealt(), dealt()
    for seat, action in ((0, ROCK), (1, SCISSORS)):
        turn_to(first, seat)
        THROWS.apply(first, action)
    for seat, action in ((1, SCISSORS), (0, ROCK)):
        turn_to(second, seat)
        THROWS.apply(second, action)
    assert first == second
    assert (first.seat, first.points) == (OVER, [2, -2])


def test_a_seat_that_has_chosen_does_not_choose_again() -> None:
    state = dealt()
    state.choose(PAPER)
    turn_to(state, 0)
    assert state.seat == 1


def test_only_some_seats_can_be_asked() -> None:
    settings = resolve_options(THROWS, {}, 2)
    state = initial_state(THROWS, settings, 2, THROWS.pack(settings, 2))
    state.choices.clear()
    state.ask([1])
    assert (state.seat, asked_seats(state)) == (1, [1])
    assert state.choose(ROCK) == {1: ROCK}


def test_clones_and_pickles_have_the_choices() -> None:
    state = dealt()
    state.choose(PAPER)
    copy = state.clone()
    assert copy == state == pickle.loads(pickle.dumps(state))
    copy.choose(ROCK)
    assert state.known_choices() == {0: PAPER}


def test_choosing_needs_a_declaration_a_question_and_seats() -> None:
    game = Bids()
    settings = resolve_options(game, {}, 2)
    undeclared = initial_state(game, settings, 2, game.pack(settings, 2))
    state = dealt()
    with pytest.raises(TypeError, match="declare `choices = simultaneous"):
        undeclared.ask([0])
    with pytest.raises(TypeError, match="needs at least one seat of 0 to 1"):
        state.ask([2])
    state.choose(PAPER)
    with pytest.raises(TypeError, match=r"ask\(\) during a round"):
        state.ask([0])
    state.choose(PAPER)
    with pytest.raises(TypeError, match=r"choose\(\) without ask"):
        state.choose(PAPER)


def test_one_class_declares_one_field_of_choices() -> None:
    with pytest.raises(TypeError, match="declares simultaneous"):
        type("Twice", (State,), {"first": simultaneous(), "second": simultaneous()})
