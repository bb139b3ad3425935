"""The scores by colour: amulets, the factor of zeros, and the bonus for most cards."""

from cardhub import BreakdownRow, BreakdownSection
from cardhub_gargon.scoring import colour_scores
from cardhub_gargon.table import COLOURS, CREATURES, Table


def breakdown(state: Table) -> list[BreakdownSection]:
    """Return a row for each colour; amulets times factor plus bonus are its points."""
    return [BreakdownSection("", [_row(state, colour) for colour in range(len(COLOURS))])]


def _row(state: Table, colour: int) -> BreakdownRow:
    points, notes = [], []
    for amulets, factor, bonus in colour_scores(state, colour):
        points.append(amulets * factor + bonus)
        parts = [f"{amulets}●" + (f"×{factor}" if factor > 1 else "")] if amulets else []
        parts += [f"+{bonus}"] if bonus else []
        notes.append(" ".join(parts))
    return BreakdownRow(CREATURES[colour], points, notes, COLOURS[colour])
