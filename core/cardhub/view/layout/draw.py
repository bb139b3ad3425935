"""Drawing a view into a frame."""

from collections.abc import Callable, Sequence

from cardhub.view.layout.canvas import Canvas
from cardhub.view.layout.drawing.actions_row import draw_actions
from cardhub.view.layout.drawing.bars import draw_footer, draw_prompt
from cardhub.view.layout.drawing.board_side import draw_side
from cardhub.view.layout.drawing.board_sites import draw_board
from cardhub.view.layout.drawing.centre import draw_centre
from cardhub.view.layout.drawing.fronts import draw_fronts, draw_own_front
from cardhub.view.layout.drawing.own_seat import draw_hand, draw_own_seat
from cardhub.view.layout.drawing.seat_lines import draw_others
from cardhub.view.layout.drawing.table_painter import NO_TEXTS, TablePainter, TableTexts
from cardhub.view.layout.drawing.texts_around import draw_texts
from cardhub.view.layout.frame import Frame, Style
from cardhub.view.layout.plan import LEAST_HEIGHT, LEAST_WIDTH, Plan
from cardhub.view.layout.table_glyphs import COLOUR_TABLE, TableGlyphs
from cardhub.view.spots import Spot
from cardhub.view.text.glyphs import cells
from cardhub.view.view import CardCatalogue, View

# In reading order, which is that of the stops.
HAND_REGIONS: Sequence[Callable[[TablePainter], None]] = (
    draw_prompt,
    draw_others,
    draw_fronts,
    draw_centre,
    draw_own_front,
    draw_own_seat,
    draw_hand,
    draw_actions,
    draw_texts,
    draw_footer,
)
BOARD_REGIONS: Sequence[Callable[[TablePainter], None]] = (
    draw_prompt,
    draw_board,
    draw_hand,
    draw_actions,
    draw_side,
    draw_texts,
    draw_footer,
)


def draw(
    view: View,
    catalogue: CardCatalogue,
    plan: Plan,
    texts: TableTexts = NO_TEXTS,
    cursor: Spot | None = None,
    picked: int | None = None,
    glyphs: TableGlyphs = COLOUR_TABLE,
) -> Frame:
    """Return the drawn table; `picked` is the action shown of several at the cursor."""
    canvas = Canvas(plan.width, plan.height)
    if not plan.fits:
        _too_small(canvas)
        return _frame(canvas)
    painter = TablePainter(canvas, view, catalogue, plan, texts, cursor, picked, glyphs)
    for region in BOARD_REGIONS if plan.shape.board else HAND_REGIONS:
        region(painter)
    return _frame(canvas)


def _frame(canvas: Canvas) -> Frame:
    stops, logged = tuple(canvas.stops), tuple(canvas.logged)
    return Frame(canvas.width, canvas.height, canvas.rows(), stops, logged)


def _too_small(canvas: Canvas) -> None:
    lines = (
        f"terminal {canvas.width}x{canvas.height} is too small",
        f"fix: enlarge it to {LEAST_WIDTH}x{LEAST_HEIGHT},",
        "or leave with q and play with --plain",
    )
    for number, line in enumerate(lines):
        y = max((canvas.height - len(lines)) // 2, 0) + number
        canvas.write(max((canvas.width - cells(line)) // 2, 0), y, line, Style(is_bold=not number))
