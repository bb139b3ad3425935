"""The generalised log-likelihood ratio, against published and independently computed values."""

import numpy as np
import pytest

from cardhub.lab.stats import score_of_elo
from cardhub.lab.stats.elo import t_of_nelo
from cardhub.lab.stats.sequential.llr import (
    closed_llr,
    filled,
    mean_llr,
    mean_llrs,
    moments,
    normalized_llrs,
)
from cardhub.lab.stats.types import Floats


def normalized_llr(
    values: Floats, counts: Floats, t0: float, t1: float, even: float = 0.5
) -> float:
    """Return the LLR of a single histogram."""
    return float(normalized_llrs(values, counts[None], t0, t1, even)[0])


VECTORS = [
    ([10789, 19328, 33806, 19402, 10543], -3, 1, 2.131068, 0.300870, 0.300905),
    ([39, 2226, 31451, 2412, 40], 0.2, 0.9, 2.162543, 1.216597, 1.216721),
    ([457, 4273, 9516, 4350, 467], -3, 0, 6.987842, 2.894740, 2.894521),
    ([177, 1629, 3083, 1780, 221], 0, 3, 4.274309, 2.912857, 2.912971),
    ([5, 20, 50, 30, 10], 0, 20, 1.625292, 1.285395, 1.296884),
    ([30, 20, 50], 0, 20, 1.234164, 1.121639, 1.109409),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "logistic", "normalized", "closed"), VECTORS)
def test_reference_values_are_reproduced(
    counts: list[int], elo0: float, elo1: float, logistic: float, normalized: float, closed: float
) -> None:
    """Six digits of each of the three formulas, for pairs of games and for single ones."""
    values, cells = np.linspace(0, 1, len(counts)), np.asarray(counts, dtype=np.float64)
    games = (len(counts) - 1) / 2
    t0, t1 = t_of_nelo(elo0, games), t_of_nelo(elo1, games)
    llr = mean_llr(values, cells, score_of_elo(elo0), score_of_elo(elo1))
    assert llr == pytest.approx(logistic, abs=1e-6)
    assert normalized_llr(values, cells, t0, t1) == pytest.approx(normalized, abs=1e-6)
    assert closed_llr(values, cells, t0, t1, games) == pytest.approx(closed, abs=1e-6)


@pytest.mark.parametrize(("counts", "printed"), [(VECTORS[2][0], 2.89), (VECTORS[3][0], 2.91)])
def test_published_reports_of_fastchess_are_reproduced(counts: list[int], printed: float) -> None:
    """The LLRs of two published reports, with bounds -3 to 0 and 0 to 3."""
    elo0, elo1 = (-3, 0) if printed == 2.89 else (0, 3)
    cells = np.asarray(counts, dtype=np.float64)
    llr = normalized_llr(np.linspace(0, 1, 5), cells, t_of_nelo(elo0, 2), t_of_nelo(elo1, 2))
    assert round(llr, 2) == printed


@pytest.mark.parametrize("t", [-1.0, 0.0, 1.0, 3.0])
@pytest.mark.parametrize(
    ("values", "counts"), [([-3, 1, 3], [0, 50, 50]), ([-9, 1, 2, 9], [1, 30, 20, 0])]
)
def test_no_t_value_is_as_likely_as_the_observed_one(
    values: list[float], counts: list[float], t: float
) -> None:
    points, cells = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    mean, variance = moments(points, filled(cells))
    assert normalized_llr(points, cells, t, mean / variance**0.5, even=0) > 0


@pytest.mark.parametrize("counts", [[9, 0, 0], [0, 9, 0], [0, 0, 9], [1, 0, 0], [0, 0, 9999]])
def test_scores_that_never_vary_give_finite_evidence(counts: list[int]) -> None:
    """In all formulas it has the sign of the mean."""
    values, cells = np.linspace(0, 1, 3), np.asarray(counts, dtype=np.float64)
    llrs = [
        mean_llr(values, cells, 0.5, score_of_elo(30)),
        normalized_llr(values, cells, 0, t_of_nelo(30, 2)),
        closed_llr(values, cells, 0, t_of_nelo(30, 2), 2),
    ]
    assert np.isfinite(llrs).all()
    assert {value > 0 for value in llrs} == {counts[2] > 0}


