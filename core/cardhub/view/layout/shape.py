"""The shape of a game's table: its plan depends only on the shape and the terminal."""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from cardhub.view.text.glyphs import cells, wrapped
from cardhub.view.view import AreaView, CardCatalogue, CardFace, GridView, View

# Cells inside the smallest card with a border, and the most cells of a name.
PLAIN, NAMED = 4, 10
TITLE_INSIDE, TEXT_INSIDE = 11, 20
# Columns and rows of the cards with pictures, and what they grow by if they also have texts.
PICTURED, LARGE_PICTURED, WITH_TEXT = (14, 9), (20, 13), 4


class CardSize(IntEnum):
    """A size of cards: a row of text, three with borders and texts, and two with pictures."""

    S = 0
    M = 1
    L = 2
    XL = 3
    XXL = 4
    XXXL = 5


# Visible cells of an overlapped card: value and suit, and in large sizes half of the picture.
OVERLAPPED = {CardSize.M: 4, CardSize.L: 5, CardSize.XXL: 7, CardSize.XXXL: 10}


class CardSizes(NamedTuple):
    """Widths and heights of a game's cards by size.

    `is_named`: cards show names instead of values and suits, so they are never overlapped.
    `is_largest_used`: XL shows more than L.
    """

    widths: tuple[int, ...]
    heights: tuple[int, ...]
    is_named: bool
    is_largest_used: bool

    def overlapped(self, size: CardSize) -> int:
        """Return the smallest distance between overlapped cards at which all stay recognizable."""
        if self.is_named or size in (CardSize.S, CardSize.XL):
            return self.widths[size]
        return OVERLAPPED[size]


def sizes_of(catalogue: CardCatalogue) -> CardSizes:
    """Return the sizes of the cards of a game."""
    names = [face.short for face in catalogue.faces] + [back.unknown for back in catalogue.backs]
    corners = (cells(face.corner) for face in catalogue.faces)
    short, corner = max(map(cells, names), default=PLAIN), max(corners, default=0)
    # A corner that is not part of the name is an additional value.
    is_named = short > PLAIN or any(face.corner not in face.short for face in catalogue.faces)
    small = short + corner + 1 if is_named and corner else short
    has_texts = 2 * sum(bool(face.text) for face in catalogue.faces) > len(catalogue.faces)
    middle = min(max(short + is_named, PLAIN), NAMED)
    large = TITLE_INSIDE if is_named else PLAIN + 2
    largest = TEXT_INSIDE if has_texts else TITLE_INSIDE - 2
    (width, height), (larger_width, larger_height) = PICTURED, LARGE_PICTURED
    more = WITH_TEXT * has_texts
    return CardSizes(
        (
            small,
            middle + 2,
            large + 2,
            largest + 2,
            max(width, largest + 2),
            max(larger_width, largest + 2 + more),
        ),
        (1, 3, 5, 9 if has_texts else 7, height + more, larger_height + more),
        is_named,
        any(face.text or _is_long(face, large, is_named) for face in catalogue.faces),
    )


def _is_long(face: CardFace, inside: int, is_named: bool) -> bool:
    """Return whether a title needs more than the two lines that L has for it."""
    return is_named and len(wrapped(face.title, inside)) > 2


# Room for areas that declare none, in steps: a few cards more or less do not change the plan. More
# cards than a hand of an ordinary deck are drawn closer together.
USUAL_ROOMS = (1, 3, 5, 7, 13)


class BoardShape(NamedTuple):
    """Rows and columns of the grid."""

    rows: int
    columns: int


class Shape(NamedTuple):
    """The regions of a table, and the most cards in each.

    `front`: the most cards in front of a seat; `lines`: the lines of text in the centre; `piles`:
    the other areas of the centre; `columns`: the columns of cards, each of at most `column` cards;
    `own_row`: the viewer's seat has areas other than the hand; `has_rooms`: each hand, and each
    area in front of a seat, declares its room.
    """

    sizes: CardSizes
    seats: int
    hand: int
    front: int
    counters: bool
    lines: int
    piles: int
    own_row: bool
    has_rooms: bool
    board: BoardShape | None
    columns: int = 0
    column: int = 0


