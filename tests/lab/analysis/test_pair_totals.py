"""Histograms of margins."""

from cardhub.lab.analysis.pairs.pair_totals import MOST_BARS, MarginHistogram
from cardhub.lab.analysis.schema import MarginBar


def test_histograms_widen_their_bars_instead_of_getting_longer() -> None:
    numbers = [*range(-90, 91), 0, 0]
    one, other = MarginHistogram(), MarginHistogram()
    for number in numbers:
        one.add(number)
    for number in reversed(numbers):
        other.add(number)
    rows = one.rows()
    assert rows == other.rows()
    assert len(rows) <= 2 * MOST_BARS + 1
    assert MarginBar(0, 0, 3) in rows
    assert rows[-1] == MarginBar(89, 96, 2)
    assert rows[0] == MarginBar(-96, -89, 2)
    assert {row.high - row.low for row in rows if row.low} == {7}
    assert sum(row.games for row in rows) == len(numbers)


def test_small_numbers_have_a_bar_each() -> None:
    """Bars are only joined when there are too many."""
    histogram = MarginHistogram()
    for number in (3, -1, 3, 20):
        histogram.add(number)
    assert histogram.rows() == (MarginBar(-1, -1, 1), MarginBar(3, 3, 2), MarginBar(20, 20, 1))
