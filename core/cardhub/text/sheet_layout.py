"""The layout of a view: shared areas, the other players, then the viewer's own cards."""

from collections.abc import Iterable, Iterator

from cardhub.text.areas import large_cards, small_area
from cardhub.text.buttons import button_lines
from cardhub.text.cardspans import CardSpans
from cardhub.text.glyphs import UNICODE, Glyphs, cells, clip, pad
from cardhub.text.grid import grid_lines
from cardhub.text.sheet import Line, Sheet, Span
from cardhub.text.tallies import counter_words, tally_lines
from cardhub.text.wrapping import Block, Word, fill
from cardhub.view.spots import Spot
from cardhub.view.view import AreaView, CardCatalogue, GridView, View

WIDTH = 78
MAX_NAME = 12
SHARED_INDENT = 4

# An area with its index in the view.
NumberedArea = tuple[int, AreaView | GridView]


def lay_out(
    view: View,
    catalogue: CardCatalogue,
    width: int = WIDTH,
    glyphs: Glyphs = UNICODE,
    *,
    numbered: bool = False,
) -> Sheet:
    """Return the table as its viewer sees it, in lines of at most `width` cells where possible.

    `numbered` puts numbers before the buttons.
    """
    legal = view.legal_spots()
    cards = CardSpans(catalogue, glyphs, legal)
    return Sheet(
        prompt=glyphs.text(view.prompt),
        lines=tuple(_ViewLines(view, cards, width).lines()),
        buttons=tuple(button_lines(view.choices, glyphs, width, numbered=numbered)),
        legal=legal,
        choices={choice.name: choice.action for choice in view.choices},
    )


class _ViewLines:
    def __init__(self, view: View, cards: CardSpans, width: int) -> None:
        self._view = view
        self._cards = cards
        self._glyphs = cards.glyphs
        self._names = [
            clip(self._glyphs.text(player.name), MAX_NAME, self._glyphs.more)
            for player in view.players
        ]
        self._name_width = max(map(cells, self._names))
        self._width = width

    def lines(self) -> list[Line]:
        view = self._view
        groups = _by_seat(view.areas)
        shared = [line for area in groups.pop(None, ()) for line in self._shared(*area)]
        counters = [c for c in view.counters if c.seat is None]
        shared += fill([counter_words(c, self._glyphs) for c in counters], self._width)
        names = [player.name for player in view.players]
        for tally in view.tallies:
            shared += tally_lines(tally, names, self._glyphs, self._width)
        # The viewer's own cards come last, next to the buttons and the line for typing.
        seen = (seat for seat in groups if seat is not None)
        seats = dict.fromkeys([*seen, *range(len(names))])
        players = {seat: self._player(seat, groups.get(seat, [])) for seat in seats}
        own = players.pop(view.viewer, [])
        others = [line for lines in players.values() for line in lines]
        return _separated(part for part in (shared, others, own) if part)

    def _shared(self, number: int, area: AreaView | GridView) -> list[Line]:
        if isinstance(area, GridView):
            return grid_lines(area, number, self._cards, self._width)
        if area.look == "hand":
            heading = fill([self._cards.heading(area, number)], self._width, SHARED_INDENT)
            return heading + large_cards(area, number, self._cards, self._width)
        return fill([small_area(area, number, self._cards)], self._width, SHARED_INDENT)

    def _player(self, seat: int, areas: Iterable[NumberedArea]) -> list[Line]:
        """Return a player's name, score and small areas, and the large cards beneath."""
        blocks: list[Block] = [*self._seat_blocks(seat)]
        beneath: list[Line] = []
        for number, area in areas:
            if isinstance(area, AreaView) and area.look == "hand":
                blocks.append(self._cards.heading(area, number))
                beneath += large_cards(area, number, self._cards, self._width)
            elif isinstance(area, AreaView):
                blocks.append(small_area(area, number, self._cards))
        # A seat without anything to tell of needs no line, unless an action refers to it.
        if not blocks and not self._cards.is_legal(Spot("seat", seat)):
            return []
        bot = self._view.players[seat].bot
        told = [[Word((Span(self._glyphs.text(f"({bot})"), "note"),))]] if bot else []
        head = [[self._name(seat)], *told]
        return fill([*head, *blocks], self._width, self._name_width + 4) + beneath

    def _seat_blocks(self, seat: int) -> Iterator[Block]:
        """Yield the score, the badges and the counters of a seat."""
        player, text = self._view.players[seat], self._glyphs.text
        if player.score:
            yield [Word((Span(text(player.score), "caption"),), gap=2)]
        if player.badges:
            yield [Word((Span(text(", ".join(player.badges)), "note"),), gap=2)]
        for counter in self._view.counters:
            if counter.seat == seat:
                yield counter_words(counter, self._glyphs)

    def _name(self, seat: int) -> Word:
        name = pad(self._names[seat], self._name_width)
        mark = self._glyphs.to_act if seat == self._view.to_act else " "
        spot = Spot("seat", seat)
        is_legal = self._cards.is_legal(spot)
        player = Span(f" {name}", "player", "", spot, is_stop=is_legal, is_legal=is_legal)
        return Word((Span(mark, "note"), player), gap=0)


def _by_seat(areas: Iterable[AreaView | GridView]) -> dict[int | None, list[NumberedArea]]:
    groups: dict[int | None, list[NumberedArea]] = {}
    for number, area in enumerate(areas):
        seat = area.seat if isinstance(area, AreaView) else None
        groups.setdefault(seat, []).append((number, area))
    return groups


def _separated(parts: Iterable[list[Line]]) -> list[Line]:
    lines: list[Line] = []
    for part in parts:
        lines += [(), *part] if lines else part
    return lines
