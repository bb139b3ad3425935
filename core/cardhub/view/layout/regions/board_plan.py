"""The regions of a table with a board: the board at the left, all else beside or below it."""

from collections.abc import Mapping

from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.frame import Box
from cardhub.view.layout.regions.ladder import MARGIN, HandSizes, hand_rows, hand_width
from cardhub.view.layout.shape import BoardShape, Shape

# Least columns of the terminal, and columns of the side; without a side, seats lie below the board.
SIDES = ((160, 60), (100, 44), (70, 26))
# Rows of seats and tally below the board.
BELOW_ROWS = 3
# From here on the side has room for the detail as well.
DETAIL_BESIDE = 100
HERE_ROWS = 6
# Columns of the labels of rows.
LABELS = 4
S, M, L, XL = CardSize


def board_regions(
    shape: Shape, board: BoardShape, width: int, height: int, controls: int
) -> tuple[HandSizes, Mapping[str, Box]]:
    """Return the sizes of cards and the boxes of a table with a board."""
    side = next((columns for least, columns in SIDES if width >= least), 0)
    detail = 0 if width >= DETAIL_BESIDE else 2
    actions = controls or 1
    room = height - 2 - detail - actions - (0 if side else BELOW_ROWS)
    sizes = _sizes(shape, board, width - side, room - (not side))
    sizes = sizes._replace(actions=actions, detail=detail)
    hand = hand_rows(shape, sizes.hand)
    left = width - side
    y = 1 + room
    # Without a side there is no log.
    news = 0 if side else 1
    boxes = {
        "prompt": Box(0, 0, width, 1),
        "news": Box(0, 1, width, news),
        "board": Box(0, 1 + news, left, room - hand - news),
        "hand": Box(0, y - hand, left, hand),
        "side": Box(left, 1, side, height - 2 - detail) if side else Box(0, y, width, BELOW_ROWS),
        "actions": Box(0, y + (0 if side else BELOW_ROWS), left, actions),
        "detail": Box(0, height - 1 - detail, width, detail),
        "footer": Box(0, height - 1, width, 1),
    }
    return sizes, {name: box for name, box in boxes.items() if box.height}


def site_width(shape: Shape, size: CardSize) -> int:
    """Return the cells of a site: its top card, and the cards below it at the right."""
    return shape.sizes.widths[size] + 1 + shape.sizes.widths[S]


def _sizes(shape: Shape, board: BoardShape, width: int, height: int) -> HandSizes:
    sizes = HandSizes()
    hands = (sizes._replace(hand=size) for size in (M, L)) if shape.hand else ()
    for larger in (sizes._replace(site=M), sizes._replace(site=L), *hands):
        larger = larger._replace(site=max(sizes.site, larger.site))
        rows = board.rows * shape.sizes.heights[larger.site] + 1 + hand_rows(shape, larger.hand)
        columns = LABELS + board.columns * site_width(shape, larger.site)
        across = max(columns, hand_width(shape, larger.hand) + MARGIN)
        if rows <= height and across <= width:
            sizes = larger
    return sizes
