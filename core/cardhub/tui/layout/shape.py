"""The shape of a game's table: all that its plan depends on besides the terminal."""

from collections.abc import Iterable
from typing import NamedTuple

from cardhub.tui.layout.card_sizes import CardSizes, sizes_of
from cardhub.view.view import AreaView, CardCatalogue, GridView, View

# Rooms of areas that declare none, so that few cards more or less change no plan.
USUAL_ROOMS = (1, 3, 5, 7, 10, 13, 18, 26, 36, 52)


class BoardShape(NamedTuple):
    """Rows and columns of the grid."""

    rows: int
    columns: int


class Shape(NamedTuple):
    """Which regions a table has and how many cards they hold at most.

    `front` is the greatest number of cards in front of one seat; `piles` counts the rows of the
    centre; `own_row`: the viewer's seat shows areas besides the hand; `own_hands` counts its hands;
    `tally` counts the rows of all tallies with their headings.
    """

    sizes: CardSizes
    seats: int
    hand: int
    front: int
    counters: bool
    piles: int
    own_row: bool
    own_hands: int
    tally: int
    board: BoardShape | None


def shape_of(view: View, catalogue: CardCatalogue, earlier: Shape | None = None) -> Shape:
    """Return the shape of a view, never smaller than an earlier one of the same game."""
    shape = Shape(
        sizes=earlier.sizes if earlier else sizes_of(catalogue),
        seats=len(view.players),
        hand=_room(_of(view, "hand")),
        front=max((_room(fronts) for fronts in _fronts(view)), default=0),
        counters=any(counter.seat is None for counter in view.counters),
        piles=len(_of(view, "centre")) + _unowned(view),
        own_row=any(area.seat == view.own for area in _of(view, "seat")),
        own_hands=len(_of(view, "hand")),
        tally=sum(len(tally.rows) + 1 for tally in view.tallies),
        board=_board(view),
    )
    return _grown(shape, earlier) if earlier else shape


def _of(view: View, region: str) -> list[AreaView]:
    areas = (area for area in view.areas if isinstance(area, AreaView))
    return [area for area in areas if area.region == region]


def _unowned(view: View) -> int:
    """Return how many areas of seats belong to none: they lie in the centre."""
    return sum(area.seat is None for region in ("seat", "front") for area in _of(view, region))


def _fronts(view: View) -> list[list[AreaView]]:
    fronts = _of(view, "front")
    return [[area for area in fronts if area.seat == seat] for seat in range(len(view.players))]


def _room(areas: Iterable[AreaView]) -> int:
    return sum(area.room or _usual(max(area.count, area.slots)) for area in areas)


def _usual(count: int) -> int:
    return next((room for room in USUAL_ROOMS if room >= count), count)


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
        piles=max(shape.piles, earlier.piles),
        own_row=shape.own_row or earlier.own_row,
        own_hands=max(shape.own_hands, earlier.own_hands),
        tally=max(shape.tally, earlier.tally),
        board=shape.board or earlier.board,
    )
