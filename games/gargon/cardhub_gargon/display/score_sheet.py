"""The scores by colour: amulets, the factor of zeros, and the bonus for most cards."""

from cardhub import BreakdownRow, BreakdownSection
from cardhub_gargon.scoring import amulets, bonuses, colour_scores
from cardhub_gargon.table import COLOURS, CREATURES, Table


def breakdown(state: Table) -> list[BreakdownSection]:
    """Return a row for each colour; amulets times factor plus bonus are its points."""
    rows = [_row(state, colour) for colour in range(len(COLOURS))]
    subtotals = [
        BreakdownRow("amulets", amulets(state)),
        BreakdownRow("most cards", bonuses(state)),
    ]
    return [BreakdownSection("", rows, subtotals)]


def _row(state: Table, colour: int) -> BreakdownRow:
    points, notes = [], []
    for count, factor, bonus in colour_scores(state, colour):
        points.append(count * factor + bonus)
        parts = [f"{count}●" + (f"×{factor}" if factor > 1 else "")] if count else []
        parts += [f"+{bonus}"] if bonus else []
        notes.append(" ".join(parts))
    won = [[token for token in tokens if state.back[token] == colour] for tokens in state.won]
    return BreakdownRow(CREATURES[colour], points, notes, COLOURS[colour], won)
