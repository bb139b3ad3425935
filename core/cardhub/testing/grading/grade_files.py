"""Files with grades: a table of all students, and for each student a file that Gradescope reads."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cardhub.base.csv_text import csv_text
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.testing.grading.grader import CHECKS, Grade, Item

TABLE, RESULTS = "grades.csv", "results.json"
# The columns of a threshold after its points.
FIGURE = ("mean", "low", "high", "blocks", "open")


def write_table(out: Path, grades: Sequence[Grade]) -> Path:
    """Write the table of all grades, and return its path; raises MatchError."""
    rows = [_row(grade) for grade in grades]
    replace_file(out / TABLE, csv_text(tuple(rows[0]), rows))
    return out / TABLE


def write_results(grade: Grade) -> None:
    """Write the grade of a student in the form of Gradescope; raises MatchError."""
    text = json.dumps(_results(grade), indent=2, ensure_ascii=False)
    replace_file(grade.folder / RESULTS, text + "\n")


def _results(grade: Grade) -> dict[str, Any]:
    return {
        "score": grade.points,
        "output_format": "text",
        "visibility": "visible",
        "tests": [
            {
                "name": item.name,
                "score": item.points,
                "max_score": item.most,
                "status": "passed" if item.points == item.most else "failed",
                "output": item.text,
            }
            for item in grade.items
        ],
    }


def _row(grade: Grade) -> dict[str, str]:
    """Return the cells of a grade; the heads are the same for all grades of an assignment."""
    totals = {
        "student": grade.student,
        "points": _points(grade.points),
        "most": _points(grade.most),
    }
    return totals | {head: cell for item in grade.items for head, cell in _cells(item)}


def _cells(item: Item) -> Iterator[tuple[str, str]]:
    yield item.name, _points(item.points)
    if item.name != CHECKS:
        for part, cell in zip(FIGURE, _figures(item), strict=True):
            yield f"{item.name}: {part}", cell


def _figures(item: Item) -> Sequence[str]:
    if item.estimate is None:  # it did not play
        return [""] * len(FIGURE)
    bounds = ("" if value is None else f"{value:.4f}" for value in item.estimate)
    return [*bounds, str(item.blocks), "yes" if item.is_open else "no"]


def _points(points: float) -> str:
    return f"{points:g}"
