"""The ladder of card sizes: upgrades in a fixed order, each kept if it fits."""

from typing import NamedTuple

from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.regions.panes import PanePlan
from cardhub.view.layout.shape import Shape

S, M, L, XL = CardSize
# Blank columns at the left of the hand.
MARGIN = 1
# Cards of a hand of a usual deck, and the largest hand for which cards are no smaller.
USUAL_HAND, LARGE_HAND = 13, 16
# Columns of a pile of cards with borders, for its caption and count.
LEAST_PILE, WIDEST_PILE = 13, 28


class HandSizes(NamedTuple):
    """Sizes of the cards of a table, and the rows of its actions and of the detail."""

    hand: CardSize = S
    front: CardSize = S
    backs: CardSize = S
    site: CardSize = S
    centre: CardSize = S
    actions: int = 1
    detail: int = 2


def hand_sizes(shape: Shape, panes: PanePlan, largest: CardSize, controls: int) -> HandSizes:
    """Return the sizes for a table of hands: all in S, then each upgrade that fits."""
    sizes = HandSizes(actions=controls or 1, detail=0 if panes.has_pane else 2)
    room = panes.table.height
    if rows_of(shape, panes, sizes) > room and sizes.detail:
        sizes = sizes._replace(detail=1)
    for field, value in _upgrades(shape, controls):
        larger = HandSizes(**{**sizes._asdict(), field: value})
        is_allowed = max(larger.hand, larger.front) <= largest and _is_of_use(shape, larger)
        if is_allowed and _fits(shape, panes, larger):
            sizes = larger
    return sizes


def rows_of(shape: Shape, panes: PanePlan, sizes: HandSizes) -> int:
    """Return the rows that a table of hands needs between prompt bar and footer."""
    fronts = shape.sizes.heights[sizes.front] * (1 + (shape.seats > 1)) if shape.front else 0
    return (
        (not panes.has_pane)
        + others_rows(shape, sizes)
        + fronts
        + centre_rows(shape, sizes.centre)
        + 1
        + shape.own_row
        + hand_rows(shape, sizes.hand)
        + sizes.actions
        + sizes.detail
    )


def others_rows(shape: Shape, sizes: HandSizes) -> int:
    """Return the rows of the other seats: a line, and their hands below it.

    Backs with borders leave a row to other cards of the seat, if seats have such.
    """
    if shape.seats == 1:
        return 0
    return 1 + shape.sizes.heights[sizes.backs] + (sizes.backs > S and shape.own_row)


def centre_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of counters, text and piles; piles with borders stand beside each other.

    Those have a caption above and a note below.
    """
    piles = shape.piles if size == S else pile_rows(shape, size)
    return shape.counters + shape.lines + piles


def pile_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of piles of cards with borders."""
    return shape.sizes.heights[size] + 2


def hand_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of the hand: one more than its cards', as one card is raised."""
    if not shape.hand:
        return 0
    return shape.sizes.heights[size] + (size > S)


def _upgrades(shape: Shape, controls: int) -> list[tuple[str, CardSize | int]]:
    rows = [] if controls else [("actions", 2)]
    backs = [("backs", M)] if shape.seats == 2 else []
    # Only without cards before the seats are those of the centre where eyes meet.
    centre = [("centre", M)] if shape.piles and not shape.front else []
    # A card of a trick has its owner's name on it, and few buttons are shown besides.
    fronts = [("front", L), *rows] if shape.front == 1 else [*rows, ("front", L)]
    cards = [("hand", L), *backs, *centre, ("hand", XL), ("front", XL)]
    return [("hand", M), ("front", M), *fronts, *cards]


def _is_of_use(shape: Shape, sizes: HandSizes) -> bool:
    if (sizes.hand and not shape.hand) or (sizes.front and not shape.front):
        return False
    if XL in (sizes.hand, sizes.front) and not shape.sizes.is_largest_used:
        return False
    # Backs show nothing of their own: they never take more room than the hand.
    return sizes.backs <= sizes.hand


def _fits(shape: Shape, panes: PanePlan, sizes: HandSizes) -> bool:
    if rows_of(shape, panes, sizes) > panes.table.height:
        return False
    width = panes.table.width
    return (
        hand_width(shape, sizes.hand) <= width - MARGIN
        and _fronts_width(shape, sizes.front) <= width
        and (sizes.centre == S or pile_width(shape, width) >= _least_pile(shape, sizes.centre))
        and (sizes.backs == S or shape.hand * shape.sizes.widths[sizes.backs] <= width - MARGIN)
    )


def hand_width(shape: Shape, size: CardSize) -> int:
    """Return the least width of a full hand, with its cards overlapped where they may be.

    A room of a few cards more than a usual hand counts as one: all of them are seldom held.
    Names in a row of text are of many widths, and those that lack room are scrolled to.
    """
    sizes = shape.sizes
    if size == S:
        return 0
    cards = min(shape.hand, USUAL_HAND) if shape.hand <= LARGE_HAND else shape.hand
    return max(cards - 1, 0) * sizes.overlapped(size) + sizes.widths[size]


def pile_width(shape: Shape, width: int) -> int:
    """Return the columns of a pile of cards with borders, of all that the centre has."""
    return min(width // max(shape.piles, 1), WIDEST_PILE)


def _least_pile(shape: Shape, size: CardSize) -> int:
    return max(shape.sizes.widths[size] + 2, LEAST_PILE)


def _fronts_width(shape: Shape, size: CardSize) -> int:
    others = max(shape.seats - 1, 1)
    if size == S:
        return 0
    # A blank column parts the lanes.
    return others * (shape.front * shape.sizes.widths[size] + 1) - 1
