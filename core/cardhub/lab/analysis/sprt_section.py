"""The sequential test in the result: its history, and the strength after it."""

from math import inf

from cardhub.lab.analysis.schema import Deals, IntervalEstimate, SprtEstimate, SprtPoint
from cardhub.lab.match.run.stop_rule import SequentialTest
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    EloEstimate,
    Estimate,
    PointEstimate,
    Sprt,
    after_stop,
    as_elo,
)
from cardhub.lab.stats.sequential.sprt import suggested_test

# The most points of a history, as many as a plot shows; beyond, every second one is dropped.
MOST_POINTS = 240
COARSE = (
    "Blocks are too few, or too many of them ended alike, for an Elo that is as likely to be too "
    "high as too low: only the anytime-valid interval is given."
)
IN_POINTS = "Points have no logistic Elo: the mean difference has its anytime-valid interval."
APART = (
    "The interval that allows for the stop has nothing in common with the anytime-valid one, by "
    "chance or because strengths changed in the course of the test: only the latter is given."
)


class SprtHistory:
    """Log-likelihood ratio and score of a test after each block, later each 2nd, 4th and so on.

    The interval of the score is that of a confidence sequence at `level`.
    """

    def __init__(self, level: float, *, in_points: bool) -> None:
        self._scores = AsymptoticSequence(level) if in_points else ConfidenceSequence(level)
        self._points: list[SprtPoint] = []
        self._step = 1

    def add(self, score: float, sprt: Sprt) -> None:
        """Add the score of a block that the test has counted: a point has the LLR of `sprt`."""
        self._scores.add(score)
        if self._scores.blocks % self._step == 0:
            self._points.append(self._point(sprt))
        if len(self._points) > MOST_POINTS:
            # Dropping every second point keeps them evenly spaced and their number bounded.
            self._step *= 2
            self._points = [p for p in self._points if p.blocks % self._step == 0]

    def score(self) -> Estimate | PointEstimate | None:
        """Return the mean score with the anytime-valid interval; None without blocks."""
        return self._scores.interval() if self._scores.blocks else None

    def points(self, sprt: Sprt) -> tuple[SprtPoint, ...]:
        """Return all points; the last one has the present state of the test."""
        if self._scores.blocks % self._step == 0:
            return tuple(self._points)
        return (*self._points, self._point(sprt))

    def _point(self, sprt: Sprt) -> SprtPoint:
        score, blocks = self._scores.interval(), self._scores.blocks
        return SprtPoint(blocks, sprt.hypotheses.llr(sprt.tally), *score)


def sprt_section(
    test: SequentialTest, history: SprtHistory, deals: Deals | None, level: float
) -> SprtEstimate:
    """Return the estimates of strength that are valid after a sequential test."""
    rule, sprt = test.rule, test.sprt
    # The history was accumulated without a verdict: it is judged here, once.
    verdict = sprt.judge() if sprt.tally.blocks else test.verdict
    score = history.score()
    always = as_elo(score) if isinstance(score, Estimate) else None
    elo, note = None, IN_POINTS if score else None
    if always is not None:
        elo, note = strength_after(after_stop(sprt, level), always)
    return SprtEstimate(
        game=rule.contest,
        bots=(rule.a, rule.b),
        deals=deals,
        a=rule.a,
        b=rule.b,
        verdict=verdict.value,
        elo=IntervalEstimate.of(elo),
        score_always=IntervalEstimate.of(score),
        elo_always=IntervalEstimate.of(always),
        elo_note=note,
        course=history.points(sprt),
    )


def suggestion_after(test: SequentialTest) -> list[str]:
    """Return a sentence on hypotheses that would decide such blocks much sooner, if any do."""
    found = suggested_test(test.sprt)
    if found is None:
        return []
    key = "elo" if found.hypotheses.model == "logistic" else "nelo"
    elo = f"{key}: [{found.hypotheses.elo0:g}, {found.hypotheses.elo1:g}]"
    return [
        f"With `{elo}` about {found.blocks} blocks like these would have decided the test, instead "
        f"of {test.sprt.tally.blocks}: a plan for another match, no verdict of this one."
    ]


def strength_after(
    found: EloEstimate | None, always: EloEstimate | None
) -> tuple[EloEstimate | None, str | None]:
    """Return the estimate after a test, or None and a note why only the anytime-valid one holds."""
    if found is None or always is None:
        return None, None
    # Both intervals are wrong in up to 1 - level of all tests, and not in the same ones. If they
    # are disjoint, at least one is wrong; the anytime-valid one assumes less.
    if not _overlap(found, always):
        return None, APART
    return (None, COARSE) if found.value is None else (found, None)


def _overlap(one: EloEstimate, other: EloEstimate) -> bool:
    (low, high), (bottom, top) = (_ends(elo) for elo in (one, other))
    return low <= top and bottom <= high


def _ends(elo: EloEstimate) -> tuple[float, float]:
    return -inf if elo.low is None else elo.low, inf if elo.high is None else elo.high
