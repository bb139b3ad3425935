"""The view of the page that compares studies."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.base.writing import NONE, p_value
from cardhub.lab.study.comparison import ComparedFigure, FigureDifference, StudyComparison
from cardhub.lab.study.figure_text import (
    DIFFERENCES,
    FigureKind,
    measure_text,
    options_text,
    score_kind,
    seats_text,
)
from cardhub.lab.study.page.charts import IntervalChart, interval_chart
from cardhub.lab.study.study_schema import StudyResult


@dataclass(frozen=True)
class DifferenceCell:
    """A figure of a study and its difference to the first study, as text."""

    value: str
    difference: str
    p_value: str
    is_certain: bool


@dataclass(frozen=True)
class FigureLine:
    """A figure by study: `first` is the first study's value as text, `cells` has the others."""

    name: str
    first: str
    cells: tuple[DifferenceCell, ...]


@dataclass(frozen=True)
class ComparisonView:
    """The contents of the page of a comparison."""

    labels: tuple[str, ...]
    options: tuple[str, ...]
    fairness: tuple[str, ...]
    seats: IntervalChart | None
    lines: tuple[FigureLine, ...]
    notes: tuple[str, ...]


def view_comparison(comparison: StudyComparison, studies: Sequence[StudyResult]) -> ComparisonView:
    """Return the view of a comparison."""
    return ComparisonView(
        labels=comparison.labels,
        options=tuple(options_text(study) for study in studies),
        fairness=tuple(filter(None, comparison.fairness)),
        seats=_seats(comparison, studies),
        lines=tuple(map(_line, comparison.figures)),
        notes=comparison.notes,
    )


def _seats(comparison: StudyComparison, studies: Sequence[StudyResult]) -> IntervalChart | None:
    rows = [
        (f"{label} · {seats_text(row.seats)}", row.advantage, row.is_certain)
        for label, study in zip(comparison.labels, studies, strict=True)
        for row in study.skilled.seats[: 1 if len(study.skilled.seats) == 2 else None]
    ]
    if not rows:
        return None
    kind = score_kind(studies[0], is_difference=True)
    return interval_chart(rows, kind, "Advantage of seats among equal players")


def _line(row: ComparedFigure) -> FigureLine:
    pairs = zip(row.values[1:], row.differences, strict=True)
    return FigureLine(
        row.name,
        measure_text(row.values[0], row.kind),
        tuple(_cell(measure_text(value, row.kind), change, row.kind) for value, change in pairs),
    )


def _cell(value: str, difference: FigureDifference | None, kind: FigureKind) -> DifferenceCell:
    if difference is None:
        return DifferenceCell(value, NONE, NONE, False)
    text = measure_text(difference.measure, DIFFERENCES.get(kind, kind))
    return DifferenceCell(value, text, p_value(difference.p_value), difference.is_certain)
