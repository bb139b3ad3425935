"""Areas of a scene as lines: hands, rows, piles and counts; and the buttons."""

from collections.abc import Mapping
from itertools import count, zip_longest

from cardhub.game.scene import Area
from cardhub.hidden.labels import Labels
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import Glyphs, cells, clip, pad
from cardhub.text.sheet import Line, Span
from cardhub.text.wrapping import Block, Word, fill
from cardhub.view.spots import Spot

# Maximum number of cards shown of a pile, from its top.
PILE_CARDS = 6
# Maximum width of these cards, so that a pile with long names stays on one line.
PILE_CELLS = 36
HAND_INDENT = 2
# Number of buttons with the same verb from which the verb is written once before them.
GROUPED_BUTTONS = 3


def small_area(area: Area, number: int, cards: CardSpans) -> list[Word]:
    """Return the words of an area with small cards; `number` is its index in the scene."""
    shown = _shown_tokens(area, number, cards)
    words = [cards.small(token, area, number) for token in shown]
    if shown and len(shown) < len(area.tokens):  # a pile of which only the last cards are shown
        words.insert(0, Word((Span(cards.glyphs.more, "note"),)))
    return cards.heading(area, number) + _spaced(words)


def large_cards(area: Area, number: int, cards: CardSpans, width: int) -> list[Line]:
    """Return lines of cards side by side: names, with details and marks beneath them."""
    if not area.tokens:
        return []
    cell = _cell_width(area, cards)
    # At least one: a terminal may be narrower than a card.
    in_line = max(1, (width - HAND_INDENT) // cell)
    lines: list[Line] = []
    for start in range(0, len(area.tokens), in_line):
        tokens = area.tokens[start : start + in_line]
        pairs = [_large_card(token, area, number, cards, cell) for token in tokens]
        for line in zip_longest(*pairs):
            # Games without details or marks save these lines of each row.
            if any(span.text.strip() for span in line):
                lines.append((Span(" " * HAND_INDENT), *line))
    return lines


def button_lines(
    legal: Mapping[Spot, tuple[int, ...]],
    labels: Labels,
    glyphs: Glyphs,
    width: int,
    *,
    numbered: bool,
) -> list[Line]:
    """Return the buttons for actions without a card, area or site: `[pass 2+1]`.

    With `numbered`, each has its number from 1 before it: `1[pass 2+1]`.
    """
    texts = {s: glyphs.text(labels.label(a[0])) for s, a in legal.items() if s.kind == "button"}
    numbers = count(1)
    blocks: list[Block] = []
    for verb, spots in _by_verb(texts).items():
        is_group = len(spots) >= GROUPED_BUTTONS and all(" " in texts[spot] for spot in spots)
        words = [Word((Span(verb, "caption"),), gap=2)] if is_group else []
        for spot in spots:
            label = texts[spot].partition(" ")[2] if is_group else texts[spot]
            number = str(next(numbers)) if numbered else ""
            # `bid 1 2 3` is pressed by the same digits; showing them twice would only confuse.
            number = "" if number == label else number
            words.append(_button(spot, number, clip(label, width - 6, glyphs.more), glyphs))
        blocks.append(words)
    return fill(blocks, width, indent=2)


def _shown_tokens(area: Area, number: int, cards: CardSpans) -> list[int]:
    if area.look == "count":
        return []
    start = len(area.tokens) - _pile_size(area, cards) if area.look == "pile" else 0
    # A legal card is shown wherever it lies: the cursor has to be able to reach it.
    legal = [t for t in area.tokens[:start] if cards.is_legal(Spot("card", t, number))]
    return [*legal, *area.tokens[start:]]


def _pile_size(area: Area, cards: CardSpans) -> int:
    """Return how many cards of a pile fit on its line, at least one."""
    room = PILE_CELLS
    for number, token in enumerate(reversed(area.tokens[-PILE_CARDS:])):
        room -= cells(cards.name(token, area.closed) + cards.small_mark(token)) + 1
        if room < 0:
            return max(1, number)
    return min(PILE_CARDS, len(area.tokens))


def _spaced(words: list[Word]) -> list[Word]:
    """Separate a run of backs from the faces and the caption beside it."""
    spaced = []
    before = 1
    for word in words:
        spaced.append(Word(word.spans, gap=max(before, word.gap)))
        before = word.gap
    return spaced


def _cell_width(area: Area, cards: CardSpans) -> int:
    names = max(cells(cards.name(token, area.closed)) for token in area.tokens)
    details = max(cells(cards.detail(token, area.closed)) for token in area.tokens)
    marks = max(cells(cards.mark(token)) for token in area.tokens)
    # Brackets around a name; a blank, the sign of change and a blank around a detail.
    return max(names + 2, details + 3, marks + 2)


def _large_card(
    token: int, area: Area, number: int, cards: CardSpans, width: int
) -> tuple[Span, Span, Span]:
    spot = Spot("card", token, number)
    name = cards.name(token, area.closed)
    name = cards.marked(name, True) if cards.is_legal(spot) else f" {name} "
    detail = " " + cards.detail(token, area.closed)
    if cards.is_changed(token):
        detail += cards.glyphs.changed
    role = cards.role(token, area.closed)
    return (
        cards.span(token, spot, pad(name, width), role, is_stop=True),
        cards.span(token, spot, pad(detail, width), "detail", is_stop=False),
        Span(pad(f" {cards.mark(token)}", width), "note", "", spot),
    )


def _by_verb(texts: Mapping[Spot, str]) -> dict[str, list[Spot]]:
    verbs: dict[str, list[Spot]] = {}
    for spot, label in texts.items():
        verbs.setdefault(label.partition(" ")[0], []).append(spot)
    return verbs


def _button(spot: Spot, number: str, label: str, glyphs: Glyphs) -> Word:
    opening, closing = glyphs.legal
    text = f"{opening}{label}{closing}"
    spans = (Span(text, "button", "", spot, is_stop=True, is_legal=True),)
    return Word((Span(number, "note", "", spot), *spans) if number else spans)
