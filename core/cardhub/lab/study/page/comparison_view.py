"""The data of the page that compares studies."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.lab.study.comparison import ComparedFigure, FigureDifference, StudyComparison
from cardhub.lab.study.figure_text import (
    DIFFERENCES,
    FigureKind,
    measure_text,
    options_text,
    p_text,
    score_kind,
    seats_text,
    value_text,
)
from cardhub.lab.study.page.charts import IntervalChart, interval_chart
from cardhub.lab.study.study_schema import StudyResult


@dataclass(frozen=True)
class DifferenceCell:
    """A figure of a study with its difference to the first one as text."""

    value: str
    difference: str
    p_value: str
    is_certain: bool


@dataclass(frozen=True)
class FigureLine:
    """A figure by study: the first one's as text, then cells."""

    name: str
    first: str
    cells: tuple[DifferenceCell, ...]


@dataclass(frozen=True)
class ComparisonView:
    """All that the page of a comparison shows."""

    labels: tuple[str, ...]
    options: tuple[str, ...]
    fairness: tuple[str, ...]
    seats: IntervalChart | None
    lines: tuple[FigureLine, ...]
    notes: tuple[str, ...]


def view_comparison(found: StudyComparison, studies: Sequence[StudyResult]) -> ComparisonView:
    """Return the data of the page."""
    return ComparisonView(
        labels=found.labels,
        options=tuple(options_text(study) for study in studies),
        fairness=tuple(filter(None, found.fairness)),
        seats=_seats(found, studies),
        lines=tuple(map(_line, found.figures)),
        notes=found.notes,
    )


def _seats(found: StudyComparison, studies: Sequence[StudyResult]) -> IntervalChart | None:
    rows = [
        (f"{label} · {seats_text(row.seats)}", row.advantage, row.is_certain)
        for label, study in zip(found.labels, studies, strict=True)
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
        tuple(_cell(measure_text(value, row.kind), each, row.kind) for value, each in pairs),
    )


def _cell(value: str, found: FigureDifference | None, kind: FigureKind) -> DifferenceCell:
    if found is None:
        return DifferenceCell(value, value_text(None, kind), p_text(None), False)
    text = measure_text(found.measure, DIFFERENCES.get(kind, kind))
    return DifferenceCell(value, text, p_text(found.p_value), found.is_certain)
