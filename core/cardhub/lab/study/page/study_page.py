"""The pages of studies and comparisons, as self-contained HTML with plots, from results alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.report.html import STYLE, content_policy, environment, inlined
from cardhub.lab.study import figure_text
from cardhub.lab.study.comparison import StudyComparison
from cardhub.lab.study.figure_text import (
    FigureKind,
    bots_text,
    headlines,
    ranked_uses,
    score_kind,
    score_unit,
    seats_text,
)
from cardhub.lab.study.page.charts import (
    IntervalChart,
    ShareBar,
    column_chart,
    interval_chart,
    progress_plot,
    share_bar,
)
from cardhub.lab.study.study_cells import bot_cells, bot_heads, use_cells
from cardhub.lab.study.study_request import PAGE
from cardhub.lab.study.study_schema import Leads, Population, StudyResult, UseRow

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
    loaders = [PackageLoader("cardhub.lab.study.page"), PackageLoader("cardhub.lab.report")]
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
    deal, seat, play = population.luck.deal, population.luck.seat, population.luck.play
    return share_bar(
        bots_text(population.bots),
        (("deal", deal.value, "deal"), ("fixed", seat, "seat"), ("play", play, "play")),
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
