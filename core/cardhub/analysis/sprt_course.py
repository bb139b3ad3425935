"""How a test went from block to block, in so few points that they can be drawn."""

from cardhub.stats import ConfidenceSequence, Estimate, Sprt

MOST_POINTS = 240
"""More points are thinned out: of two that are neighbours the later one stays."""

Point = dict[str, float]


class SprtCourse:
    """Notes evidence and score after blocks: at first after each, later after 2, 4, 8 and so on.

    The interval of the score is that of a confidence sequence at `level`.
    """

    def __init__(self, level: float) -> None:
        self._scores = ConfidenceSequence(level)
        self._points: list[Point] = []
        self._step = 1

    def add(self, score: float, sprt: Sprt) -> None:
        """Take the score of a block that the test has counted already."""
        self._scores.add(score)
        if self._scores.blocks % self._step == 0:
            self._points.append(self._point(sprt))
        if len(self._points) > MOST_POINTS:
            self._step *= 2
            self._points = [p for p in self._points if p["blocks"] % self._step == 0]

    def score(self) -> Estimate | None:
        """Return the mean score with the always-valid interval; None without blocks."""
        return self._scores.interval() if self._scores.blocks else None

    def rows(self, sprt: Sprt) -> list[Point]:
        """Return all points, the last of them how the test stands now."""
        if self._scores.blocks % self._step == 0:
            return list(self._points)
        return [*self._points, self._point(sprt)]

    def _point(self, sprt: Sprt) -> Point:
        score, blocks = self._scores.interval(), self._scores.blocks
        return {"blocks": blocks, "llr": sprt.hypotheses.llr(sprt.tally)} | {
            "score": score.value,
            "low": score.low,
            "high": score.high,
        }
