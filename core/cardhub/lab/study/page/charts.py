"""Charts of a study as dataclasses that templates draw; positions are percentages.

Scales and line plots come from reports. Rows and bars differ from a report's: they have marks of
certainty and finished texts instead of links to lists of games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from cardhub.lab.estimate import Measure
from cardhub.lab.report.view.plots import LinePlot, Scale, Tick, around, line_plot
from cardhub.lab.study.figure_text import FigureKind, measure_text, value_text
from cardhub.lab.study.study_schema import Distribution, ProgressPoint

# The least number of deals behind a point of a curve.
FEWEST = 3
# The approximate number of labels below a histogram.
MOST_LABELS = 6


@dataclass(frozen=True)
class IntervalRow:
    """A value with its interval on an axis; an unknown interval begins and ends at the value."""

    label: str
    text: str
    value: str
    at: float
    low: float
    high: float
    is_certain: bool


@dataclass(frozen=True)
class AxisTick:
    """A position on an axis with its text; a narrow page hides the text of a minor tick."""

    at: float
    text: str
    is_minor: bool


@dataclass(frozen=True)
class IntervalChart:
    """Rows on one axis; `middle` is the position of the value that means no effect."""

    rows: tuple[IntervalRow, ...]
    ticks: tuple[AxisTick, ...]
    middle: float | None
    caption: str


@dataclass(frozen=True)
class ChartColumn:
    """A column of a histogram, with its text for tooltips and screen readers."""

    x: float
    width: float
    height: float
    text: str


@dataclass(frozen=True)
class ColumnChart:
    """A histogram with labels below; `mark` is the position of the mean, with its text."""

    columns: tuple[ChartColumn, ...]
    labels: tuple[tuple[float, str], ...]
    mark: float
    mark_text: str
    title: str


@dataclass(frozen=True)
class ShareBar:
    """Shares of a whole; each part has its CSS class, its width in percent and its text."""

    label: str
    parts: tuple[tuple[str, float, str], ...]


def interval_chart(
    rows: Sequence[tuple[str, Measure, bool]],
    kind: FigureKind,
    caption: str,
    middle: float | None = 0.0,
) -> IntervalChart:
    """Return a chart of rows: a label, a measure, and whether the measure is certainly not 0."""
    ends = [end for _, m, _ in rows for end in (m.value, m.low, m.high) if end is not None]
    least = {"share": 0.02, "shift": 0.02, "elo": 10.0}.get(kind, 0.1)
    scale = around([*ends, *(() if middle is None else (middle,))], least=least)
    drawn_rows = tuple(
        IntervalRow(
            label,
            measure_text(m, kind),
            value_text(m.value, kind),
            scale.at(m.value),
            scale.at(m.value if m.low is None else m.low),
            scale.at(m.value if m.high is None else m.high),
            is_certain,
        )
        for label, m, is_certain in rows
    )
    ticks = tuple(_axis_ticks(scale.ticks(5), kind))
    return IntervalChart(drawn_rows, ticks, None if middle is None else scale.at(middle), caption)


def column_chart(values: Distribution, kind: FigureKind, title: str) -> ColumnChart:
    """Return the histogram of a distribution, with its mean."""
    first, last = values.bars[0].low, values.bars[-1].high
    scale = Scale(first, last)
    width = 100 / len(values.bars)
    tallest = max(bar.games for bar in values.bars)
    total = sum(bar.games for bar in values.bars)
    columns = tuple(
        ChartColumn(
            round(number * width, 3),
            round(width, 3),
            round(100 * bar.games / tallest, 2),
            f"{_range_text(bar.low, bar.high, kind)}: {100 * bar.games / total:.1f} % of the games",
        )
        for number, bar in enumerate(values.bars)
    )
    is_counted = values.bars[0].high - first == 1 and kind == "amount"
    labels = tuple((tick.at, _tick_text(tick, kind)) for tick in scale.ticks(MOST_LABELS))
    if is_counted:
        # Each number has its own column, with the label in the middle.
        step = ceil(len(values.bars) / MOST_LABELS)
        labels = tuple(
            (round((number + 0.5) * width, 2), f"{bar.low:.0f}")
            for number, bar in enumerate(values.bars)
            if number % step == 0
        )
    mean = value_text(values.mean.value, kind)
    at = scale.at(values.mean.value + (0.5 if is_counted else 0.0))
    return ColumnChart(columns, labels, at, f"mean {mean}", title)


def progress_plot(
    points: Sequence[ProgressPoint],
    *,
    is_share: bool,
    rules: Sequence[tuple[float, str]] = (),
) -> LinePlot | None:
    """Return the plot of values by share of the game in percent; None without values."""
    factor = 100 if is_share else 1
    measured = (p for p in points if p.value is not None and p.value.deals >= FEWEST)
    shown = [(100 * p.progress, p.value) for p in measured if p.value is not None]
    if not shown:
        return None
    band = [
        (x, factor * value.low, factor * value.high)
        for x, value in shown
        if value.low is not None and value.high is not None
    ]
    line = [(x, factor * value.value) for x, value in shown]
    if is_share:
        band = [(x, max(0.0, low), min(100.0, high)) for x, low, high in band]
        return line_plot(line, band, rules, (0.0, 106.0), last=100.0)
    highest = max([y for _, y in line] + [high for *_, high in band])
    return line_plot(line, band, rules, (0.0, 1.1 * highest), last=100.0)


def share_bar(label: str, parts: Sequence[tuple[str, float, str]]) -> ShareBar:
    """Return a bar of shares; each part is a CSS class, a share from 0 to 1 and a name."""
    return ShareBar(
        label,
        tuple(
            (style, round(100 * share, 2), f"{name} {100 * share:.0f} %")
            for style, share, name in parts
        ),
    )


def _axis_ticks(ticks: Sequence[Tick], kind: FigureKind) -> Iterator[AxisTick]:
    """Yield ticks; every second tick is minor, but not the tick of 0."""
    zero = next((number for number, tick in enumerate(ticks) if not tick.value), 0)
    for number, tick in enumerate(ticks):
        yield AxisTick(tick.at, _tick_text(tick, kind), (number - zero) % 2 == 1)


def _tick_text(tick: Tick, kind: FigureKind) -> str:
    if kind in ("share", "shift"):
        text = value_text(tick.value, kind)
        return text.replace(".0 %", " %")
    if float(tick.value).is_integer():
        return value_text(tick.value, "elo") if kind in ("elo", "change") else f"{tick.value:.0f}"
    return value_text(tick.value, kind)


def _range_text(low: float, high: float, kind: FigureKind) -> str:
    if kind == "share":
        return f"{100 * low:.0f} to {100 * high:.0f} %"
    return f"{low:g}" if high - low == 1 else f"{low:g} to {high - 1:g}"
