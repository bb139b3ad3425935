"""What a simulated game is worth to each seat, from 0 to 1."""

from collections.abc import Sequence


class Values:
    """Turns scores into values: half for winning, half for the margin to the best of the others.

    Where a simulation ends before the game does, the margin is all. How large a margin is large, is
    learned from the games simulated so far.
    """

    __slots__ = ("_count", "_sign", "_sum")

    def __init__(self, *, lowest_wins: bool) -> None:
        self._sign = -1 if lowest_wins else 1
        self._sum = 1.0
        self._count = 1

    def of(self, scores: Sequence[int], is_over: bool) -> list[float]:
        """Return the value of these scores to every seat; those who share a win share its half."""
        signed = [self._sign * score for score in scores] if self._sign < 0 else scores
        best, second = _two_best(signed)
        self._sum += best - second
        self._count += 1
        full = 3.0 * self._sum / self._count  # a margin three times the usual one counts in full
        winners = sum(score == best for score in signed)
        values = []
        for score in signed:
            margin = (score - (second if score == best else best)) / full
            value = 0.5 + 0.5 * (1.0 if margin > 1.0 else -1.0 if margin < -1.0 else margin)
            if is_over:
                value = 0.5 * value + (0.5 / winners if score == best else 0.0)
            values.append(value)
        return values


def _two_best(scores: Sequence[int]) -> tuple[int, int]:
    """Return the best score and the next one, which may be as good."""
    best = second = scores[0]
    for place, score in enumerate(scores):
        if score > best or place == 0:
            best, second = score, best if place else score
        elif score > second or place == 1:
            second = score
    return best, second
