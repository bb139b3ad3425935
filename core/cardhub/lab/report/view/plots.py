"""Plots as dataclasses that templates draw; positions are percentages of width or height."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from cardhub.base import writing
from cardhub.lab.analysis.schema import MarginBar
from cardhub.lab.estimate import OpenEstimate

STEPS = (1, 2, 5, 10)
ELO = "Elo"


def round_step(least: float) -> float:
    """Return the least number of the form 1, 2 or 5 times 10**n that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next((step * power for step in STEPS if step * power >= least), 10 * power)


@dataclass(frozen=True)
class Tick:
    """A labelled number of an axis, and its position."""

    at: float
    value: float


@dataclass(frozen=True)
class Scale:
    """An axis from one number to a greater one."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return the position of a number, clipped to the ends."""
        share = (value - self.low) / (self.high - self.low)
        # Two decimals are finer than a pixel, and every machine rounds to the same bytes.
        return round(100 * min(max(share, 0.0), 1.0), 2)

    def ticks(self, most: int = 6) -> list[Tick]:
        """Return round numbers within the axis, about `most` of them."""
        step = round_step((self.high - self.low) / most)
        first, last = floor(self.low / step), floor(self.high / step) + 1
        # Multiples of the step, rounded: adding it up would show 0.30000000000000004.
        values = (round(n * step, 12) for n in range(first, last + 1))
        return [Tick(self.at(v), v) for v in values if self.low <= v <= self.high]


@dataclass(frozen=True)
class Dot:
    """A row with a value and its interval; an infinite `low` or `high` is None.

    `at` is None if the value itself is not finite.
    """

    label: str
    estimate: OpenEstimate
    link: str
    is_anchor: bool
    at: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class DotPlot:
    """Rows of values in one `unit` on the same axis; `zero` is the position of 0."""

    rows: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    zero: float | None
    unit: str

    @property
    def digits(self) -> int:
        """The number of decimals of the ticks."""
        return 0 if all(tick.value.is_integer() for tick in self.ticks) else 2


@dataclass(frozen=True)
class Column:
    """A column of a histogram, with its text for tooltips and screen readers.

    `kind` is its CSS class, and `link` the anchor of a list of its games; both may be empty.
    """

    x: float
    width: float
    height: float
    text: str
    kind: str = ""
    link: str = ""


@dataclass(frozen=True)
class Histogram:
    """Columns from minus the greatest margin to the greatest; the column of 0 is in the middle."""

    columns: tuple[Column, ...]
    greatest: int


@dataclass(frozen=True)
class LinePlot:
    """A line over blocks, with an optional band: points from the top left of 1000 by 1000.

    `rules` are lines across the plot, each with its position and label.
    """

    line: str
    band: str
    rules: tuple[tuple[float, str], ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    last: tuple[float, float]


def dot_plot(
    rows: Sequence[tuple[str, OpenEstimate, str]], anchor: str = "", unit: str = ELO
) -> DotPlot:
    """Return a plot of labels with their estimates, each with the anchor of its link.

    The values are in Elo or in another `unit`.
    """
    ends = [end for _, e, _ in rows for end in (e.low, e.value, e.high) if end is not None]
    scale = around([*ends, 0.0], least=10.0 if unit == ELO else 0.1)

    def at(value: float | None) -> float | None:
        return None if value is None else scale.at(value)

    def dot(label: str, e: OpenEstimate, link: str) -> Dot:
        # The line of a value without an interval is a point; None would be drawn as infinity.
        ends = (e.low, e.high) if {e.low, e.high} != {None} else (e.value, e.value)
        return Dot(label, e, link, label == anchor, at(e.value), *map(at, ends))

    dots = tuple(dot(*row) for row in rows)
    return DotPlot(dots, tuple(scale.ticks(5)), scale.at(0.0), unit)


def histogram(bars: Sequence[MarginBar], links: Sequence[str]) -> Histogram | None:
    """Return the histogram of margins, with a column for each bar; None without games."""
    if not bars:
        return None
    width = max(bar.high - bar.low + 1 for bar in bars)
    numbers = [_number(bar, width) for bar in bars]
    last = max(1, *map(abs, numbers))
    # The same number of columns on both sides of 0 makes a shift to one side visible.
    share, tallest = 100 / (2 * last + 1), max(bar.games for bar in bars)
    columns = tuple(
        Column(
            round((number + last) * share, 3),
            round(share, 3),
            round(100 * bar.games / tallest, 2),
            _bar_text(bar),
            "ahead" if bar.low > 0 else "behind" if bar.high < 0 else "level",
            link,
        )
        for bar, number, link in zip(bars, numbers, links, strict=True)
    )
    return Histogram(columns, last * width)


def _bar_text(bar: MarginBar) -> str:
    span = "" if bar.high == bar.low else f" to {writing.signed(bar.high)}"
    return f"{writing.signed(bar.low)}{span}: {writing.amount(bar.games, 'game')}"


def line_plot(
    points: Sequence[tuple[float, float]],
    band: Sequence[tuple[float, float, float]] = (),
    rules: Sequence[tuple[float, str]] = (),
    within: tuple[float, float] | None = None,
    last: float | None = None,
) -> LinePlot:
    """Return the plot of a line through points, from 0 on.

    `band` has x, low and high; `rules` are marked numbers with their labels; `within` are
    the least and greatest possible numbers. The axis ends at `last`, or with the points.
    """
    across = Scale(0.0, max(x for x, _ in points) if last is None else last)
    values = [y for _, y in points] + [y for y, _ in rules]
    values += [y for _, low, high in band for y in (low, high)]
    up = Scale(*within) if within else around(values, least=0.01)

    def place(x: float, y: float) -> tuple[float, float]:
        return across.at(x), round(100 - up.at(y), 2)

    def path(points: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{10 * x:g},{10 * y:g}" for x, y in (place(*point) for point in points))

    # One polygon: along the lower bounds to the right, along the upper ones back.
    edge = [(x, low) for x, low, _ in band] + [(x, high) for x, _, high in reversed(band)]
    return LinePlot(
        path(points),
        path(edge),
        tuple((place(0, y)[1], label) for y, label in rules),
        tuple(across.ticks(5)),
        tuple(Tick(round(100 - tick.at, 2), tick.value) for tick in up.ticks(5)),
        place(*points[-1]),
    )


def _number(bar: MarginBar, width: int) -> int:
    """Return the signed index of a bar's column, 0 for the column of margin 0."""
    if bar.low > 0:
        # Rounded away from 0, because only margin 0 belongs in the middle column.
        return -(-bar.high // width)
    return bar.low // width


def around(values: Iterable[float], margin: float = 0.06, least: float = 1.0) -> Scale:
    """Return an axis that covers all values, with room at both ends."""
    ordered = sorted(values) or [0.0]
    low, high = ordered[0], ordered[-1]
    if high - low < least:  # a span of 0 has no scale
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    room = margin * (high - low)
    return Scale(low - room, high + room)
