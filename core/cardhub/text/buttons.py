"""Buttons for the actions that point at nothing on the table."""

from collections.abc import Mapping
from itertools import count

from cardhub.hidden.naming import Naming
from cardhub.text.flow import Block, Word, fill
from cardhub.text.glyphs import Glyphs, clip
from cardhub.text.sheet import Line, Span, Spot

FEW = 3
"""From so many buttons of one verb on, the verb stands before them once."""


def button_lines(
    legal: Mapping[Spot, tuple[int, ...]],
    naming: Naming,
    glyphs: Glyphs,
    width: int,
    *,
    numbered: bool,
) -> list[Line]:
    """Return the lines of buttons, `[pass 2+1]`; numbered from 1 if asked for, `1[pass 2+1]`."""
    labels = {s: glyphs.text(naming.label(a[0])) for s, a in legal.items() if s.area < 0}
    numbers = count(1)
    blocks: list[Block] = []
    for verb, spots in _by_verb(labels).items():
        many = len(spots) >= FEW and all(" " in labels[spot] for spot in spots)
        words = [Word((Span(verb, "caption"),), gap=2)] if many else []
        for spot in spots:
            label = labels[spot].partition(" ")[2] if many else labels[spot]
            number = str(next(numbers)) if numbered else ""
            number = "" if number == label else number
            words.append(_button(spot, number, clip(label, width - 6, glyphs.more), glyphs))
        blocks.append(words)
    return fill(blocks, width, indent=2)


def _by_verb(labels: Mapping[Spot, str]) -> dict[str, list[Spot]]:
    verbs: dict[str, list[Spot]] = {}
    for spot, label in labels.items():
        verbs.setdefault(label.partition(" ")[0], []).append(spot)
    return verbs


def _button(spot: Spot, number: str, label: str, glyphs: Glyphs) -> Word:
    opening, closing = glyphs.legal
    text = f"{opening}{label}{closing}"
    spans = (Span(text, "button", "", spot, is_stop=True, is_legal=True),)
    if number:
        return Word((Span(number, "note", "", spot), *spans))
    return Word(spans)
