"""The result of a game as plain text: points by cause, hands and turning points."""

from collections.abc import Iterable

from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import amount_text
from cardhub.view.result_view import CauseView, ResultView, TurningPoint
from cardhub.view.text.glyphs import Glyphs, cells, counted_names, duration, pad, wrapped_deeper
from cardhub.view.text.summaries import INDENT, summary_lines
from cardhub.view.view import CardCatalogue, SummaryView


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
        summary = SummaryView(title=title, rows=_rows(result, section.rows))
        yield from summary_lines(summary, width, glyphs)
        if section.subtotals:
            subtotals = SummaryView(title="In all", rows=_rows(result, section.subtotals))
            yield from ("", *summary_lines(subtotals, width, glyphs))


def _rows(result: ResultView, causes: Iterable[CauseView]) -> tuple[tuple[str, ...], ...]:
    heading = ("", *(column.name for column in result.columns))
    rows = (
        (row.label, *(f"{cell.points} {cell.note}".rstrip() for cell in row.cells))
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
