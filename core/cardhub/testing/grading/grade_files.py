"""Files with grades: a table of all students, and for each student a file that Gradescope reads."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cardhub.lab.match.log.log_writer import replace_file
from cardhub.testing.grading.grader import CHECKS, Grade, Item

TABLE, RESULTS = "grades.csv", "results.json"
# The columns of a threshold after its points.
FIGURE = ("mean", "low", "high", "blocks", "open")


def write_table(out: Path, grades: Sequence[Grade]) -> Path:
    """Write the table of all grades, and return its path; raises MatchError."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "points", "most", *_heads(grades[0].items)])
    for grade in grades:
        cells = (cell for item in grade.items for cell in _cells(item))
        writer.writerow([grade.student, _points(grade.points), _points(grade.most), *cells])
    replace_file(out / TABLE, text.getvalue())
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


def _heads(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        yield item.name
        if item.name != CHECKS:
            yield from (f"{item.name}: {part}" for part in FIGURE)


def _cells(item: Item) -> Iterator[str]:
    yield _points(item.points)
    if item.estimate is not None:
        yield from ("" if value is None else f"{value:.4f}" for value in item.estimate)
        yield str(item.blocks)
        yield "yes" if item.is_open else "no"
    elif item.name != CHECKS:  # it did not play
        yield from ("" for _ in FIGURE)


def _points(points: float) -> str:
    return f"{points:g}"
