"""A hand: cards large enough to read, side by side."""

from itertools import zip_longest

from cardhub.game.scene import Area, Target
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import cells
from cardhub.text.sheet import Line, Span, Spot

INDENT = 2


def large_cards(area: Area, number: int, cards: CardSpans, width: int) -> list[Line]:
    """Return lines of cards: names, with details beneath; as many lines as the hand needs."""
    if not area.tokens:
        return []
    cell = _cell_width(area, cards)
    in_line = max(1, (width - INDENT) // cell)
    lines: list[Line] = []
    for start in range(0, len(area.tokens), in_line):
        tokens = area.tokens[start : start + in_line]
        pairs = [_large(token, area, number, cards, cell) for token in tokens]
        for line in zip_longest(*pairs):
            if any(span.text.strip() for span in line):
                lines.append((Span(" " * INDENT), *line))
    return lines


def _cell_width(area: Area, cards: CardSpans) -> int:
    """Return the room for the widest name between marks, or detail with its mark."""
    names = max(cells(cards.name(token, area.closed)) for token in area.tokens)
    details = max(cells(cards.detail(token, area.closed)) for token in area.tokens)
    return max(names + 2, details + 3)


def _large(token: int, area: Area, number: int, cards: CardSpans, width: int) -> tuple[Span, Span]:
    spot = Spot(Target("card", token), number)
    name = cards.name(token, area.closed)
    name = cards.marked(name, True) if cards.is_legal(spot) else f" {name} "
    detail = " " + cards.detail(token, area.closed)
    if cards.is_changed(token):
        detail += cards.glyphs.changed
    role = cards.role(token, area.closed)
    return (
        cards.span(token, spot, _padded(name, width), role, is_stop=True),
        cards.span(token, spot, _padded(detail, width), "detail", is_stop=False),
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))
