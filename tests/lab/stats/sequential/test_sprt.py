"""Sequential probability ratio tests, and suggested hypotheses for later tests."""

import sys

import numpy as np
import pytest

from cardhub.lab.stats import Hypotheses, Sprt, Verdict
from cardhub.lab.stats.sequential.sprt import (
    MODELS,
    Model,
    ScoreTally,
    blocks_to_verdict,
    suggested_test,
)

PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)


def test_bounds_are_walds() -> None:
    assert Hypotheses(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Hypotheses(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=1e-3)


def test_blocks_one_by_one_give_the_evidence_of_all() -> None:
    """Streaming the blocks of a published report gives its LLR."""
    test = Sprt(Hypotheses(0, 20), PAIR)
    for count, score in zip([5, 20, 50, 30, 10], PAIR, strict=True):
        for _ in range(count):
            test.tally.add(score)
    assert test.hypotheses.llr(test.tally) == pytest.approx(1.285395, abs=1e-6)


def test_blocks_may_be_counted_first_and_judged_once() -> None:
    """Counting blocks and judging once gives the verdict of adding them in turn."""
    one, other = (Sprt(Hypotheses(0, 100), PAIR) for _ in range(2))
    scores = [1.0, 0.75, 0.5] * 40
    while one.verdict is Verdict.UNDECIDED:
        other.tally.add(score := scores.pop())
        one.add(score)
    assert (other.judge(), other.llr) == (one.verdict, one.llr)


@pytest.mark.parametrize("model", MODELS[:2])
@pytest.mark.parametrize(
    ("score", "verdict"),
    [(1.0, Verdict.BETTER), (0.0, Verdict.NOT_BETTER), (0.5, Verdict.NOT_BETTER)],
)
def test_a_clear_match_ends_with_its_verdict(model: Model, score: float, verdict: Verdict) -> None:
    """All wins, all losses, all even: each ends, and blocks after the end are not counted."""
    test = Sprt(Hypotheses(0, 60, model=model))
    verdicts = [test.add(score) for _ in range(600)]
    played = verdicts.index(verdict) + 1
    assert set(verdicts[played:]) == {verdict}
    assert test.tally.blocks == played
    low, high = test.hypotheses.bounds
    assert not low < test.llr < high


def test_verdicts_have_the_exit_codes_of_a_shell() -> None:
    """Continuous integration can test for the exit code of `better`."""
    assert [(v.value, v.exit_code) for v in Verdict] == [
        ("better", 0),
        ("not better", 1),
        ("undecided", 2),
    ]


def test_a_test_begins_undecided_and_one_block_does_not_change_that() -> None:
    """A test without blocks or with one is undecided."""
    test = Sprt(Hypotheses(0, 20))
    assert (test.verdict, test.llr) == (Verdict.UNDECIDED, 0)
    assert test.add(1.0) is Verdict.UNDECIDED


@pytest.mark.parametrize(("elo", "wrong"), [(0, Verdict.BETTER), (80, Verdict.NOT_BETTER)])
def test_errors_are_as_rare_as_promised(elo: float, wrong: Verdict, runs: int) -> None:
    """Under either hypothesis the error rate is about 5 %, at most 8 % in this sample."""
    rng, matches = np.random.default_rng(11), 3 * runs
    shares = np.asarray([0.06, 0.22, 0.44, 0.22, 0.06])
    spread = np.sqrt(shares @ (np.asarray(PAIR) - 0.5) ** 2)
    shift = elo / 347.43558552260146 * np.sqrt(2) * spread
    shares = shares * np.exp(shift / spread**2 * (np.asarray(PAIR) - 0.5))
    errors = 0
    for _ in range(matches):
        test = Sprt(Hypotheses(0, 80, model="closed"), PAIR)
        for score in rng.choice(PAIR, size=240, p=shares / shares.sum()):
            if test.add(float(score)) is not Verdict.UNDECIDED:
                break
        errors += test.verdict is wrong
    assert errors <= 0.08 * matches


def test_memory_stays_flat_for_scores_of_any_kind() -> None:
    """Memory is bounded: beyond 1,000 distinct scores, new ones are rounded."""
    rng, tally = np.random.default_rng(1), ScoreTally()
    for score in rng.random(5000):
        tally.add(float(score))
    assert tally.blocks == tally.counts().sum() == 5000
    assert len(tally.values()) <= 2001
    assert sys.getsizeof(tally) < 1000


def test_thirds_are_one_value_however_they_were_computed() -> None:
    """Scores that differ by rounding errors share a cell."""
    tally = ScoreTally()
    tally.add(1 / 3)
    tally.add(1 - 2 / 3)
    assert tally.counts().tolist() == [0, 2, 0]


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_scores_outside_0_and_1_are_refused(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sprt(Hypotheses(0, 20)).add(score)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "less than"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.6, "beta": 0.5}, "error rates"),
        ({"elo0": 0, "elo1": 5, "model": "bayesian"}, "logistic, normalized, closed"),
        ({"elo0": 0, "elo1": 5, "games_per_block": 0}, "must be positive"),
    ],
)
def test_impossible_hypotheses_are_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Hypotheses(**wrong)  # type: ignore[arg-type]  # one of them is meant to be wrong


