"""Pig for stakes: the rules by example, the dice, and when it pays to hold."""

from fractions import Fraction

import pytest

from cardhub import CHANCE, OVER, Observation
from cardhub.testing import (
    ByHand,
    Position,
    checks,
    default_trial,
    initial_state,
    play,
    resolve_options,
)
from pig import Pig
from pig.game import ACTIONS, CARDS, HOLD, ROLL, SUM, SUMS, Table

PIG = Pig()
test_pig = checks(PIG, games=1)


def dealt(stakes: str, seats: int = 2, target: int = 100) -> Table:
    """Return a game in which these stakes are turned up first."""
    first = [CARDS.face(name) for name in stakes.split()]
    rest = CARDS.all_copies()
    for face in first:
        rest.remove(face)
    settings = resolve_options(PIG, {"target": target}, seats)
    # The stack is drawn from its end.
    return initial_state(PIG, settings, seats, rest + first[::-1])


def act(state: Table, *actions: int | str) -> Table:
    """Roll these sums, or hold."""
    for action in actions:
        for step in [HOLD] if isinstance(action, str) else [ROLL, SUM + SUMS.index(action)]:
            assert step in PIG.legal(state), ACTIONS.text(step, str)
            PIG.apply(state, step)
    return state


def legal(state: Table) -> list[str]:
    """Return the legal actions in words."""
    return [ACTIONS.text(action, str) for action in PIG.legal(state)]


def test_sums_come_as_often_as_with_two_dice() -> None:
    state = dealt("x1")
    PIG.apply(state, ROLL)
    throws = [one + other for one in range(1, 7) for other in range(1, 7)]
    assert state.seat == CHANCE
    assert PIG.chance_weights(state) == [throws.count(total) for total in SUMS]
    assert legal(state) == [f"sum {total}" for total in SUMS]


def test_rolls_add_up_until_they_are_banked_times_the_stake() -> None:
    """9 + 4 + 11 = 24, for a double stake 48."""
    state = act(dealt("x2 x1"), 9, 4, 11)
    assert (state.points, PIG.scores(state)) == (24, [0, 0])
    act(state, "hold")
    assert (state.points, PIG.scores(state), state.seat) == (0, [48, 0], 1)


def test_a_seven_loses_the_points_of_the_turn_but_no_banked_points() -> None:
    """The next player has the turn, for the next stake."""
    state = act(dealt("x1 x1 x3 x2"), 10, "hold", 12, "hold", 8, 8, 7)
    assert (state.points, PIG.scores(state), state.seat) == (0, [10, 12], 1)
    assert [CARDS.faces[state.face[token]].name for token in state.stake] == ["x2"]


def test_hold_is_not_legal_before_the_first_roll() -> None:
    state = dealt("x1 x1")
    assert legal(state) == ["roll"]
    assert legal(act(state, 2)) == ["roll", "hold"]
    assert legal(act(state, "hold")) == ["roll"]


def test_the_first_player_with_enough_banked_wins() -> None:
    """Points of a turn do not count before they are banked."""
    state = act(dealt("x3 x1", target=60), 12, 8)
    assert (state.points, state.seat) == (20, 0)
    act(state, "hold")
    assert (PIG.scores(state), state.seat) == ([60, 0], OVER)


def test_turns_go_round_the_table() -> None:
    state = dealt("x1 x1 x1 x1", seats=3)
    order = []
    for _ in range(4):
        order.append(state.seat)
        act(state, 7)
    assert order == [0, 1, 2, 0]


def reshuffled() -> Position[Table]:
    """Return the position after the stakes of a random game have been shuffled again."""
    game = play(PIG, default_trial(PIG, 2, 1))
    return next(position for position in game if position.state.shuffle_log)


def test_when_the_last_stake_is_turned_up_the_others_are_shuffled() -> None:
    """All seats know the current stake, and none the order of the eleven to come."""
    state = reshuffled().state
    (last,) = state.stake
    assert (len(state.stack), state.used) == (11, [])
    labels = Observation(PIG, state, 0).labels()
    assert labels.is_known(last)
    assert not any(map(labels.is_known, state.stack))


def test_on_average_another_roll_gains_up_to_35_points_and_loses_from_there() -> None:
    # 34, 35 and 36 points, each with a stake that counts once.
    gains = [mean_gain(act(dealt("x1 x1"), 12, 12, roll)) for roll in (10, 11, 12)]
    assert gains == [Fraction(1, 6), 0, Fraction(-1, 6)]


def mean_gain(state: Table) -> Fraction:
    """Return the mean change of the value of a turn by one more roll."""
    before = state.points
    PIG.apply(state, ROLL)
    weights = PIG.chance_weights(state)
    assert weights is not None  # for mypy: None would mean equal weights
    mean = Fraction(0)
    for outcome, weight in zip(PIG.legal(state), weights, strict=True):
        after = state.clone()
        PIG.apply(after, outcome)
        mean += Fraction(int(weight), 36) * (after.points - before)
    return mean


@pytest.mark.parametrize(
    ("actions", "sentences"),
    [
        (["sum 9"], ["The dice show 9: 9 points this turn"]),
        (
            ["sum 9", "roll", "sum 9", "hold"],
            ["Anna holds and banks 36 points, for a total of 36", "Bob plays for the stake x1"],
        ),
        (
            ["sum 9", "roll", "sum 7"],
            ["A seven: Anna loses 9 points", "Bob plays for the stake x1"],
        ),
        (["sum 7"], ["A seven: Anna has no points to lose", "Bob plays for the stake x1"]),
    ],
)
def test_the_log_names_rolls_and_banked_points(actions: list[str], sentences: list[str]) -> None:
    at = ByHand(PIG, 2)
    at.state = dealt("x2 x1")
    at.act("roll", *actions[:-1]).act(actions[-1])
    assert at.log_lines(2, ["Anna", "Bob"]) == sentences


def test_a_reason_shows_which_points_can_be_banked_and_rolled() -> None:
    """Points come with the first roll, and chance decides the sums."""
    state = dealt("x1")
    names = Observation(PIG, state, 0).labels()
    unbanked = "there are no points to bank before the first roll"
    assert PIG.display.why_not(state, HOLD, names) == unbanked
    assert PIG.display.why_not(state, SUM, names) == "the dice decide the sum; roll them"
    assert PIG.display.why_not(act(state, 9), HOLD, names) is None
