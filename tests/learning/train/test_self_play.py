"""What a decision is credited with: games by hand, in which seats alternate as they like."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from cardhub.learning.adapters.vector import VectorEnv
from cardhub.learning.adapters.vector.learning_table import BatchArrays
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.feature_spec import indices
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.train.rewards import Floats, Rewards, UtilityScale
from cardhub.learning.train.self_play import Decisions, SelfPlay, gains_of, sample
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring

# Values of two seats that any state may have.
EVEN, GOOD, BAD = (0.0, 0.0), (0.5, -0.5), (-0.25, 0.25)
NOTHING = (0.0, 0.0)
# Three seats that play for points.
BY_SCORE = Scoring((0, 1, 2), Goal.SCORE)


def gains(
    values: Sequence[Sequence[float]],
    rewards: Sequence[Sequence[float]],
    ended: Sequence[bool],
    trace: float = 1,
) -> list[list[float]]:
    """Return the gains of all seats at each decision of one table.

    `values`: one row more than the decisions, for the state after the last one.
    """
    utilities, expected = (np.array(rows, np.float32)[:, None] for rows in (rewards, values))
    gained = gains_of(utilities, expected, np.array(ended)[:, None], trace)
    result: list[list[float]] = gained[:, 0].tolist()
    return result


def test_a_decision_gets_the_utility_minus_the_expectation() -> None:
    values = [EVEN, GOOD, BAD, GOOD]
    won = (1.0, -1.0)
    assert gains(values, [NOTHING, NOTHING, won], [False, False, True]) == [
        [1, -1],
        [0.5, -0.5],
        [1.25, -1.25],
    ]


def test_a_game_gets_nothing_from_the_next_one() -> None:
    """The values and the results after the end of a game belong to another game."""
    won, lost = (1.0, -1.0), (-1.0, 1.0)
    alone = gains([EVEN, GOOD, EVEN], [NOTHING, won], [False, True])
    first = gains(
        [EVEN, GOOD, BAD, GOOD, EVEN], [NOTHING, won, NOTHING, lost], [False, True, False, True]
    )
    assert first[:2] == alone
    assert first[2:] == [[-0.75, 0.75], [-1.5, 1.5]]


def test_an_unfinished_game_gets_the_value_of_its_last_state() -> None:
    assert gains([EVEN, BAD, GOOD], [NOTHING, NOTHING], [False, False]) == [
        [0.5, -0.5],
        [0.75, -0.75],
    ]


def test_a_short_trace_looks_at_the_next_state_alone() -> None:
    values = [EVEN, GOOD, BAD, EVEN]
    won = (1.0, -1.0)
    assert gains(values, [NOTHING, NOTHING, won], [False, False, True], trace=0) == [
        [0.5, -0.5],
        [-0.75, 0.75],
        [1.25, -1.25],
    ]


def test_the_trace_weighs_later_changes() -> None:
    gained = gains([EVEN, GOOD, EVEN], [NOTHING, (1.0, -1.0)], [False, True], trace=0.5)
    assert gained[0] == [0.5 + 0.5 * 0.5, -0.5 - 0.5 * 0.5]


class ScriptedTable:
    """A table of three seats with a prepared sequence of seats, states and results."""

    def __init__(self, seats: Sequence[int], rewards: Sequence[Any]) -> None:
        self._seats, self._rewards = seats, rewards
        self._place = 0
        self.arrays = cast("BatchArrays", self)
        self.step(np.zeros(1, np.int64))
        self._place = 0
        self._show()

    def step(self, actions: NDArray[np.int64]) -> None:
        """Show the next state; the action makes no difference."""
        result = self._rewards[self._place]
        self.rewards = np.array([result or (0, 0, 0)], np.float64)
        self.terminated = np.array([result is not None])
        self.truncated = np.array([False])
        self._place += 1
        self._show()

    def _show(self) -> None:
        self.observations = self.true_states = np.array([[self._place]], np.float32)
        self.masks = np.ones((1, 2), np.int8)
        self.seats = np.array([self._seats[self._place]])


class Even:
    """Networks that play at random, with values of 0."""

    def log_shares(self, observations: Slots, masks: Mask) -> Floats:
        """Return equal probabilities."""
        shares: Floats = np.log(masks / masks.sum(axis=1, keepdims=True)).astype(np.float32)
        return shares

    def values(self, true_states: Slots) -> Floats:
        """Return no expectation for any of three seats."""
        return np.zeros((len(true_states), 3), np.float32)


def collected(table: ScriptedTable, steps: int) -> Decisions:
    """Return the decisions at a table."""
    play = SelfPlay(cast("VectorEnv", table), LearnerInputs(indices([0])), steps, Rewards(BY_SCORE))
    return play.collect(Even(), np.random.default_rng(1))


def test_a_result_counts_for_the_seat_that_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats act twice in a row, or not at all in a game."""
    monkeypatch.setattr("cardhub.learning.train.self_play.TRACE", 1.0)
    seats = [2, 2, 0, 2, 1, 1, 0]
    rewards = [None, None, (-1, 0, 1), None, None, (1, 1, -2)]
    batch = collected(ScriptedTable(seats, rewards), 6)
    deviation = (8 / 6) ** 0.5  # of -1, 0, 1, 1, 1 and -2, whose mean is 0
    assert np.allclose(batch.gains * deviation, [1, 1, -1, -2, 1, 1])
    assert np.allclose(batch.targets[0] * deviation, [-1, 0, 1])
    assert np.allclose(batch.targets[3] * deviation, [1, 1, -2])
    assert batch.observations[:, 0].tolist() == [0, 1, 2, 3, 4, 5]


