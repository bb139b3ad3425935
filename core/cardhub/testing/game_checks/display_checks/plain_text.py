"""The texts of a view that its plain text must contain."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from cardhub.view.text import Glyphs, prompt_text, table_lines
from cardhub.view.text.table_text import PILE_SHOWN
from cardhub.view.view import AreaView, CardCatalogue, CardView, GridView, View


def left_out(view: View, catalogue: CardCatalogue, width: int, glyphs: Glyphs) -> list[str]:
    """Return the texts of a view that its plain text of a width lacks, in reading order.

    A text of several areas or players must be there as many times; like cards of an area are named
    once.
    """
    glyphs = glyphs.with_suits(catalogue.ascii)
    lines = [*table_lines(view, catalogue, width, glyphs), glyphs.text(prompt_text(view))]
    # A line may be broken at any blank, and within a word that is wider than the terminal.
    text = _without_blanks("".join(lines))
    needed = Counter(_texts(view)) | Counter(set(_cards(view, catalogue)))
    counts = {part: text.count(_without_blanks(glyphs.text(part))) for part in needed if part}
    return [part for part, times in counts.items() if times < needed[part]]


def _texts(view: View) -> Iterator[str]:
    yield from (view.title, view.status)
    if not view.is_over:
        yield view.prompt
    for player in view.players:
        yield from (player.name, player.bot, player.score, *player.badges)
    for area in view.areas:
        yield _heading(area)
    for counter in view.counters:
        yield f"{counter.caption} {counter.value}"
    for tally in view.tallies:
        for row in tally.rows:
            yield f"{tally.caption} {row.label}"
            yield from (*row.notes, *map(str, row.counts))
    yield from (choice.name for choice in view.choices)


def _heading(area: AreaView | GridView) -> str:
    if isinstance(area, GridView):
        return area.caption
    if any(card.head or card.foot for card in area.cards):
        return f"{area.caption} 1:"  # its cards are listed one by one
    if not area.count and area.note:
        return f"{area.caption} {area.note}"
    return f"{area.caption} {area.note} {area.count}"


def _cards(view: View, catalogue: CardCatalogue) -> Iterator[str]:
    for area in view.areas:
        stacks = area.stacks if isinstance(area, GridView) else (_named(area),)
        for card in chain.from_iterable(stacks):
            yield from (card.mark, card.head, card.foot)
            if card.face is None:
                yield catalogue.backs[card.back].unknown
            else:
                yield catalogue.faces[card.face].label


def _named(area: AreaView) -> Sequence[CardView]:
    """Return the cards of an area that are named: not those deep in a pile."""
    if area.look == "pile" and not any(card.head or card.foot for card in area.cards):
        return area.cards[-PILE_SHOWN:]
    is_row_of_backs = area.look == "queue" and all(card.face is None for card in area.cards)
    return () if is_row_of_backs else area.cards


def _without_blanks(text: str) -> str:
    return "".join(text.split())