@pytest.mark.parametrize("model", ["normalized", "logistic", "closed"])
@pytest.mark.parametrize(("low", "high"), [(0, 20), (-10, 10), (0, 60)])
def test_no_block_that_decides_is_left_unjudged(model: Model, low: float, high: float) -> None:
    """The test ends at the same block as if the LLR were computed after each, and with the same."""
    rng = np.random.default_rng(int(high))
    support = (0.0, 0.25, 0.5, 0.75, 1.0)
    for share in ([0.3, 0.1, 0.2, 0.1, 0.3], [0.05, 0.2, 0.45, 0.24, 0.06], [0, 0, 0.9, 0.1, 0]):
        often, seldom = (Sprt(Hypotheses(low, high, model=model), support) for _ in range(2))
        for score in rng.choice(support, size=240, p=share).tolist():
            if often.verdict is Verdict.UNDECIDED:
                often.tally.add(score)
                often.judge()
            assert seldom.add(score) is often.verdict
        assert (seldom.llr, seldom.tally.blocks) == (often.llr, often.tally.blocks)


def after(scores: list[float], hypotheses: Hypotheses) -> Sprt:
    """Return a test after these blocks or its verdict."""
    test = Sprt(hypotheses, PAIR)
    for score in scores:
        test.add(score)
    return test


@pytest.mark.parametrize("scores", [[1.0, 1.0, 0.5], [1.0], [0.0, 0.5, 0.0]])
def test_a_clear_test_suggests_hypotheses_that_decide_it_sooner(scores: list[float]) -> None:
    """Similar blocks decide the suggested test, after about the predicted number."""
    test = after(scores * 60, Hypotheses(0, 20))
    suggested = suggested_test(test)
    assert suggested is not None
    hypotheses, blocks = suggested
    assert 2 * blocks <= test.tally.blocks
    again = after(scores * 60, hypotheses)
    assert again.verdict is test.verdict
    assert again.tally.blocks <= blocks + len(scores)


def test_narrow_results_suggest_no_wider_hypotheses() -> None:
    """An undecided test of nearly even bots, one without blocks, and one in points have none."""
    test = after([0.75, 0.25, 0.5, 0.5, 0.75, 0.5] * 30, Hypotheses(0, 60))
    assert suggested_test(test) is None
    assert suggested_test(Sprt(Hypotheses(0, 20))) is None
    in_points = Sprt(Hypotheses(0, 20, in_points=True))
    in_points.add(3.0)
    assert suggested_test(in_points) is None


def test_the_number_of_blocks_is_that_of_equal_blocks() -> None:
    """All-won blocks decide [0, 60] after about a third of the blocks of [0, 20]."""
    test = after([1.0] * 60, Hypotheses(0, 20))
    assert test.verdict is Verdict.BETTER
    assert blocks_to_verdict(test, test.hypotheses) == pytest.approx(test.tally.blocks, abs=2)
    assert blocks_to_verdict(test, Hypotheses(0, 60)) == pytest.approx(13, abs=2)