def test_in_an_open_game_the_critic_gets_what_the_seat_sees() -> None:
    class Open(LearnerInputs):
        """Inputs whose observations differ from true states, to see which are used."""

        def of_observations(self, observations: Slots) -> Slots:
            return observations + 10

    batches = []
    for are_open in (False, True):
        inputs = Open(indices([0]), are_open=are_open)
        table = ScriptedTable([0, 1, 2, 0], [None, None, None])
        play = SelfPlay(cast("VectorEnv", table), inputs, 3, Rewards(BY_SCORE))
        batches.append(play.collect(Even(), np.random.default_rng(1)))
    hidden, opened = batches
    assert hidden.true_states[:, 0].tolist() == [0, 1, 2]
    assert hidden.observations[:, 0].tolist() == [10, 11, 12]
    assert opened.true_states[:, 0].tolist() == [10, 11, 12]
    assert opened.observations[:, 0].tolist() == [10, 11, 12]


def test_the_critic_estimates_what_present_margins_leave_open() -> None:
    """A seat that has gained points expects more at once: no critic has to learn it."""
    rewards = Rewards(Scoring((0, 1, 2), Goal.WIN))
    rewards.add(np.array([[3.0, 0.0, -3.0]]))
    table = ScriptedTable([0, 1, 2, 0], [None, None, None])
    inputs = LearnerInputs(indices([0, 0, 0]), scores=indices([0, 1, 2]))
    even = SelfPlay(cast("VectorEnv", table), inputs, 3, rewards, points=10.0)
    assert even.standing == pytest.approx(10 * rewards.point)
    assert 0 < rewards.point < 1 / 3
    batch = even.collect(Even(), np.random.default_rng(1))
    assert np.allclose(batch.gains, 0)  # equal scores leave no margins

    class Unequal(LearnerInputs):
        """Inputs in which the first seat's score is the number of the decision."""

        def of_states(self, states: Slots) -> Slots:
            return states * np.array([[1, 0, 0]], np.float32)

    unequal = Unequal(indices([0, 0, 0]), scores=indices([0, 1, 2]))
    table = ScriptedTable([0, 1, 2, 0], [None, None, None])
    play = SelfPlay(cast("VectorEnv", table), unequal, 3, rewards, points=10.0)
    batch = play.collect(Even(), np.random.default_rng(1))
    step = float(play.standing) / 3
    assert batch.gains[-1] == pytest.approx(-step)  # of the third seat
    assert np.allclose(batch.targets[-1], [2 * step, -step, -step])


def test_utilities_are_scaled_by_all_games_so_far() -> None:
    scale = UtilityScale()
    scale.add(np.array([[10.0, -10.0]]))
    scale.add(np.array([[0.0, 0.0]]))
    assert np.allclose(scale.scaled(np.array([10.0, 0.0])), [2**0.5, 0])


def test_equal_utilities_teach_nothing() -> None:
    scale = UtilityScale()
    scale.add(np.array([[0.5, 0.5]]))
    assert scale.scaled(np.array([0.5])).tolist() == [0]


def test_with_many_seats_the_margin_counts_beside_the_win() -> None:
    rewards = Rewards(Scoring((0, 1, 2), Goal.WIN))
    won, second, last = rewards.add(np.array([[9.0, 3.0, 0.0]]))[0]
    assert won > second > last
    # Where the win alone counts, the second and the last lose equally.
    assert rewards.utilities.scaled(np.array([-0.5])) < 0 < won
    assert won + second + last == pytest.approx(0, abs=1e-6)


def test_the_least_points_win_if_the_lowest_score_wins() -> None:
    rewards = Rewards(Scoring((0, 1, 2), Goal.WIN, lowest_wins=True))
    assert rewards.results == "scores"
    best, _, worst = rewards.add(np.array([[-1.0, -5.0, -20.0]]))[0]
    assert best > 0 > worst
    # Arrays have the scores as they are: each point is bad.
    assert rewards.point < 0


@pytest.mark.parametrize("scoring", [Scoring((0, 1), Goal.WIN), Scoring((0, 1, 0, 1), Goal.WIN)])
def test_two_parties_play_for_the_win_alone(scoring: Scoring) -> None:
    rewards = Rewards(scoring)
    assert rewards.results == "goal"
    assert rewards.add(np.array([[1.0, -1.0]])).tolist() == [[1, -1]]


def test_actions_are_drawn_with_their_probabilities_and_never_illegally() -> None:
    shares = np.array([[0.5, 0.25, 0.25, 0]], np.float32).repeat(4000, 0)
    masks = np.array([[1, 1, 0, 1]], np.int8).repeat(4000, 0)
    actions = sample(np.log(np.maximum(shares, 1e-30)), masks, np.random.default_rng(1))
    counts = np.bincount(actions, minlength=4) / 4000
    assert np.allclose(counts, [2 / 3, 1 / 3, 0, 0], atol=0.03)
