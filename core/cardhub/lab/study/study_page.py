"""The pages of studies and comparisons, as self-contained HTML with plots, from results alone.

Scales, line plots and columns come from reports. Rows differ from a report's: they have marks of
certainty and finished texts instead of links to lists of games. Positions are percentages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, TypeAlias

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from cardhub.lab.estimate import Measure
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.report.rendering import STYLE, content_policy, environment, inlined
from cardhub.lab.report.view.plots import Column, LinePlot, Scale, Tick, around, line_plot
from cardhub.lab.study import figure_text
from cardhub.lab.study.comparison import StudyComparison
from cardhub.lab.study.figure_text import (
    FigureKind,
    bot_cells,
    bot_heads,
    bots_text,
    headlines,
    measure_text,
    ranked_uses,
    score_kind,
    score_unit,
    seats_text,
    use_cells,
    value_text,
)
from cardhub.lab.study.study_request import PAGE
from cardhub.lab.study.study_schema import (
    Distribution,
    Leads,
    Population,
    ProgressPoint,
    StudyResult,
    UseRow,
)

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
class IntervalChart:
    """Rows on one axis; `middle` is the position of the value that means no effect.

    `ticks` have a position, a text, and whether a narrow page hides the text.
    """

    rows: tuple[IntervalRow, ...]
    ticks: tuple[tuple[float, str, bool], ...]
    middle: float | None
    caption: str


@dataclass(frozen=True)
class ColumnChart:
    """A histogram with labels below; `mark` is the position of the mean, with its text."""

    columns: tuple[Column, ...]
    labels: tuple[tuple[float, str], ...]
    mark: float
    mark_text: str
    title: str


# Shares of a whole: a label, and for each part its CSS class, its width in percent and its text.
ShareBar: TypeAlias = tuple[str, tuple[tuple[str, float, str], ...]]


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
        Column(
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


def _axis_ticks(ticks: Sequence[Tick], kind: FigureKind) -> Iterator[tuple[float, str, bool]]:
    """Yield ticks; every second tick is minor, but not the tick of 0."""
    zero = next((number for number, tick in enumerate(ticks) if not tick.value), 0)
    for number, tick in enumerate(ticks):
        yield tick.at, _tick_text(tick, kind), (number - zero) % 2 == 1


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


OWN_STYLE = "study.css"
# Rows of a chart of uses.
MOST_USES = 16
# The least exponent of a number that is shown as a power of 10.
LARGE = 4
# The least mean number of choices for an axis of whole numbers.
FEW_CHOICES = 8
# The titles of the kinds of use.
USES = {"action": "Actions", "card": "Cards", "dealt": "Dealt cards"}


@dataclass(frozen=True)
class UseSection:
    """The uses of one kind: a chart of the most certain differences, and cells of all rows.

    Rows are ordered by certainty; rows without an interval are last.
    """

    title: str
    chart: IntervalChart | None
    rows: tuple[tuple[str, ...], ...]


def write_page(folder: Path, result: StudyResult) -> Path:
    """Write the page of a study into its folder and return its path; raises MatchError."""
    replace_file(folder / PAGE, study_html(result))
    return folder / PAGE


def write_comparison(
    path: Path, comparison: StudyComparison, studies: Sequence[StudyResult]
) -> Path:
    """Write the page that compares studies, and return its path; raises MatchError."""
    replace_file(path, comparison_html(comparison, studies))
    return path


def study_html(result: StudyResult) -> str:
    """Return the page of a study; all strings are escaped."""
    return _rendered("study.html.jinja", view=_study_parts(result), result=result)


def comparison_html(comparison: StudyComparison, studies: Sequence[StudyResult]) -> str:
    """Return the page that compares studies; all strings are escaped."""
    seats = _compared_seats(comparison, studies)
    return _rendered("comparison.html.jinja", comparison=comparison, seats=seats, result=studies[0])


def _rendered(name: str, **values: Any) -> str:
    env = _environment()
    style = Markup(inlined(env, STYLE) + inlined(env, OWN_STYLE))
    return env.get_template(name).render(style=style, policy=content_policy(style), **values)


@cache
def _environment() -> Environment:
    outer = environment(is_html=True)
    loaders = [PackageLoader("cardhub.lab.study"), PackageLoader("cardhub.lab.report")]
    env = outer.overlay(loader=ChoiceLoader(loaders))
    # A new dict, because the overlay shares its filters with the outer environment.
    env.filters = {
        **outer.filters,
        "measure": figure_text.measure_text,
        "games_of": figure_text.games_text,
        "deals_of": figure_text.deals_text,
        "options_of": figure_text.options_text,
        "bots_of": figure_text.bots_text,
        "figure": figure_text.value_text,
    }
    env.globals["DIFFERENCES"] = figure_text.DIFFERENCES
    return env


def _compared_seats(
    comparison: StudyComparison, studies: Sequence[StudyResult]
) -> IntervalChart | None:
    rows = [
        (f"{label} · {seats_text(row.seats)}", row.advantage, row.is_certain)
        for label, study in zip(comparison.labels, studies, strict=True)
        for row in study.skilled.seats[: 1 if len(study.skilled.seats) == 2 else None]
    ]
    if not rows:
        return None
    kind = score_kind(studies[0], is_difference=True)
    return interval_chart(rows, kind, "Advantage of seats among equal players")


def _study_parts(result: StudyResult) -> dict[str, object]:
    """Return the parts of a study's page; parts that do not apply are None or empty."""
    skilled, leads = result.skilled, result.skilled.leads
    exponent = skilled.choices.log10_lines.value
    return {
        "headlines": headlines(result),
        "seats": _seat_charts(result),
        "length": column_chart(skilled.length, "amount", "Games by number of decisions"),
        "choices": progress_plot(skilled.choices.by_progress, is_share=False),
        **(_lead_charts(leads) if leads else {}),
        "strength": _strength(result),
        "luck": [bar for row in result.by_bot if (bar := _luck_bar(row))],
        "uses": [_use_section(kind, result) for kind in USES if _rows_of(kind, result)],
        "heads": bot_heads(result),
        "bots": [bot_cells(row, result) for row in result.by_bot],
        "tree": ("10", f"{exponent:.0f}") if exponent >= LARGE else (f"{10**exponent:.0f}", ""),
        "choice_digits": 0 if skilled.choices.mean.value >= FEW_CHOICES else 1,
    }


