"""Drawing a view into a frame: the viewer's seat and hand, the prompt bar, and the footer."""

from collections.abc import Callable, Sequence

from cardhub.view.layout.canvas import COLOUR_TABLE, Box, Canvas, Frame, Run, Style, TableGlyphs
from cardhub.view.layout.drawing.actions_row import draw_actions
from cardhub.view.layout.drawing.board_sites import draw_board, draw_side
from cardhub.view.layout.drawing.card_rows import (
    draw_large,
    draw_small,
    placed_cards,
    step_of,
)
from cardhub.view.layout.drawing.centre import draw_centre
from cardhub.view.layout.drawing.columns import draw_columns
from cardhub.view.layout.drawing.seat_lines import (
    draw_badges,
    draw_fronts,
    draw_others,
    draw_own_front,
    draw_seat_cards,
    draw_seat_line,
)
from cardhub.view.layout.drawing.table_painter import NO_TAG, NO_TEXTS, TablePainter, TableTexts
from cardhub.view.layout.drawing.texts_around import draw_texts
from cardhub.view.layout.plan import LEAST_HEIGHT, LEAST_WIDTH, MARGIN, Plan
from cardhub.view.layout.shape import CardSize
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.view import CardCatalogue, Spot, View


def draw_own_seat(painter: TablePainter) -> None:
    """Draw the line of the viewer's seat, and below it the seat's cards without the hand."""
    line, row = painter.plan.box("own_line"), painter.plan.box("own_row")
    badges: Sequence[str] = ()
    if line.height:
        badges = draw_seat_line(painter, painter.view.own, line, "own_line")
    if row.height:
        x = draw_seat_cards(painter, painter.view.own, row, "own_line", badges=badges)
        draw_badges(painter, badges, row._replace(x=x, width=row.x + row.width - x))


