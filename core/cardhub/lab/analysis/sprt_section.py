"""The sequential test in the result: its history, and the strength after it."""

from math import inf

from cardhub.lab.analysis.block_schema import Deals
from cardhub.lab.analysis.schema import SprtEstimate, SprtPoint
from cardhub.lab.estimate import OpenEstimate, PointEstimate
from cardhub.lab.match.run.schedule import SequentialTest
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    Sprt,
    after_stop,
    as_elo,
    score_of_lead,
)
from cardhub.lab.stats.elo import EVEN
from cardhub.lab.stats.sequential.sprt import suggested_test

# Maximum number of points of a history; above it, every second point is dropped.
MOST_POINTS = 240
COARSE = (
    "There are too few blocks, or too many blocks with equal scores, for an Elo that is as likely "
    "to be too high as too low: only the anytime-valid interval is given."
)
LESS_LUCK = (
    "Scores with less luck are not limited to 0 to 1: only the anytime-valid interval is given."
)
IN_POINTS = "Points have no logistic Elo: the mean difference has its anytime-valid interval."
APART = (
    "The interval that allows for the stop does not overlap the anytime-valid interval, by chance "
    "or because strengths changed during the test: only the anytime-valid interval is given."
)


class SprtHistory:
    """Log-likelihood ratio and score of a test after each block, later each 2nd, 4th and so on.

    The interval of the score comes from a confidence sequence at `level`. `has_terms`: scores have
    terms against luck, so they are not limited to 0 to 1.
    """

    def __init__(self, level: float, *, in_points: bool, has_terms: bool = False) -> None:
        self.in_points = in_points
        self.is_lead = has_terms and not in_points
        is_unlimited = in_points or has_terms
        self._scores = AsymptoticSequence(level) if is_unlimited else ConfidenceSequence(level)
        self._points: list[SprtPoint] = []
        self._step = 1

    def add(self, score: float, sprt: Sprt) -> None:
        """Add the score of a block that the test has counted; points have the LLR of `sprt`."""
        self._scores.add(score - EVEN if self.is_lead else score)
        if self._scores.blocks % self._step == 0:
            self._points.append(self._point(sprt))
        if len(self._points) > MOST_POINTS:
            # Dropping every second point keeps them evenly spaced and their number bounded.
            self._step *= 2
            self._points = [p for p in self._points if p.blocks % self._step == 0]

    def score(self) -> PointEstimate | None:
        """Return the mean score with the anytime-valid interval; None without blocks."""
        return self._interval() if self._scores.blocks else None

    def points(self, sprt: Sprt) -> tuple[SprtPoint, ...]:
        """Return all points; the last one has the present state of the test."""
        if self._scores.blocks % self._step == 0:
            return tuple(self._points)
        return (*self._points, self._point(sprt))

    def _point(self, sprt: Sprt) -> SprtPoint:
        llr = sprt.hypotheses.llr(sprt.tally)
        return SprtPoint(self._scores.blocks, llr, *self._interval())

    def _interval(self) -> PointEstimate:
        interval: PointEstimate = self._scores.interval()
        return score_of_lead(interval) if self.is_lead else interval


def sprt_section(
    test: SequentialTest, history: SprtHistory, deals: Deals | None, level: float
) -> SprtEstimate:
    """Return the estimates of strength that are valid after a sequential test."""
    rule, sprt = test.rule, test.sprt
    # The blocks were accumulated without a verdict: the test is judged here, once.
    verdict = sprt.judge() if sprt.tally.blocks else test.verdict
    score = history.score()
    always = None if score is None or history.in_points else as_elo(score)
    elo, note = None, IN_POINTS if score else None
    if always is not None and history.is_lead:
        note = LESS_LUCK
    elif always is not None:
        elo, note = strength_after(after_stop(sprt, level), always)
    return SprtEstimate(
        game=rule.contest,
        bots=(rule.a, rule.b),
        deals=deals,
        a=rule.a,
        b=rule.b,
        verdict=verdict.value,
        elo=elo,
        score_always=score,
        elo_always=always,
        elo_note=note,
        course=history.points(sprt),
    )


def suggestion_after(test: SequentialTest) -> list[str]:
    """Return a sentence on hypotheses with a much earlier decision, if there are any."""
    suggestion = suggested_test(test.sprt)
    if suggestion is None:
        return []
    hypotheses, blocks = suggestion
    key = "elo" if hypotheses.model == "logistic" else "nelo"
    elo = f"{key}: [{hypotheses.elo0:g}, {hypotheses.elo1:g}]"
    return [
        f"With `{elo}` about {blocks} blocks like these would have decided the test, "
        f"instead of {test.sprt.tally.blocks}. Use this for another match; it is not a verdict of "
        "this match."
    ]


def strength_after(
    estimate: OpenEstimate | None, always: OpenEstimate | None
) -> tuple[OpenEstimate | None, str | None]:
    """Return the estimate after a test, or None with the reason why only `always` holds."""
    if estimate is None or always is None:
        return None, None
    # Each interval is wrong in up to 1 - level of all tests, in different tests. If they are
    # disjoint, at least one is wrong; the anytime-valid interval has fewer assumptions.
    (low, high), (bottom, top) = (
        (-inf if elo.low is None else elo.low, inf if elo.high is None else elo.high)
        for elo in (estimate, always)
    )
    if high < bottom or top < low:
        return None, APART
    return (None, COARSE) if estimate.value is None else (estimate, None)
