"""Areas with small cards: rows, piles and counts."""

from cardhub.game.scene import Area
from cardhub.text.cardspans import CardSpans
from cardhub.text.flow import Word
from cardhub.text.glyphs import cells
from cardhub.text.sheet import Span

LAST = 6
"""How many cards of a pile are shown at most, the last ones."""
LAST_CELLS = 36
"""How much room they may take, so that a pile stays on one line whatever its cards are called."""


def small_area(area: Area, number: int, cards: CardSpans) -> list[Word]:
    """Return the words of an area whose cards are small."""
    shown = shown_tokens(area, cards)
    words = [cards.small(token, area, number) for token in shown]
    if not shown:
        return cards.heading(area, number)
    if len(shown) < len(area.tokens) and area.look == "pile":
        words.insert(0, Word((Span(cards.glyphs.more, "note"),)))
    return cards.heading(area, number) + _spaced(words)


def shown_tokens(area: Area, cards: CardSpans) -> list[int]:
    """Return the cards an area shows one by one; a pile's last few, and any that is legal."""
    if area.look == "count":
        return []
    last = _last(area, cards) if area.look == "pile" else len(area.tokens)
    start = len(area.tokens) - last
    legal = [t for t in area.tokens[:start] if cards.small(t, area, -1).spans[0].is_legal]
    return [*legal, *area.tokens[start:]]


def _last(area: Area, cards: CardSpans) -> int:
    """Return how many cards of a pile are shown: as many as share a line, but at least one."""
    room = LAST_CELLS
    for number, token in enumerate(reversed(area.tokens[-LAST:])):
        room -= cells(cards.name(token, area.closed)) + 1
        if room < 0:
            return max(1, number)
    return min(LAST, len(area.tokens))


def _spaced(words: list[Word]) -> list[Word]:
    """Keep a run of backs together but apart from faces and from the caption."""
    spaced = []
    before = 1
    for word in words:
        spaced.append(Word(word.spans, gap=max(before, word.gap)))
        before = word.gap
    return spaced
