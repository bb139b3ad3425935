"""Areas of a view as lines: hands, rows, piles, queues and counts."""

from collections.abc import Sequence
from itertools import zip_longest

from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import cells, pad
from cardhub.text.sheet import Line, Span
from cardhub.text.wrapping import Word
from cardhub.view.spots import Spot
from cardhub.view.view import AreaView, CardView

# Maximum number of cards shown of a pile, from its top.
PILE_CARDS = 6
# Maximum width of these cards, so that a pile with long names stays on one line.
PILE_CELLS = 36
HAND_INDENT = 2


def small_area(area: AreaView, number: int, cards: CardSpans) -> list[Word]:
    """Return the words of an area with small cards; `number` is its index in the view."""
    shown = _shown_cards(area, number, cards)
    words = [cards.small(card, number) for card in shown]
    if shown and len(shown) < len(area.cards):  # a pile of which only the last cards are shown
        words.insert(0, Word((Span(cards.glyphs.more, "note"),)))
    if shown and area.look == "queue":
        words.insert(0, Word((Span("next:", "note"),)))
    return cards.heading(area, number) + _spaced(words)


def large_cards(area: AreaView, number: int, cards: CardSpans, width: int) -> list[Line]:
    """Return lines of cards side by side: names, with details and marks beneath them."""
    if not area.cards:
        return []
    cell = _cell_width(area, cards)
    # At least one: a terminal may be narrower than a card.
    in_line = max(1, (width - HAND_INDENT) // cell)
    lines: list[Line] = []
    for start in range(0, len(area.cards), in_line):
        shown = area.cards[start : start + in_line]
        pairs = [_large_card(card, number, cards, cell) for card in shown]
        for line in zip_longest(*pairs):
            # Games without details or marks save these lines of each row.
            if any(span.text.strip() for span in line):
                lines.append((Span(" " * HAND_INDENT), *line))
    return lines


def _shown_cards(area: AreaView, number: int, cards: CardSpans) -> Sequence[CardView]:
    if area.look != "pile":
        return area.cards
    start = len(area.cards) - _pile_size(area, cards)
    # A legal card is shown wherever it lies: the cursor has to be able to reach it.
    below = area.cards[:start]
    legal = [card for card in below if cards.is_legal(Spot("card", card.token, number))]
    return [*legal, *area.cards[start:]]


def _pile_size(area: AreaView, cards: CardSpans) -> int:
    """Return how many cards of a pile fit on its line, at least one."""
    room = PILE_CELLS
    for number, card in enumerate(reversed(area.cards[-PILE_CARDS:])):
        room -= cells(cards.name(card) + cards.small_note(card)) + 1
        if room < 0:
            return max(1, number)
    return min(PILE_CARDS, len(area.cards))


def _spaced(words: list[Word]) -> list[Word]:
    """Separate a run of backs from the faces and the caption beside it."""
    spaced = []
    before = 1
    for word in words:
        spaced.append(Word(word.spans, gap=max(before, word.gap)))
        before = word.gap
    return spaced


def _cell_width(area: AreaView, cards: CardSpans) -> int:
    names = max(cells(cards.name(card)) for card in area.cards)
    details = max(cells(cards.detail(card)) for card in area.cards)
    notes = max(cells(cards.note(card)) for card in area.cards)
    # Brackets around a name; a blank, the sign of change and a blank around a detail.
    return max(names + 2, details + 3, notes + 2)


def _large_card(
    card: CardView, number: int, cards: CardSpans, width: int
) -> tuple[Span, Span, Span]:
    spot = Spot("card", card.token, number)
    name = cards.name(card)
    name = cards.marked(name, True) if cards.is_legal(spot) else f" {name} "
    detail = " " + cards.detail(card)
    if card.is_new:
        detail += cards.glyphs.changed
    return (
        cards.span(card, spot, pad(name, width), cards.role(card), is_stop=True),
        cards.span(card, spot, pad(detail, width), "detail", is_stop=False),
        Span(pad(f" {cards.note(card)}", width), "note", "", spot),
    )
