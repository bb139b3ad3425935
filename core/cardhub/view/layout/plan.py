"""The plan of a table: the box of each region and the sizes of its cards.

A plan depends only on the terminal and the shape of the game's table: regions do not move and cards
keep their size during a game. In order: panes, card sizes and rows of a table of hands, tables with
a board, the boxes, the plan, and the check that a game's plan is stable.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from cardhub.view.layout.canvas import Box
from cardhub.view.layout.shape import BoardShape, CardSize, Shape, shape_of
from cardhub.view.view import CardCatalogue, View

# The table is never wider; the panes take the rest.
WIDEST_TABLE = 112
# Least columns of the terminal, and columns of the pane at the right.
RIGHT_PANES = ((160, 52), (118, 38), (100, 30))
LEFT_PANE, LEFT_PANE_FROM = 36, 160
# Two panes leave at least these columns to the table, as many as one pane on a terminal of 120.
LEAST_BETWEEN = 82
# Rows of the pane that describes the spot under the cursor, with its heading.
DETAIL_ROWS, MOST_DETAIL_ROWS = 7, 12


class PanePlan(NamedTuple):
    """Boxes of the prompt bar, the footer, the panes, and of the table between the two bars."""

    table: Box
    has_pane: bool
    regions: Mapping[str, Box]


def panes_of(width: int, height: int, has_log: bool) -> PanePlan:
    """Return the panes of a terminal."""
    left = LEFT_PANE if has_log and width >= LEFT_PANE_FROM else 0
    right = _right(width, left) if has_log else 0
    table = min(width - left - right, WIDEST_TABLE)
    if right:
        # Spare columns widen the right pane first, because sentences of the log are long.
        right = width - left - table
    # Without panes, the table is in the middle of a wide terminal.
    x = left or (width - table - right) // 2
    regions = {
        "prompt": Box(0, 0, width, 1),
        "footer": Box(0, height - 1, width, 1),
        **(_right_pane(width - right, right, height) if right else {}),
        **({"standing": Box(0, 1, left - 1, height - 2)} if left else {}),
    }
    return PanePlan(Box(x, 1, table, height - 2), right > 0, regions)


def _right(width: int, left: int) -> int:
    fitting = (
        pane
        for least, pane in RIGHT_PANES
        if width >= least and (not left or width - left - pane >= LEAST_BETWEEN)
    )
    return next(fitting, 0)


def _right_pane(x: int, width: int, height: int) -> dict[str, Box]:
    detail = min(max(DETAIL_ROWS, height // 4), MOST_DETAIL_ROWS)
    log = height - 2 - detail
    return {"log": Box(x, 1, width, log), "here": Box(x, 1 + log, width, detail)}


S, M, L, XL, XXL, XXXL = CardSize
# Blank columns at the left of the hand.
MARGIN = 1
# Cards of a hand of an ordinary deck, and the largest hand that gets the same card size.
USUAL_HAND, LARGE_HAND = 13, 16
# Columns of a pile of cards with borders, for its caption and count.
LEAST_PILE, WIDEST_PILE = 13, 28
# Cards of a column that a low terminal shows, and that larger cards leave room for; longer columns
# are compressed.
LEAST_COLUMN, USUAL_COLUMN = 6, 13


# Lines of the log above a table without panes; from these rows on they matter more than large cards
# in front of seats, which a row of text can stand for.
LOG_ROWS, LOG_FROM = 4, 22


class HandSizes(NamedTuple):
    """Sizes of a table's cards, and the rows of its actions, of the detail and of the news."""

    hand: CardSize = S
    front: CardSize = S
    backs: CardSize = S
    site: CardSize = S
    centre: CardSize = S
    column: CardSize = S
    actions: int = 1
    detail: int = 2
    news: int = 0


def hand_sizes(shape: Shape, panes: PanePlan, largest: CardSize, controls: int) -> HandSizes:
    """Return the sizes for a table of hands: begin with S, then apply each upgrade that fits."""
    alone = not panes.has_pane
    sizes = HandSizes(actions=controls or 1, detail=2 * alone, news=int(alone))
    room = panes.table.height
    if rows_of(shape, sizes) > room and sizes.detail:
        sizes = sizes._replace(detail=1)
    for field, value in _upgrades(shape, panes, controls):
        larger = HandSizes(**{**sizes._asdict(), field: value})
        is_allowed = max(larger.hand, larger.front) <= largest and _is_of_use(shape, larger)
        if is_allowed and _fits(shape, panes, larger):
            sizes = larger
    return sizes


def rows_of(shape: Shape, sizes: HandSizes) -> int:
    """Return the rows that a table of hands needs between prompt bar and footer."""
    fronts = shape.sizes.heights[sizes.front] * (1 + (shape.seats > 1)) if shape.front else 0
    return (
        sizes.news
        + others_rows(shape, sizes)
        + fronts
        + centre_rows(shape, sizes.centre)
        + least_column_rows(shape, sizes)
        + 1
        + shape.own_row
        + hand_rows(shape, sizes.hand)
        + sizes.actions
        + sizes.detail
    )


