"""Plots as places on a plane."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub.lab.analysis.schema import MarginBar
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.report.view.plots import around, dot_plot, histogram, line_plot

NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, max_size=9))
def test_all_numbers_are_on_the_axis_and_so_are_few_round_ticks(values: list[float]) -> None:
    """Hypothesis draws the numbers on the axis."""
    scale = around(values)
    assert all(scale.low <= value <= scale.high for value in values)
    ticks = scale.ticks(6)
    assert 1 <= len(ticks) <= 7
    assert all(0 <= tick.at <= 100 for tick in ticks)
    assert [tick.at for tick in ticks] == sorted(tick.at for tick in ticks)


def test_ticks_are_round() -> None:
    assert [tick.value for tick in around([0.0, 1.0], margin=0).ticks(5)] == pytest.approx(
        [0, 0.2, 0.4, 0.6, 0.8, 1]
    )
    assert [tick.value for tick in around([-180, 260]).ticks(5)] == [-200, -100, 0, 100, 200]


def test_dots_lie_between_the_ends_of_their_intervals() -> None:
    """Infinite ends and values are without a position."""
    known = OpenEstimate(10.0, -20.0, 50.0)
    endless = OpenEstimate(None, 100.0, None)
    plot = dot_plot([("a", known, "x"), ("b", endless, "y")], "a")
    first, second = plot.rows
    assert first.low is not None
    assert first.at is not None
    assert first.high is not None
    assert 0 < first.low < first.at < first.high < 100
    assert (second.at, second.high) == (None, None)
    assert (first.is_anchor, second.is_anchor, first.link) == (True, False, "x")
    assert plot.zero is not None
    assert first.low < plot.zero < first.at


def test_a_histogram_has_0_in_its_middle() -> None:
    """Columns of equal width on both sides, as far as the farthest bar."""
    bars = [MarginBar(-8, -5, 2), MarginBar(0, 0, 1), MarginBar(1, 4, 4)]
    plot = histogram(bars, ["a", "b", "c"])
    assert plot is not None
    assert plot.greatest == 8
    assert [column.x for column in plot.columns] == [0, 40, 60]
    assert {column.width for column in plot.columns} == {20}
    assert [column.height for column in plot.columns] == [50, 25, 100]
    assert [column.link for column in plot.columns] == ["a", "b", "c"]
    assert histogram([], []) is None


def test_lines_go_from_left_to_right_and_up_is_up() -> None:
    plot = line_plot([(0, 0.0), (5, 1.0), (10, 3.0)], rules=[(2.0, "done")], within=(0.0, 4.0))
    assert plot.line == "0,1000 500,750 1000,250"
    assert plot.rules == ((50, "done"),)
    assert plot.last == (100, 25)
    banded = line_plot([(1, 0.5), (2, 0.5)], band=[(1, 0.0, 1.0), (2, 0.25, 0.75)], within=(0, 1))
    assert banded.band == "500,1000 1000,750 1000,250 500,0"
