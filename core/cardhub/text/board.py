"""A grid of sites with stacks of cards."""

from collections.abc import Sequence

from cardhub.game.scene import Grid, Target
from cardhub.text.cardspans import CardSpans
from cardhub.text.flow import Word, fill
from cardhub.text.glyphs import cells
from cardhub.text.sheet import Line, Span, Spot

LABEL = 4
NARROWEST = 5


def grid_lines(grid: Grid, number: int, cards: CardSpans, width: int) -> list[Line]:
    """Return a heading, then each row: the top cards large, those below beneath, in order."""
    spot = Spot(Target("area", grid.caption), number)
    count = sum(map(len, grid.stacks))
    cell = max(NARROWEST, min((width - LABEL) // max(1, grid.columns), _widest(grid, cards)))
    lines: list[Line] = [
        (
            Span(cards.glyphs.text(grid.caption), "caption", "", spot, True, cards.is_legal(spot)),
            Span(f" {count}", "note", "", spot),
        ),
        (Span(" " * LABEL), *(Span(f" c{c}".ljust(cell), "note") for c in range(grid.columns))),
    ]
    for row in range(grid.rows):
        lines += _row(grid, number, cards, row, cell)
    return lines


def _widest(grid: Grid, cards: CardSpans) -> int:
    """Return the room for a site's top card, and for three cards below it in one line."""
    names = [cells(cards.name(token)) for stack in grid.stacks for token in stack]
    widest = max(names, default=1)
    below = max((len(stack) - 1 for stack in grid.stacks), default=0)
    return max(widest + 4, min(3, below) * (widest + 1) + 2)


def _row(grid: Grid, number: int, cards: CardSpans, row: int, cell: int) -> list[Line]:
    sites = range(row * grid.columns, (row + 1) * grid.columns)
    columns = [_site(grid.stacks[site], site, number, cards, cell) for site in sites]
    height = max(map(len, columns))
    lines: list[Line] = []
    for level in range(height):
        label = Span(f"r{row}".ljust(LABEL) if level == 0 else " " * LABEL, "note")
        spans = [label]
        for column in columns:
            spans += column[level] if level < len(column) else (Span(" " * cell),)
        lines.append(tuple(spans))
    return lines


def _site(stack: Sequence[int], site: int, number: int, cards: CardSpans, cell: int) -> list[Line]:
    """Return the lines of one site, each `cell` wide."""
    spot = Spot(Target("site", site), number)
    lines = [_filled((_top(stack, spot, cards),), cell)]
    below = [Word((cards.span(t, spot, _small(t, cards), "detail", False),)) for t in stack[-2::-1]]
    return lines + [_filled((Span(" "), *line), cell) for line in fill([below], cell - 2)]


def _top(stack: Sequence[int], spot: Spot, cards: CardSpans) -> Span:
    legal = cards.is_legal(spot)
    name = cards.name(stack[-1]) if stack else cards.glyphs.empty
    text = cards.marked(name, True) if legal else f" {name}"
    if not stack:
        return Span(text, "note", "", spot, True, legal)
    if cards.is_changed(stack[-1]):
        text += cards.glyphs.changed
    return cards.span(stack[-1], spot, text, cards.role(stack[-1]), is_stop=True)


def _small(token: int, cards: CardSpans) -> str:
    return cards.name(token) + (cards.glyphs.changed if cards.is_changed(token) else "")


def _filled(spans: Line, width: int) -> Line:
    missing = width - sum(span.width for span in spans)
    return (*spans, Span(" " * missing)) if missing > 0 else spans