def others_rows(shape: Shape, sizes: HandSizes) -> int:
    """Return the rows of the other seats: a line, and their hands below it.

    Below backs with borders is a row for the seat's other cards, if seats have such areas.
    """
    if shape.seats == 1:
        return 0
    return 1 + shape.sizes.heights[sizes.backs] + (sizes.backs > S and shape.own_row)


def centre_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of counters, text and piles.

    Bordered piles share a row, each with a caption above and a note below.
    """
    piles = shape.piles if size == S else pile_rows(shape, size)
    return shape.counters + shape.lines + piles


def pile_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of piles of cards with borders."""
    return shape.sizes.heights[size] + 2


def column_rows(shape: Shape, size: CardSize, cards: int) -> int:
    """Return the rows of columns of `cards`: the captions, a row for each card, and the last one.

    No column needs more rows than its room.
    """
    return min(shape.column, cards) + shape.sizes.heights[size]


def least_column_rows(shape: Shape, sizes: HandSizes) -> int:
    """Return the rows that columns need; larger cards come after longer columns."""
    if not shape.columns:
        return 0
    is_large = sizes.column > M or sizes.centre > S
    return column_rows(shape, sizes.column, USUAL_COLUMN if is_large else LEAST_COLUMN)


def hand_rows(shape: Shape, size: CardSize) -> int:
    """Return the rows of the hand: its cards, and a row for the raised card."""
    if not shape.hand:
        return 0
    return shape.sizes.heights[size] + (size > S)


def _upgrades(shape: Shape, panes: PanePlan, controls: int) -> list[tuple[str, CardSize | int]]:
    # Columns use all rows that others leave.
    news = [] if panes.has_pane or shape.columns else [("news", LOG_ROWS)]
    rows = [] if controls else [("actions", 2)]
    backs = [("backs", M)] if shape.seats == 2 else []
    # The centre gets larger cards only if no cards are in front of the seats.
    centre = [("centre", M)] if shape.piles and not shape.front else []
    columns = [("column", size) for size in (M, L)] if shape.columns else []
    # A card of a trick shows its owner's name, and the table then has few buttons.
    fronts = [("front", L), *rows] if shape.front == 1 else [*rows, ("front", L)]
    cards = [("hand", L), *backs, *columns[1:], *centre, ("hand", XL), ("front", XL)]
    if shape.has_rooms:
        # Otherwise a few cards more could make the others smaller in the middle of a game.
        cards += [(field, size) for size in (XXL, XXXL) for field in ("front", "hand")]
    # Several cards in front of a seat, with their notes, do not fit a row of text.
    is_log_first = panes.table.height >= LOG_FROM and not (controls and shape.front > 1)
    first = [*news, ("front", M)] if is_log_first else [("front", M), *news]
    return [("hand", M), *columns[:1], *first, *fronts, *cards]


def _is_of_use(shape: Shape, sizes: HandSizes) -> bool:
    if (sizes.hand and not shape.hand) or (sizes.front and not shape.front):
        return False
    if XL in (sizes.hand, sizes.front) and not shape.sizes.is_largest_used:
        return False
    if sizes.front is XXXL and shape.hand and sizes.hand < XXL:
        return False  # the hand, which one chooses from, would look lost beside it
    # Backs carry no information, so they never take more room than the hand.
    return sizes.backs <= sizes.hand


def _fits(shape: Shape, panes: PanePlan, sizes: HandSizes) -> bool:
    if rows_of(shape, sizes) > panes.table.height:
        return False
    width = panes.table.width
    return (
        hand_width(shape, sizes.hand) <= width - MARGIN
        and _fronts_width(shape, sizes.front) <= width
        and (sizes.column == S or shape.sizes.widths[sizes.column] < column_width(shape, width))
        and (
            sizes.centre == S
            or pile_width(shape, width) >= max(shape.sizes.widths[sizes.centre] + 2, LEAST_PILE)
        )
        and (sizes.backs == S or shape.hand * shape.sizes.widths[sizes.backs] <= width - MARGIN)
    )


def hand_width(shape: Shape, size: CardSize) -> int:
    """Return the least width of a full hand, with overlapped cards if the size allows it.

    A room for slightly more cards than USUAL_HAND counts as USUAL_HAND, because it is seldom full.
    In size S the width is 0: a row of names scrolls.
    """
    sizes = shape.sizes
    if size == S:
        return 0
    cards = min(shape.hand, USUAL_HAND) if shape.hand <= LARGE_HAND else shape.hand
    return max(cards - 1, 0) * sizes.overlapped(size) + sizes.widths[size]


