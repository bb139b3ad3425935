"""The step size and the entropy of a training, which shrink on the way."""

import pytest

from cardhub.learning.train.schedule import LAST_ENTROPY, LAST_STEP, MIXING

SCHEDULE = MIXING._replace(step=0.001, entropy=0.2, pace=100, memory=0.5, last_part=0.2)


def test_steps_shrink_faster_than_the_entropy() -> None:
    assert SCHEDULE.step_size(0) == SCHEDULE.step
    assert SCHEDULE.entropy_weight(0) == SCHEDULE.entropy
    assert SCHEDULE.step_size(300) == pytest.approx(SCHEDULE.step / 4)
    assert SCHEDULE.entropy_weight(300) == pytest.approx(SCHEDULE.entropy / 2)


def test_the_last_part_of_a_training_has_ever_smaller_steps_and_less_entropy() -> None:
    begun = 1 - SCHEDULE.last_part
    assert SCHEDULE.step_size(300, begun) == pytest.approx(SCHEDULE.step_size(300))
    halfway = SCHEDULE.step_size(300, 1 - SCHEDULE.last_part / 2) / SCHEDULE.step_size(300)
    assert halfway == pytest.approx((1 + LAST_STEP) / 2)
    assert SCHEDULE.step_size(300, 1) == pytest.approx(LAST_STEP * SCHEDULE.step_size(300))
    weight = SCHEDULE.entropy_weight(300, 1)
    assert weight == pytest.approx(LAST_ENTROPY * SCHEDULE.entropy_weight(300))


def test_the_player_is_an_average_over_a_share_of_the_training() -> None:
    assert SCHEDULE.player_rate(1) == 1
    assert SCHEDULE.player_rate(100) == 1 / 50
