"""The coins that each round has brought."""

from cardhub import BreakdownRow, BreakdownSection
from cardhub_gamon.table import Table


def breakdown(state: Table) -> list[BreakdownSection]:
    """Return a row for each round: the change of both purses, by prize and effects of cards."""
    before, rows = [0] * state.seats, []
    for number, (winner, prize, *purses) in enumerate(state.rounds, 1):
        points = [now - was for was, now in zip(before, purses, strict=True)]
        notes = ["", ""]
        notes[winner] = f"prize {prize}"
        rows.append(BreakdownRow(f"Round {number}", points, notes))
        before = purses
    return [BreakdownSection("", rows)]
