"""Whole numbers counted in bars of equal width, in memory that does not grow with the match."""

from collections import Counter

MOST_BARS = 20
"""How many bars there may be on either side of 0."""


class Histogram:
    """How often which numbers occurred: 0 in a bar of its own, others in bars of the same width.

    The width is the least power of two with which the bars are few enough, so that the order of
    the numbers does not matter.
    """

    def __init__(self) -> None:
        self._width = 1
        self._bars: Counter[int] = Counter()

    def add(self, number: int) -> None:
        """Count a number."""
        while abs(number) > MOST_BARS * self._width:
            self._widen()
        self._bars[_bar(number, self._width)] += 1

    def rows(self) -> list[dict[str, int]]:
        """Return the bars that are not empty, ascending."""
        return [self._row(bar) for bar in sorted(self._bars)]

    def _row(self, bar: int) -> dict[str, int]:
        width, games = self._width, self._bars[bar]
        if bar == 0:
            return {"from": 0, "to": 0, "games": games}
        near, far = (abs(bar) - 1) * width + 1, abs(bar) * width
        low, high = (near, far) if bar > 0 else (-far, -near)
        return {"from": low, "to": high, "games": games}

    def _widen(self) -> None:
        """Join bars, two and two."""
        joined: Counter[int] = Counter()
        for bar, games in self._bars.items():
            joined[_bar(bar, 2)] += games
        self._width, self._bars = 2 * self._width, joined


def _bar(number: int, width: int) -> int:
    """Return the bar of a number; those below 0 mirror those above."""
    bar = -(-abs(number) // width)
    return bar if number > 0 else -bar