def _lead_charts(leads: Leads) -> dict[str, object]:
    title = "Games by the time of the winner's final lead"
    return {
        "leader": progress_plot(leads.leader_wins, is_share=True, rules=[(50.0, "")]),
        "settled": column_chart(leads.settled, "share", title) if leads.settled else None,
        "changes": column_chart(leads.changes, "amount", "Games by lead changes"),
    }


def _seat_charts(result: StudyResult) -> list[IntervalChart]:
    kind = score_kind(result, is_difference=True)
    unit = f"{result.unit} a game" if result.scoring == "points" else "score"
    teams = result.skilled.seats
    # Two seats have opposite advantages, so one of them is shown.
    shown = range(1 if len(teams) == 2 else len(teams))
    by_bot = [
        (bots_text(row.bots), row.seats) for row in result.by_bot if len(row.seats) == len(teams)
    ]
    if len(shown) == 1:
        caption = f"Advantage of {seats_text(teams[0].seats)} in {unit}, by bot against itself"
        rows = [(name, seats[0].advantage, seats[0].is_certain) for name, seats in by_bot]
        return [interval_chart(rows, kind, caption)]
    caption = f"Advantage in {unit}, among {bots_text(result.skilled.bots)}"
    rows = [(seats_text(row.seats), row.advantage, row.is_certain) for row in teams]
    return [interval_chart(rows, kind, caption)] if teams else []


def _strength(result: StudyResult) -> IntervalChart | None:
    if result.skill is None:
        return None
    if result.is_common or result.scoring == "points":
        kind: FigureKind = "amount" if result.is_common else "change"
        scores = [(row.bot, row.score, False) for row in result.skill.bots if row.score]
        caption = f"Mean {result.unit} of a table" if result.is_common else f"{result.unit} a game"
        return interval_chart(scores, kind, caption, None if result.is_common else 0.0)
    rows = [(row.bot, row.elo, False) for row in result.skill.bots if row.elo]
    return interval_chart(rows, "elo", "Elo, 0 is the mean of all bots") if rows else None


def _luck_bar(population: Population) -> ShareBar | None:
    if population.luck is None:
        return None
    luck = population.luck
    parts = (("deal", "deal", luck.deal.value), ("fixed", "seat", luck.seat))
    return (
        bots_text(population.bots),
        tuple(
            (style, round(100 * share, 2), f"{name} {100 * share:.0f} %")
            for style, name, share in (*parts, ("play", "play", luck.play))
        ),
    )


def _rows_of(kind: str, result: StudyResult) -> list[UseRow]:
    return [row for row in result.uses if row.kind == kind]


def _use_section(kind: str, result: StudyResult) -> UseSection:
    rows, shown = _rows_of(kind, result), score_kind(result, is_difference=True)
    ranked = ranked_uses(rows)
    top = sorted(ranked[:MOST_USES], key=lambda row: -row.worth.value if row.worth else 0.0)
    unit = score_unit(result).strip() or "score"
    caption = f"Difference in {unit} between seats with and without it"
    unranked = [row for row in rows if row not in ranked]
    charted = [(row.name, row.worth, row.is_certain) for row in top if row.worth]
    chart = interval_chart(charted, shown, caption) if charted else None
    cells = tuple(use_cells(row, shown) for row in (*ranked, *unranked))
    return UseSection(USES[kind], chart, cells)
