"""The counters and tallies of a view as lines."""

from collections.abc import Iterable, Sequence

from cardhub.text.glyphs import Glyphs, cells, pad
from cardhub.text.sheet import Line, Span
from cardhub.text.wrapping import Block, Word, fill
from cardhub.view.view import CounterView, TallyRowView, TallyView

INDENT = 2


def counter_words(counter: CounterView, glyphs: Glyphs) -> Block:
    """Return a counter as words: `prize 5`."""
    caption = Span(glyphs.text(counter.caption), "caption")
    return [Word((caption,), gap=2), Word((Span(str(counter.value), "note"),))]


def tally_lines(tally: TallyView, players: Sequence[str], glyphs: Glyphs, width: int) -> list[Line]:
    """Return the caption and a line for each row: `A of 8  Bob 8, won  Anna 4, 2 more`."""
    rows = [list(_cells(row, players, glyphs)) for row in tally.rows]
    # Cells of equal width stand below each other.
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines: list[Line] = []
    if tally.caption:
        lines.append((Span(glyphs.text(tally.caption), "caption"),))
    for row, source in zip(rows, tally.rows, strict=True):
        padded = [pad(cell, size) for cell, size in zip(row, widths, strict=True)]
        head = Span(padded[0], "caption", source.colour)
        words = [Word((head,)), *(Word((Span(cell, "note"),), gap=2) for cell in padded[1:])]
        filled = fill([[word] for word in words], width - INDENT, indent=INDENT)
        lines += [(Span(" " * INDENT), *line) for line in filled]
    return lines


def _cells(row: TallyRowView, players: Sequence[str], glyphs: Glyphs) -> Iterable[str]:
    yield glyphs.text(f"{row.label} of {row.goal}" if row.goal else row.label)
    for seat, count in enumerate(row.counts):
        note = row.notes[seat] if seat < len(row.notes) else ""
        yield glyphs.text(f"{players[seat]} {count}" + (f", {note}" if note else ""))
