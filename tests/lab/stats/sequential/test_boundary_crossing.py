"""Where a sequential test stops: the exact distribution against enumeration and known results."""

from itertools import product
from math import exp, prod

import numpy as np
import pytest

from cardhub.lab.stats.sequential.boundary_crossing import Evidence, ScoreDistribution, follow

VALUES, WEIGHTS = np.asarray([0.0, 0.5, 1.0]), np.asarray([0.2, 0.5, 0.3])
# An LLR per block of the mean score minus 1/2.
LINE = Evidence(np.asarray([0.0, 1.0]), np.asarray([-0.5, 0.5]))
BOUNDS = (-0.9, 1.4)


def ends(scores: tuple[float, ...]) -> str:
    """Return the outcome of a test with these blocks."""
    place = 0.0
    for score in scores:
        place += score - 0.5
        if place <= BOUNDS[0] or place >= BOUNDS[1]:
            return "low" if place < 0 else "high"
    return "running"


@pytest.mark.parametrize("tilt", [-1.0, 0.0, 0.7])
def test_the_law_of_a_stopped_test_is_that_of_all_its_sequences(tilt: float) -> None:
    """Probabilities equal the enumeration of 2187 sequences, tilted or not."""
    distribution = ScoreDistribution(VALUES, WEIGHTS)
    walk = follow(distribution, LINE, BOUNDS, looks=7, every=1)
    tilted = WEIGHTS * np.exp(tilt * VALUES)
    shares = dict(zip(VALUES.tolist(), (tilted / tilted.sum()).tolist(), strict=True))
    expected = dict.fromkeys(("low", "running", "high"), 0.0)
    for scores in product(shares, repeat=7):
        expected[ends(scores)] += prod(shares[score] for score in scores)
    assert distribution.mean(tilt) == pytest.approx(sum(v * share for v, share in shares.items()))
    for kind, chance in expected.items():
        assert distribution.chance(getattr(walk, kind), tilt) == pytest.approx(chance)


def test_a_test_ends_at_either_side_by_the_odds_of_the_gamblers_ruin() -> None:
    """One step up with 0.6, down with 0.4, until 2 are lost or 3 are won."""
    distribution = ScoreDistribution(np.asarray([0.0, 1.0]), np.asarray([0.4, 0.6]))
    walk = follow(distribution, LINE, BOUNDS, looks=400, every=1)
    odds = 0.4 / 0.6
    assert distribution.chance(walk.high, 0.0) == pytest.approx((1 - odds**2) / (1 - odds**5))
    assert distribution.chance(walk.running, 0.0) < exp(-20)


def test_several_blocks_may_make_one_look() -> None:
    """Coarser looks change little with distant bounds, and not at all without bounds."""
    distribution = ScoreDistribution(VALUES, WEIGHTS)
    fine, coarse = (follow(distribution, LINE, (-12, 12), 600 // every, every) for every in (1, 3))
    assert distribution.chance(coarse.high, 0.0) == pytest.approx(
        distribution.chance(fine.high, 0.0), abs=0.02
    )
    free = follow(distribution, LINE, (-1e9, 1e9), looks=4, every=3)
    assert float(np.exp(free.running.logs) @ free.running.means) == pytest.approx(
        distribution.mean(0.0)
    )


@pytest.mark.parametrize("values", [[0.0, 0.123, 0.5, 0.877, 1.0], [0.0, 1 / 24, 5 / 36, 1.0]])
def test_scores_off_a_lattice_are_split_between_its_points(values: list[float]) -> None:
    """The lattice keeps the mean and increases the variance by at most a step."""
    scores, weights = np.asarray(values), np.arange(1.0, len(values) + 1)
    distribution = ScoreDistribution(scores, weights)
    points = np.arange(distribution.unit + 1) / distribution.unit
    shares = weights / weights.sum()
    mean = float(shares @ scores)
    assert distribution.mean(0.0) == pytest.approx(mean)
    variance = float(shares @ (scores - mean) ** 2)
    assert (
        0
        <= float(distribution.shares @ (points - mean) ** 2) - variance
        <= 0.25 / distribution.unit**2 + 1e-12
    )