def draw_hand(painter: TablePainter) -> None:
    """Draw the hand from the left; the step between cards depends only on their number.

    If overlapped cards would not be recognizable, the hand is a row of text.
    """
    box, size = painter.plan.box("hand"), painter.plan.sizes.hand
    if not box.height:
        return
    cards = [
        card for index, area in painter.areas("hand") for card in placed_cards(index, area.cards)
    ]
    room = Box(box.x + MARGIN, box.y, box.width - MARGIN, box.height)
    sizes = painter.plan.shape.sizes
    least = sizes.overlapped(min(size, CardSize.L))
    step = step_of(len(cards), sizes.widths[size], room.width, least)
    if size >= CardSize.XXL and len(cards) > 1:
        # As much of each picture as the hand has room for.
        step = min((room.width - sizes.widths[size]) // (len(cards) - 1), sizes.widths[size] + 1)
        if step < least:
            size = CardSize.L
            step = step_of(len(cards), sizes.widths[size], room.width, least)
    if size is CardSize.S or (step < least and len(cards) > 1):
        draw_small(painter, cards, room._replace(y=room.y + (size > CardSize.S)), "hand", back=2)
        return
    draw_large(painter, cards, room, step, size, "hand")


# Least width of a terminal, in columns, that shows the phase trail.
TRAIL_FROM = 100
# What games write between the parts of a status: `round 1 · turn 2 of 3`.
STATUS_PARTS = " · "
# The most cells of a bot's spec after its name.
LONGEST_BOT = 20
BAR, BAR_BOLD, KEY = Style("bar"), Style("bar", is_bold=True), Style("key", is_bold=True)


def draw_prompt(painter: TablePainter) -> None:
    """Draw the player to act, the prompt, and at the right the phases and the status."""
    canvas, box = painter.canvas, painter.plan.box("prompt")
    canvas.fill(box, BAR)
    view = painter.view
    # A game's prompt need not know that it is over; that of a beat or a past step counts.
    prompt = painter.text("" if view.is_over and not painter.texts.turn else view.prompt)
    tag_style = (
        Style("turn", is_bold=True)
        if painter.texts.turn or view.is_over or _is_own_turn(painter)
        else BAR
    )
    x = canvas.write(box.x, box.y, _tag(painter, cells(prompt)), tag_style) + 1
    room = box.x + box.width - x - 1
    right = _right(painter, room - cells(prompt) - 2)
    width = sum(cells(run.text) for run in right)
    shown = clip(prompt, room - width if width else room + 1, painter.glyphs.more)
    is_beat = painter.texts.turn == NO_TAG
    style = tag_style if is_beat else BAR_BOLD if _is_own_turn(painter) else BAR
    canvas.write(x, box.y, shown, style)
    canvas.runs(box.x + box.width - 1 - width, box.y, right)


def draw_footer(painter: TablePainter) -> None:
    """Draw the keys; keys without effect are dimmed."""
    canvas, box = painter.canvas, painter.plan.box("footer")
    canvas.fill(box, BAR)
    x = box.x + 1
    for key, label, is_on in painter.texts.footer:
        text = painter.text(label)
        if x + cells(key) + 1 + cells(text) > box.x + box.width:
            break
        x = canvas.write(x, box.y, painter.text(key), KEY if is_on else Style("bar", is_faint=True))
        x = canvas.write(x + 1, box.y, text, Style("bar", is_faint=not is_on)) + 2


def _is_own_turn(painter: TablePainter) -> bool:
    view = painter.view
    return view.to_act == view.viewer >= 0


def _tag(painter: TablePainter, prompt: int) -> str:
    """Return the tag before a prompt, short if the prompt of `prompt` cells would be cut."""
    view, mark = painter.view, painter.glyphs.to_act
    if painter.texts.turn == NO_TAG:
        return mark
    if painter.texts.turn:
        return f"{mark} {painter.text(painter.texts.turn)} "
    if view.is_over:
        return f"{mark} GAME OVER "
    if view.to_act < 0:
        return "  dealing "
    if view.has_chosen:
        return "  WAITING "
    if _is_own_turn(painter) and painter.texts.says_you:
        tag = f"{mark} YOUR TURN "
        return tag if cells(tag) + 1 + prompt <= painter.plan.width else f"{mark} YOU "
    return f"{mark if _is_own_turn(painter) else ' '} {painter.text(_whose_turn(painter))} "


def _whose_turn(painter: TablePainter) -> str:
    player, busy = painter.view.players[painter.view.to_act], painter.texts.busy
    if not busy:
        return f"{player.name}'s turn"
    bot = f" ({clip(player.bot, LONGEST_BOT, painter.glyphs.more)})" if player.bot else ""
    return f"{player.name}{bot} {busy}"


def _right(painter: TablePainter, room: int) -> list[Run]:
    """Return the phases and the status as far as they fit; a long status loses its last parts."""
    status = painter.text(painter.view.status)
    while cells(status) > room and STATUS_PARTS in status:
        status = status.rpartition(STATUS_PARTS)[0]
    texts = [Run(status, BAR)] if status and cells(status) <= room else []
    trail = _trail(painter)
    width = sum(cells(run.text) for run in trail)
    if trail and width + (cells(status) + 4 if texts else 0) <= room:
        return [*trail, *([Run("    ", BAR)] if texts else []), *texts]
    return texts


def _trail(painter: TablePainter) -> list[Run]:
    phases = painter.view.phases
    if len(phases) < 2 or painter.plan.width < TRAIL_FROM:
        return []
    runs: list[Run] = []
    for phase in phases:
        style = Style("key", is_bold=True) if phase == painter.view.phase else BAR
        runs += [Run(f" {painter.glyphs.then} ", BAR)] if runs else []
        runs.append(Run(painter.text(phase), style))
    return runs


# In reading order, which is also the order of the stops.
HAND_REGIONS: Sequence[Callable[[TablePainter], None]] = (
    draw_prompt,
    draw_others,
    draw_fronts,
    draw_centre,
    draw_columns,
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
    """Return the drawn table; `picked`: the action to show if the cursor has several."""
    canvas = Canvas(plan.width, plan.height)
    if not plan.fits:
        _too_small(canvas)
        return _frame(canvas)
    painter = TablePainter(canvas, view, catalogue, plan, texts, cursor, picked, glyphs)
    for region in BOARD_REGIONS if plan.shape.board else HAND_REGIONS:
        region(painter)
    return _frame(canvas)


def _frame(canvas: Canvas) -> Frame:
    stops, logged = tuple(canvas.stops), canvas.logged
    return Frame(canvas.width, canvas.height, canvas.rows(), stops, logged, canvas.is_cut)


def _too_small(canvas: Canvas) -> None:
    lines = (
        f"terminal {canvas.width}x{canvas.height} is too small",
        f"Enlarge it to {LEAST_WIDTH}x{LEAST_HEIGHT},",
        "or leave with q and play with --plain",
    )
    for number, line in enumerate(lines):
        y = max((canvas.height - len(lines)) // 2, 0) + number
        canvas.write(max((canvas.width - cells(line)) // 2, 0), y, line, Style(is_bold=not number))
