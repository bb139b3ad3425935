"""Faults of the scores by cause: rows that do not add up to the scores, or cannot be shown."""

from collections.abc import Iterator, Sequence

from cardhub.model.game.scene import BreakdownRow, BreakdownSection
from cardhub.model.game.scene_text_faults import per_seat_faults, single_line_error


def breakdown_faults(sections: Sequence[BreakdownSection], scores: Sequence[int]) -> Iterator[str]:
    """Yield the faults of a breakdown; one without sections has none."""
    has_faults = False
    for section in sections:
        if section.title:
            where = f"section {section.title!r}"
            yield from single_line_error(f"{where}: the title", section.title, "an empty title")
        for row in (*section.rows, *section.subtotals):
            for fault in _row_faults(row, len(scores)):
                has_faults = True
                yield fault
    if sections and not has_faults:
        yield from _sum_faults(sections, scores)


def _row_faults(row: BreakdownRow, seats: int) -> Iterator[str]:
    where = f"row {row.label!r}"
    yield from single_line_error(f"{where}: the label", row.label, "the cause of the points")
    yield from per_seat_faults(where, row.points, row.notes, row.colour, seats)


def _sum_faults(sections: Sequence[BreakdownSection], scores: Sequence[int]) -> Iterator[str]:
    rows = [row for section in sections for row in section.rows]
    for seat, score in enumerate(scores):
        total = _sum(rows, seat)
        if total != score:
            yield (
                f"the points of seat {seat} add up to {total}, and its score is {score}. "
                "fix: a row for every cause of points"
            )
    for section in sections:
        for seat in range(len(scores) if section.subtotals else 0):
            total, of_rows = _sum(section.subtotals, seat), _sum(section.rows, seat)
            if total != of_rows:
                yield (
                    f"the subtotals of seat {seat} add up to {total}, and the rows to {of_rows}. "
                    "fix: subtotals divide the points of the rows in another way"
                )


def _sum(rows: Sequence[BreakdownRow], seat: int) -> int:
    return sum(row.points[seat] for row in rows)