def pile_width(shape: Shape, width: int) -> int:
    """Return the cells of a bordered pile on a table of `width` cells."""
    return min(width // max(shape.piles, 1), WIDEST_PILE)


def column_width(shape: Shape, width: int) -> int:
    """Return the cells from a column of cards to the next one, on a table of `width` cells."""
    return min(width // max(shape.columns, 1), WIDEST_PILE)


def _fronts_width(shape: Shape, size: CardSize) -> int:
    others = max(shape.seats - 1, 1)
    if size == S:
        return 0
    # A blank column separates the lanes.
    return others * (shape.front * shape.sizes.widths[size] + 1) - 1


# Least columns of the terminal, and columns of the side; without a side, seats go below the board.
SIDES = ((160, 60), (100, 44), (70, 26))
# Rows of seats and tally below the board.
BELOW_ROWS = 3
# Columns of a terminal from which the side includes the detail.
DETAIL_BESIDE = 100
HERE_ROWS = 6
# Columns of the labels of rows.
LABELS = 4


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
    main = width - side
    y = 1 + room
    # News are shown only without a side, which has the log.
    news = 0 if side else 1
    boxes = {
        "prompt": Box(0, 0, width, 1),
        "news": Box(0, 1, width, news),
        "board": Box(0, 1 + news, main, room - hand - news),
        "hand": Box(0, y - hand, main, hand),
        "side": Box(main, 1, side, height - 2 - detail) if side else Box(0, y, width, BELOW_ROWS),
        "actions": Box(0, y + (0 if side else BELOW_ROWS), main, actions),
        "detail": Box(0, height - 1 - detail, width, detail),
        "footer": Box(0, height - 1, width, 1),
    }
    return sizes, {name: box for name, box in boxes.items() if box.height}


def site_width(shape: Shape, size: CardSize) -> int:
    """Return the cells of a site: its top card, and at the right the cards below it."""
    return shape.sizes.widths[size] + 1 + shape.sizes.widths[S]


def _sizes(shape: Shape, board: BoardShape, width: int, height: int) -> HandSizes:
    sizes = HandSizes()
    hands = (sizes._replace(hand=size) for size in (M, L)) if shape.hand else ()
    sites = (sizes._replace(site=size) for size in (M, L, XXL, XXXL))
    for larger in (*sites, *hands):
        larger = larger._replace(site=max(sizes.site, larger.site))
        rows = board.rows * shape.sizes.heights[larger.site] + 1 + hand_rows(shape, larger.hand)
        columns = LABELS + board.columns * site_width(shape, larger.site)
        across = max(columns, hand_width(shape, larger.hand) + MARGIN)
        if rows <= height and across <= width:
            sizes = larger
    return sizes


# Gaps that get spare rows, one row in turn; `inside`: a row above and a row below the centre, once.
OUTSIDE = ("actions", "above", "below", "prompt")
INSIDE = "inside"


def table_regions(shape: Shape, panes: PanePlan, sizes: HandSizes) -> dict[str, Box]:
    """Return the boxes of a table of hands between prompt bar and footer."""
    spare = max(panes.table.height - rows_of(shape, sizes), 0)
    centre = centre_rows(shape, sizes.centre)
    columns = least = least_column_rows(shape, sizes)
    if shape.columns:
        columns = min(least + spare, column_rows(shape, sizes.column, shape.column))
        spare -= columns - least
    gaps = gap_rows(spare, bool(shape.front and centre))
    front = shape.sizes.heights[sizes.front] if shape.front else 0
    rows = _Rows(panes.table)
    rows.add("news", sizes.news)
    rows.skip(gaps["prompt"])
    rows.add("others", others_rows(shape, sizes))
    rows.skip(gaps["above"])
    rows.add("fronts", front if shape.seats > 1 else 0)
    rows.skip(gaps[INSIDE])
    # A low terminal shows several piles in one row.
    lacking = max(rows_of(shape, sizes) - panes.table.height, 0)
    low = max(centre - lacking, min(centre, 1))
    rows.add("centre", low)
    rows.skip(gaps[INSIDE])
    rows.add("columns", columns - max(lacking - (centre - low), 0))
    rows.add("own_front", front)
    rows.skip(gaps["below"])
    rows.add("own_line", 1)
    rows.add("own_row", int(shape.own_row))
    rows.add("hand", hand_rows(shape, sizes.hand))
    rows.skip(gaps["actions"])
    rows.add("actions", sizes.actions)
    rows.add("detail", sizes.detail)
    return rows.boxes


def gap_rows(spare: int, has_inside: bool) -> dict[str, int]:
    """Distribute spare rows over the gaps of a table; return the rows of each gap."""
    gaps = dict.fromkeys((*OUTSIDE, INSIDE), 0)
    while spare:
        for gap in OUTSIDE:
            if spare:
                gaps[gap] += 1
                spare -= 1
        if has_inside and not gaps[INSIDE] and spare >= 2:
            gaps[INSIDE] = 1
            spare -= 2
    return gaps


class _Rows:
    """A column of boxes, each as wide as the table."""

    def __init__(self, table: Box) -> None:
        self.boxes: dict[str, Box] = {}
        self._table = table
        self._y = table.y

    def add(self, name: str, height: int) -> None:
        if height > 0:
            self.boxes[name] = Box(self._table.x, self._y, self._table.width, height)
            self._y += height

    def skip(self, rows: int) -> None:
        self._y += rows


# The smallest terminal with room for a table.
LEAST_WIDTH, LEAST_HEIGHT = 60, 20


class TerminalSize(NamedTuple):
    """Columns and rows of a terminal."""

    width: int
    height: int


class PlanOptions(NamedTuple):
    """Options of a plan, from a person's settings or a screen.

    `cards`: `small` cards are at most M, and `large` cards take the width of the panes. `has_log`:
    show panes next to the table if the terminal is wide enough. `controls`: the number of rows that
    the screen draws in the region `actions` instead of buttons, such as the timeline of a replay.
    """

    cards: Literal["auto", "small", "large"] = "auto"
    has_log: bool = True
    controls: int = 0


AUTO = PlanOptions()


class Plan(NamedTuple):
    """Boxes by region, and sizes of cards.

    The regions of a table are prompt, news, others, fronts, centre, columns, own_front, own_line,
    own_row, hand, actions, detail and footer; a table with a board has board and side; the panes
    are log, here and standing. `regions` lacks regions that the table does not have. If `fits` is
    False the terminal is too small and there are no regions. Hand, fronts, sites, columns and the
    backs of a single opponent have one card size each.
    """

    width: int
    height: int
    fits: bool
    shape: Shape
    sizes: HandSizes
    regions: Mapping[str, Box]

    def box(self, region: str) -> Box:
        """Return the box of a region, empty if the table does not have the region."""
        return self.regions.get(region, EMPTY)


EMPTY = Box(0, 0, 0, 0)


def plan_of(shape: Shape, size: TerminalSize, options: PlanOptions = AUTO) -> Plan:
    """Return the plan of a table on a terminal."""
    width, height = size
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return Plan(width, height, False, shape, HandSizes(), {})
    if shape.board:
        sizes, regions = board_regions(shape, shape.board, width, height, options.controls)
    else:
        has_log = options.has_log and options.cards != "large"
        sizes, regions = _hand_game(shape, panes_of(width, height, has_log), options)
        if has_log and sizes.hand is CardSize.S:
            # Readable cards matter more than a pane: in a row of text, names are cut.
            alone = _hand_game(shape, panes_of(width, height, False), options)
            sizes, regions = max((sizes, regions), alone, key=lambda plan: plan[0].hand)
    return Plan(width, height, True, shape, sizes, regions)


def _hand_game(
    shape: Shape, panes: PanePlan, options: PlanOptions
) -> tuple[HandSizes, Mapping[str, Box]]:
    largest = CardSize.M if options.cards == "small" else CardSize.XXXL
    sizes = hand_sizes(shape, panes, largest, options.controls)
    return sizes, {**panes.regions, **table_regions(shape, panes, sizes)}


# Terminal sizes that together reach each threshold of a plan.
CHECKED_SIZES = tuple(
    TerminalSize(*size) for size in ((60, 20), (80, 24), (100, 30), (120, 40), (200, 50))
)


def plan_changes(
    views: Iterable[View],
    catalogue: CardCatalogue,
    sizes: Iterable[TerminalSize] = CHECKED_SIZES,
) -> Iterator[tuple[int, TerminalSize, tuple[str, ...]]]:
    """Yield the changes of plan in one viewer's views of a game, which are in order.

    They are the number of the view, the size of the terminal, and the regions that differ from
    earlier views. A change is caused by an area without `room`, or by one that some positions lack.
    """
    shape: Shape | None = None
    plans: dict[TerminalSize, Plan] = {}
    for number, view in enumerate(views):
        shape, before = shape_of(view, catalogue, shape), shape
        if shape == before:
            continue
        for size in sizes:
            plan = plan_of(shape, size)
            regions = _differing(plans.setdefault(size, plan), plan)
            plans[size] = plan
            if regions:
                yield number, size, regions


def _differing(before: Plan, after: Plan) -> tuple[str, ...]:
    names = sorted({*before.regions, *after.regions})
    moved = [name for name in names if before.box(name) != after.box(name)]
    sizes = zip(before.sizes._fields, before.sizes, after.sizes, strict=True)
    resized = [f"size of {field}" for field, old, new in sizes if old != new]
    return (*moved, *resized)
