"""Tallies: races between the seats, with counts, bars and notes."""

from cardhub.view.layout.canvas import Box, Run, Style, column
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells
from cardhub.view.view import TallyRowView, TallyView

COUNT, LABEL, GAP = 3, 2, 2
# Least cells of a seat for a bar beside its count, most cells of the bar, and least of its note.
BAR_FROM, WIDEST_BAR, BESIDE_BAR = 16, 8, 13
# Words of a note that have a mark of their own.
WON, LOST = "won", "lost"
MUTED = Style("muted")


def tally_rows(tally: TallyView) -> int:
    """Return the rows of a tally with its heading."""
    return len(tally.rows) + 1


def draw_tally(painter: TablePainter, tally: TallyView, box: Box) -> None:
    """Draw a row for each race with a column for each seat, the viewer's last."""
    seats = [*painter.others(), painter.view.own]
    label = max((cells(row.label) for row in tally.rows), default=LABEL) + GAP
    width = (box.width - label - 1) // max(len(seats), 1)
    for number, seat in enumerate(seats):
        name = column(painter.text(painter.view.players[seat].name), width - 1)
        role = Style("accent" if seat == painter.view.to_act else "text", is_bold=True)
        painter.canvas.write(box.x + 1 + label + number * width + 1, box.y, name.rstrip(), role)
    for y, row in enumerate(tally.rows, box.y + 1):
        style = Style("card", row.colour, is_bold=True)
        painter.canvas.write(box.x + 1, y, painter.text(row.label), style)
        for number, seat in enumerate(seats):
            x = box.x + 1 + label + number * width
            _draw_count(painter, row, seat, Box(x, y, width - 1, 1))


def draw_small_tally(painter: TablePainter, tally: TallyView, seat: int, box: Box) -> None:
    """Draw a tally of one seat in one row: `Bob A8✓ B6/8 C0✗`."""
    name = painter.text(painter.view.players[seat].name)
    x = painter.canvas.write(box.x + 1, box.y, f"{name} ", MUTED)
    for row in tally.rows:
        mark, _ = _note(painter, row, seat)
        goal = mark or (f"/{row.goal}" if row.goal else "")
        text = painter.text(f"{row.label}{row.counts[seat]}{goal}")
        if x + 1 + cells(text) > box.x + box.width:
            return
        x = painter.canvas.write(x + 1, box.y, text, Style("card", row.colour))


def _draw_count(painter: TablePainter, row: TallyRowView, seat: int, box: Box) -> None:
    count, mark_note = row.counts[seat], _note(painter, row, seat)
    runs = [Run(f"{count:>{COUNT - 1}} ", Style(is_bold=mark_note[0] == painter.glyphs.won))]
    if row.goal and box.width >= BAR_FROM:
        runs += _bar(painter, row, seat, min(row.goal, WIDEST_BAR, box.width - BESIDE_BAR))
    runs.append(Run(" ".join(filter(None, mark_note)), MUTED))
    painter.canvas.runs(box.x, box.y, runs, box.width)


def _bar(painter: TablePainter, row: TallyRowView, seat: int, width: int) -> list[Run]:
    full = min(max(row.counts[seat], 0) * width // row.goal, width)
    is_disconnected = _note(painter, row, seat)[0] == painter.glyphs.lost
    colour = "" if is_disconnected else row.colour
    line = painter.glyphs.light.line
    return [
        Run(painter.glyphs.bar * full, Style("card", colour, is_faint=is_disconnected)),
        Run(line * (width - full) + " ", Style("line")),
    ]


def _note(painter: TablePainter, row: TallyRowView, seat: int) -> tuple[str, str]:
    """Return the mark and the words of a note; a lost race needs the mark only."""
    note = row.notes[seat] if row.notes else ""
    if note.startswith(WON):
        return painter.glyphs.won, painter.text(note)
    if note.startswith(LOST):
        return painter.glyphs.lost, ""
    return "", painter.text(note)
