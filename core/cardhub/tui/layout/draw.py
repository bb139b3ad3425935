"""Drawing a view into a frame."""

from cardhub.text.glyphs import cells
from cardhub.tui.layout.canvas import Canvas
from cardhub.tui.layout.drawing.bars import draw_footer, draw_prompt
from cardhub.tui.layout.drawing.painter import NO_TEXTS, Painter, TableTexts
from cardhub.tui.layout.frame import Frame, Style
from cardhub.tui.layout.plan import LEAST_HEIGHT, LEAST_WIDTH, Plan
from cardhub.tui.layout.table_glyphs import COLOUR_TABLE, TableGlyphs
from cardhub.view.spots import Spot
from cardhub.view.view import CardCatalogue, View


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
    painter = Painter(canvas, view, catalogue, plan, texts, cursor, picked, glyphs)
    draw_prompt(painter)
    draw_footer(painter)
    return _frame(canvas)


def _frame(canvas: Canvas) -> Frame:
    return Frame(canvas.width, canvas.height, canvas.rows(), tuple(canvas.stops))


def _too_small(canvas: Canvas) -> None:
    lines = (
        f"terminal {canvas.width}x{canvas.height} is too small",
        f"fix: enlarge it to {LEAST_WIDTH}x{LEAST_HEIGHT},",
        "or leave with q and play with --plain",
    )
    for number, line in enumerate(lines):
        y = max((canvas.height - len(lines)) // 2, 0) + number
        canvas.write(max((canvas.width - cells(line)) // 2, 0), y, line, Style(is_bold=not number))
