"""The prompt bar and the footer."""

from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.layout.frame import Run, Style
from cardhub.view.text.glyphs import cells, clip

# Least width of a terminal, in columns, that shows the phase trail.
TRAIL_FROM = 100
# Cells of a bot's spec beside its name.
LONGEST_BOT = 20
BAR, BAR_BOLD, KEY = Style("bar"), Style("bar", is_bold=True), Style("key", is_bold=True)


def draw_prompt(painter: TablePainter) -> None:
    """Draw whose turn it is, the prompt, and at the right the phases and the status."""
    canvas, box = painter.canvas, painter.plan.box("prompt")
    canvas.fill(box, BAR)
    prompt = painter.text(painter.view.prompt)
    x = canvas.write(box.x, box.y, _tag(painter, cells(prompt)), _tag_style(painter)) + 1
    room = box.x + box.width - x - 1
    right = _right(painter, room - cells(prompt) - 2)
    width = sum(cells(run.text) for run in right)
    shown = clip(prompt, room - width if width else room + 1, painter.glyphs.more)
    canvas.write(x, box.y, shown, BAR_BOLD if _is_own_turn(painter) else BAR)
    canvas.runs(box.x + box.width - 1 - width, box.y, right)


def draw_footer(painter: TablePainter) -> None:
    """Draw the keys that work now, others dimmed."""
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
    """Return the tag before a prompt of this width in cells: short where that would be cut."""
    view, mark = painter.view, painter.glyphs.to_act
    if painter.texts.turn:
        return f"{mark} {painter.text(painter.texts.turn)} "
    if view.is_over:
        return f"{mark} GAME OVER "
    if view.to_act < 0:
        return "  dealing "
    if _is_own_turn(painter) and painter.texts.says_you:
        tag = f"{mark} YOUR TURN "
        return tag if cells(tag) + 1 + prompt <= painter.plan.width else f"{mark} YOU "
    return f"{mark if _is_own_turn(painter) else ' '} {painter.text(_whose_turn(painter))} "


def _whose_turn(painter: TablePainter) -> str:
    player, busy = painter.view.players[painter.view.to_act], painter.texts.busy
    if not busy:
        return f"{player.name}’s turn"
    bot = f" ({clip(player.bot, LONGEST_BOT, painter.glyphs.more)})" if player.bot else ""
    return f"{player.name}{bot} {busy}"


def _tag_style(painter: TablePainter) -> Style:
    if painter.texts.turn or painter.view.is_over or _is_own_turn(painter):
        return Style("turn", is_bold=True)
    return BAR


def _right(painter: TablePainter, room: int) -> list[Run]:
    """Return the phases and the status, without those that lack room."""
    status = painter.text(painter.view.status)
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