@pytest.mark.parametrize("lost", [0, 1, 2])
@pytest.mark.parametrize("cells", [3, 5])
@pytest.mark.parametrize("sign", [1, -1])
def test_evidence_grows_with_each_block_that_is_won(sign: int, cells: int, lost: int) -> None:
    """Nearly all scores are equal, where the quick iteration for a t-value cycles.

    The closed form that it fell back to has the LLR 0.16 for 500 won blocks instead of 39.
    """
    values, nelo = np.linspace(0, 1, cells)[::sign], sorted((0, sign * 20))
    llrs = []
    for blocks in (100, 200, 500, 501, 1000, 5000):
        counts = np.zeros(cells)
        counts[-2:] = lost, blocks - lost
        llrs.append(sign * normalized_llr(values, counts, *(t_of_nelo(t, 2) for t in nelo)))
    growth = (llrs[-1] - llrs[-2]) / 4000
    expected = [llrs[0] + growth * (blocks - 100) for blocks in (100, 200, 500, 501, 1000, 5000)]
    assert growth == pytest.approx(0.078, abs=0.001)
    assert llrs == pytest.approx(expected, abs=0.1)


def test_no_blocks_are_no_evidence() -> None:
    values, cells = np.linspace(0, 1, 3), np.zeros(3)
    assert mean_llr(values, cells, 0.5, 0.6) == 0
    assert normalized_llr(values, cells, 0, 0.1) == closed_llr(values, cells, 0, 0.1) == 0


def test_finer_cells_without_blocks_hardly_matter() -> None:
    """A finer support hardly changes the LLR."""
    coarse = normalized_llr(np.linspace(0, 1, 3), np.asarray([30.0, 20, 50]), 0, 0.1)
    cells = np.zeros(13)
    cells[[0, 6, 12]] = 30, 20, 50
    fine = normalized_llr(np.linspace(0, 1, 13), cells, 0, 0.1)
    assert fine == pytest.approx(coarse, abs=1e-2)
    assert fine != coarse


def test_means_outside_the_values_are_refused() -> None:
    """Means outside the range of scores raise ValueError."""
    with pytest.raises(ValueError, match="strictly inside"):
        mean_llr(np.asarray([0.5, 1.0]), np.ones(2), 0.4, 0.6)


@pytest.mark.parametrize(
    "counts", [[1, 3, 14, 17, 18], [1, 1, 10, 11, 7], [2, 2, 12, 22, 7], [1, 5, 5, 23, 3]]
)
def test_evidence_goes_smoothly_through_counts_that_lead_newton_to_a_pole(
    counts: list[int],
) -> None:
    """Its first step does where 8 times the first cell and 3 times the second equal the fourth.

    Taken for the solution, the pole makes a bot that won most of its blocks "not better".
    """
    values, cells = np.linspace(0, 1, 5), np.asarray(counts, dtype=np.float64)
    beside = cells + np.asarray([0, 1e-6, 0, 2e-6, 0])
    t1, score1 = t_of_nelo(20, 2), score_of_elo(20)
    normalized = [normalized_llr(values, row, 0, t1) for row in (cells, beside)]
    logistic = [mean_llr(values, row, 0.5, score1) for row in (cells, beside)]
    assert normalized[0] == pytest.approx(normalized[1], abs=1e-4)
    assert logistic[0] == pytest.approx(logistic[1], abs=1e-4)
    assert normalized[0] == pytest.approx(closed_llr(values, cells, 0, t1, 2), rel=0.3)


@pytest.mark.parametrize("nelo", [20, 60, 300])
def test_one_histogram_has_the_evidence_that_it_has_among_many(nelo: float) -> None:
    """Histograms are fitted one by one or as an array; both agree up to rounding errors."""
    values = np.asarray((0.0, 0.25, 0.5, 0.75, 1.0))
    shares = ([0.2] * 5, [0.05, 0.1, 0.4, 0.35, 0.1], [0, 0.02, 0.08, 0.2, 0.7], [0, 0, 0, 0, 1])
    counts = np.asarray(
        [np.multiply(blocks, share) for blocks in (1, 40, 2000) for share in shares]
    )
    ts, scores = (0.0, t_of_nelo(nelo, 2)), (0.5, score_of_elo(nelo))
    alone = [normalized_llr(values, row, *ts) for row in counts]
    assert normalized_llrs(values, counts, *ts) == pytest.approx(alone, rel=1e-9, abs=1e-9)
    alone = [mean_llr(values, row, *scores) for row in counts]
    assert mean_llrs(values, counts, *scores) == pytest.approx(alone, rel=1e-9, abs=1e-9)