def shape_of(view: View, catalogue: CardCatalogue, earlier: Shape | None = None) -> Shape:
    """Return the shape of a view, never smaller than an earlier one of the same game."""
    central = _of(view, "centre")
    lines = sum(map(is_text, central))
    unowned = sum(area.seat is None for region in ("seat", "front") for area in _of(view, region))
    columns = [area for area in central if is_column(area)]
    shape = Shape(
        sizes=earlier.sizes if earlier else sizes_of(catalogue),
        seats=len(view.players),
        hand=_hand(view),
        front=max((_room(fronts) for fronts in _fronts(view)), default=0),
        counters=any(counter.seat is None for counter in view.counters),
        lines=lines,
        piles=len(central) - lines - len(columns) + unowned,
        own_row=any(area.seat == view.own for area in _of(view, "seat")),
        has_rooms=all(area.room for region in ("hand", "front") for area in _of(view, region)),
        board=_board(view),
        columns=len(columns),
        column=max((_room([area]) for area in columns), default=0),
    )
    return _grown(shape, earlier) if earlier else shape


def is_text(area: AreaView) -> bool:
    """Return whether an area is a line of text: it has neither a caption nor cards."""
    return bool(area.note) and not (area.caption.strip() or area.count or area.slots)


def is_column(area: AreaView) -> bool:
    """Return whether an area is drawn as a column; columns of seats are drawn as rows."""
    # The lanes of seats are too low.
    return area.look == "column" and area.region == "centre"


def areas_of(view: View, region: str) -> list[tuple[int, AreaView]]:
    """Return the areas of a region with their indexes.

    For a viewer without a seat, the hand of the bottom seat takes the region `hand`: the plan stays
    the same if a replay changes its viewer.
    """
    areas = [(n, area) for n, area in enumerate(view.areas) if isinstance(area, AreaView)]
    bottom_hand = None
    if region in ("hand", "seat") and not 0 <= view.viewer < len(view.players):
        bottom_hand = _bottom_hand(view, areas)
    if region == "hand":
        return [(n, area) for n, area in areas if area.region == region or n == bottom_hand]
    return [(n, area) for n, area in areas if area.region == region and n != bottom_hand]


def _bottom_hand(view: View, areas: Iterable[tuple[int, AreaView]]) -> int | None:
    own_areas = [(index, area) for index, area in areas if area.seat == view.own]
    if any(area.region == "hand" for _, area in own_areas):
        return None
    hands = (n for n, a in own_areas if a.region == "seat" and "hand" in (a.look, a.caption))
    return next(hands, None)


def _of(view: View, region: str) -> list[AreaView]:
    return [area for _, area in areas_of(view, region)]


def _fronts(view: View) -> list[list[AreaView]]:
    fronts = _of(view, "front")
    return [[area for area in fronts if area.seat == seat] for seat in range(len(view.players))]


def _room(areas: Iterable[AreaView]) -> int:
    return sum(area.room or _usual(max(area.places, area.slots)) for area in areas)


def _hand(view: View) -> int:
    """Return the room of the viewer's hands: the declared room, or that of the largest hand."""
    hands = _of(view, "hand")
    if not hands or all(area.room for area in hands):
        return _room(hands)
    others = (area.places for area in _of(view, "seat") if "hand" in (area.look, area.caption))
    return max(_room(hands), _usual(max(others, default=0)))


def _usual(count: int) -> int:
    return next((room for room in USUAL_ROOMS if room >= count), USUAL_ROOMS[-1])


def _board(view: View) -> BoardShape | None:
    for area in view.areas:
        if isinstance(area, GridView):
            return BoardShape(area.rows, area.columns)
    return None


def _grown(shape: Shape, earlier: Shape) -> Shape:
    return shape._replace(
        hand=max(shape.hand, earlier.hand),
        front=max(shape.front, earlier.front),
        counters=shape.counters or earlier.counters,
        lines=max(shape.lines, earlier.lines),
        piles=max(shape.piles, earlier.piles),
        own_row=shape.own_row or earlier.own_row,
        has_rooms=shape.has_rooms and earlier.has_rooms,
        board=shape.board or earlier.board,
        columns=max(shape.columns, earlier.columns),
        column=max(shape.column, earlier.column),
    )
