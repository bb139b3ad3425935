"""A grid of sites with stacks of cards as lines."""

from collections.abc import Sequence

from cardhub.table.actions import column_label
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import cells
from cardhub.text.sheet import Line, Span
from cardhub.text.wrapping import Word, fill
from cardhub.view.spots import Spot
from cardhub.view.view import CardView, GridView

ROW_LABEL = 4
MIN_CELL = 5


def grid_lines(grid: GridView, number: int, cards: CardSpans, width: int) -> list[Line]:
    """Return a heading, then each row: the top cards, and below them the covered ones."""
    spot = Spot("area", 0, number)
    count = sum(map(len, grid.stacks))
    # Cells shrink to the width, but not below MIN_CELL: then the board scrolls sideways.
    cell = max(MIN_CELL, min((width - ROW_LABEL) // max(1, grid.columns), _widest(grid, cards)))
    caption = cards.glyphs.text(grid.caption)
    columns = map(column_label, range(grid.columns))
    lines: list[Line] = [
        (
            Span(caption, "caption", "", spot, is_stop=True, is_legal=cards.is_legal(spot)),
            Span(f" {count}", "note", "", spot),
        ),
        (Span(" " * ROW_LABEL), *(Span(f" {each}".ljust(cell), "note") for each in columns)),
    ]
    for row in range(grid.rows):
        lines += _row(grid, number, cards, row, cell)
    return lines


def _widest(grid: GridView, cards: CardSpans) -> int:
    """Return the width for the widest top card and mark, and for three covered cards in a line."""
    shown = [card for stack in grid.stacks for card in stack]
    widest = max((cells(cards.name(card)) for card in shown), default=1)
    covered = max((len(stack) - 1 for stack in grid.stacks), default=0)
    marks = max((cells(cards.note(card)) for card in shown), default=0)
    return max(widest + 4, min(3, covered) * (widest + 1) + 2, marks + 2)


def _row(grid: GridView, number: int, cards: CardSpans, row: int, cell: int) -> list[Line]:
    sites = range(row * grid.columns, (row + 1) * grid.columns)
    columns = [_site(grid.stacks[site], site, number, cards, cell) for site in sites]
    lines: list[Line] = []
    for level in range(max(map(len, columns))):
        label = str(row + 1) if level == 0 else ""
        spans = [Span(label.ljust(ROW_LABEL), "note")]
        for column in columns:
            spans += column[level] if level < len(column) else (Span(" " * cell),)
        lines.append(tuple(spans))
    return lines


def _site(
    stack: Sequence[CardView], site: int, number: int, cards: CardSpans, cell: int
) -> list[Line]:
    spot = Spot("site", site, number)
    # From the top down, as the cards would be uncovered.
    covered = [Word((_covered_card(card, spot, cards),)) for card in stack[-2::-1]]
    mark = cards.note(stack[-1]) if stack else ""
    marks = [_filled((Span(f" {mark}", "note", "", spot),), cell)] if mark else []
    below = [_filled((Span(" "), *line), cell) for line in fill([covered], cell - 2)]
    return [_filled((_top_card(stack, spot, cards),), cell), *marks, *below]


def _top_card(stack: Sequence[CardView], spot: Spot, cards: CardSpans) -> Span:
    is_legal = cards.is_legal(spot)
    name = cards.name(stack[-1]) if stack else cards.glyphs.empty
    text = cards.marked(name, True) if is_legal else f" {name}"
    if not stack:
        return Span(text, "note", "", spot, is_stop=True, is_legal=is_legal)
    if stack[-1].is_new:
        text += cards.glyphs.changed
    return cards.span(stack[-1], spot, text, cards.role(stack[-1]), is_stop=True)


def _covered_card(card: CardView, spot: Spot, cards: CardSpans) -> Span:
    text = cards.name(card) + (cards.glyphs.changed if card.is_new else "")
    text += cards.small_note(card)
    return cards.span(card, spot, text, "detail", is_stop=False)


def _filled(spans: Line, width: int) -> Line:
    missing = width - sum(span.width for span in spans)
    return (*spans, Span(" " * missing)) if missing > 0 else spans
