"""The buttons of actions without a card, area, site or seat as lines: `pass [2+1]`."""

from collections.abc import Sequence
from itertools import count

from cardhub.text.glyphs import Glyphs, clip
from cardhub.text.sheet import Line, Span
from cardhub.text.wrapping import Block, Word, fill
from cardhub.view.spots import Spot
from cardhub.view.view import ChoiceView

# Number of buttons with the same verb from which the verb is written once before them.
GROUPED_BUTTONS = 3


def button_lines(
    choices: Sequence[ChoiceView], glyphs: Glyphs, width: int, *, numbered: bool
) -> list[Line]:
    """Return the buttons of choices; with `numbered`, each has its number from 1 before it."""
    buttons = [choice for choice in choices if choice.spots[0].kind == "button"]
    by_verb: dict[str, list[ChoiceView]] = {}
    for choice in buttons:
        by_verb.setdefault(choice.verb, []).append(choice)
    numbers = count(1)
    blocks: list[Block] = []
    for verb, group in by_verb.items():
        is_grouped = len(group) >= GROUPED_BUTTONS and all(choice.object for choice in group)
        words = [Word((Span(glyphs.text(verb), "caption"),), gap=2)] if is_grouped else []
        for choice in group:
            text = choice.object if is_grouped else f"{choice.verb} {choice.object}".strip()
            label = glyphs.text(text)
            number = str(next(numbers)) if numbered else ""
            # `bid 1 2 3` is pressed by the same digits; showing them twice would only confuse.
            number = "" if number == label else number
            words.append(_button(choice, number, clip(label, width - 6, glyphs.more), glyphs))
        blocks.append(words)
    return fill(blocks, width, indent=2)


def _button(choice: ChoiceView, number: str, label: str, glyphs: Glyphs) -> Word:
    spot = Spot("button", choice.action)
    opening, closing = glyphs.legal
    text = f"{opening}{label}{closing}"
    spans = (Span(text, "button", "", spot, is_stop=True, is_legal=True),)
    return Word((Span(number, "note", "", spot), *spans) if number else spans)
