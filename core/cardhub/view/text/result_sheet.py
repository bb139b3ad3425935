"""Results and summaries of rounds as plain text: points by cause, hands and turning points."""

from collections.abc import Iterable, Sequence

from cardhub.model.game.scene import Summary
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import amount_text
from cardhub.view.text.glyphs import (
    UNICODE,
    Glyphs,
    cells,
    counted_names,
    duration,
    pad,
    wrapped,
    wrapped_deeper,
)
from cardhub.view.view import CardCatalogue, CauseView, ResultView, TurningPoint

INDENT = 2
GAP = "  "
# A long last column with less room, in cells, is wrapped together with its row.
NARROWEST = 16


def summary_lines(
    summary: Summary,
    width: int = 80,
    glyphs: Glyphs = UNICODE,
    *,
    titled: bool = True,
) -> list[str]:
    """Return the title, if wanted, and the rows, wrapped to a width in cells.

    Columns of numbers are aligned on the right; the first row may be their heading.
    """
    width = max(width, 1)
    # Convert before measuring: ASCII text may be longer.
    rows = [[glyphs.text(cell) for cell in row] for row in summary.rows]
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    are_numbers = [_has_numbers(column) for column in columns]
    title = glyphs.text(summary.title)
    lines = wrapped(title, width) if titled and title else []
    for row in rows:
        padded = [
            " " * (size - cells(cell)) + cell if is_number else pad(cell, size)
            for cell, size, is_number in zip(row, widths, are_numbers, strict=True)
        ]
        lines += _row_lines(padded, width)
    return lines


def _has_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column[1:] if cell] or [cell for cell in column if cell]
    return bool(filled) and all(
        any(map(str.isnumeric, cell)) and not any(map(str.isalpha, cell)) for cell in filled
    )


def _row_lines(row: Sequence[str], width: int) -> list[str]:
    begin = " " * INDENT + "".join(f"{cell}{GAP}" for cell in row[:-1])
    room = width - cells(begin)
    if room < min(NARROWEST, cells(row[-1])):
        text = GAP.join(cell.strip() for cell in row).strip()
        return wrapped(" " * INDENT + text, width, hang=" " * (INDENT + 2))
    first, *others = wrapped(row[-1], max(room, 1))
    return [(begin + first).rstrip(), *(" " * cells(begin) + part for part in others)]


def result_lines(
    result: ResultView, catalogue: CardCatalogue, width: int, glyphs: Glyphs
) -> list[str]:
    """Return places, points by cause, hands and turning points, wrapped at `width` cells."""
    lines = [*_places(result), *_causes(result, width, glyphs)]
    if result.hands:
        lines += ["", "Hands at the end:", *_hands(result, catalogue)]
    if result.turning_points:
        lines += ["", "Turning points:"]
        lines += map(_turning_point, result.turning_points)
    facts = ", ".join(filter(None, (result.parts, duration(result.seconds))))
    texts = map(glyphs.text, (*lines, *(["", facts] if facts else [])))
    return [line for text in texts for line in wrapped_deeper(text, width, INDENT)]


def _places(result: ResultView) -> list[str]:
    if result.goal is Goal.COMMON:
        return ["Result:", f"  {result.sentence}"]
    width = max(cells(column.name) for column in result.columns)
    score = max(cells(column.score) for column in result.columns)
    return [
        f"Result: {result.sentence}",
        *(
            f"  {column.place}. {pad(column.name, width)}  "
            f"{' ' * (score - cells(column.score))}{amount_text(column.score, result.unit)}"
            for column in result.columns
        ),
    ]


def _causes(result: ResultView, width: int, glyphs: Glyphs) -> Iterable[str]:
    for section in result.sections:
        yield ""
        title = section.title or "Points by cause"
        summary = Summary(title=title, rows=_rows(result, section.rows))
        yield from summary_lines(summary, width, glyphs)
        if section.subtotals:
            subtotals = Summary(title="Totals", rows=_rows(result, section.subtotals))
            yield from ("", *summary_lines(subtotals, width, glyphs))


def _rows(result: ResultView, causes: Iterable[CauseView]) -> tuple[tuple[str, ...], ...]:
    heading = ("", *(column.name for column in result.columns))
    rows = (
        # In parentheses: a note may begin with a number, as the points do.
        (row.label, *(f"{c.points} ({c.note})" if c.note else c.points for c in row.cells))
        for row in causes
    )
    return (heading, *rows)


def _turning_point(point: TurningPoint) -> str:
    gain = f"{point.gain:.1f}".removesuffix(".0")
    return f"  step {point.step}: {point.text} ({point.name} +{gain})"


def _hands(result: ResultView, catalogue: CardCatalogue) -> list[str]:
    zones = {hand.zone for hand in result.hands}
    lines = []
    for hand in result.hands:
        owner = hand.name if len(zones) == 1 else f"{hand.name}, {hand.zone}"
        cards = counted_names(catalogue.faces[face].label for face in hand.faces)
        lines.append(f"  {owner}: {', '.join(cards)}")
    return lines
