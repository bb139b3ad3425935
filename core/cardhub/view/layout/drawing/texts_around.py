"""The texts around the table: news, detail, log, standing and unseen cards."""

from collections.abc import Sequence

from cardhub.view.layout.canvas import Box, Run, Style, column, cut_lines
from cardhub.view.layout.drawing.seat_lines import badges_of, hand_of
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells, clip, wrapped
from cardhub.view.view import LogLine

MUTED, BOLD = Style("muted"), Style(is_bold=True)
# Columns before the text of the log, with the marks of new lines.
LOG_INDENT = 4
# Stands for the title while the text behind it is filled into lines.
FILLER = "\ue000"
# The key that opens a whole detail.
READ_ALL = "e"


def draw_texts(painter: TablePainter) -> None:
    """Draw each text region of the plan."""
    for name, draw in (
        ("news", _draw_news),
        ("detail", _draw_detail),
        ("here", draw_here),
        ("log", draw_log),
        ("standing", _draw_standing),
    ):
        box = painter.plan.box(name)
        if box.height:
            draw(painter, box)


def draw_heading(painter: TablePainter, box: Box, text: str) -> None:
    """Draw the heading of a pane."""
    line = painter.glyphs.light.line
    start = painter.canvas.write(box.x + 1, box.y, line * 2, Style("line"))
    start = painter.canvas.write(start, box.y, f" {text} ", MUTED)
    painter.canvas.write(start, box.y, line * (box.x + box.width - 1 - start), Style("line"))


def draw_here(painter: TablePainter, box: Box) -> None:
    """Draw the pane of the detail: its title, and as much of its text as fits."""
    draw_heading(painter, box, "here")
    width = box.width - 3
    title = cut_lines(wrapped(painter.text(painter.texts.title), width), 2, width, "")
    for number, line in enumerate(title):
        painter.canvas.write(box.x + 2, box.y + 1 + number, line, BOLD)
    used = 1 + (len(title) if painter.texts.title else 0)
    room = Box(box.x + 2, box.y + used, width, box.height - used)
    lines = wrapped(painter.text(painter.texts.detail), width)
    painter.canvas.is_cut = len(lines) > room.height
    _write(painter, room, lines)


def draw_log(painter: TablePainter, box: Box) -> None:
    """Draw the pane of the log."""
    draw_heading(painter, box, "log")
    _draw_newest(painter, box._replace(y=box.y + 1, height=box.height - 1))


def _draw_newest(painter: TablePainter, box: Box) -> None:
    """Draw the newest lines of the log at the bottom, or lines `scroll` rows before them."""
    rows, scroll = box.height, painter.texts.scroll
    shown: list[tuple[str, LogLine]] = []
    for line in reversed(painter.texts.log):
        if len(shown) >= rows + scroll:
            break
        texts = wrapped(painter.text(line.text), box.width - LOG_INDENT - 1)
        shown += [(text, line) for text in reversed(texts[1:])]
        shown.append((("\n" + texts[0]), line))
    shown = shown[max(min(scroll, len(shown) - rows), 0) :][:rows]
    for number, (text, line) in enumerate(reversed(shown)):
        _draw_log_line(painter, Box(box.x, box.y + number, box.width, 1), text, line)


def _draw_log_line(painter: TablePainter, box: Box, text: str, line: LogLine) -> None:
    painter.canvas.logged[box] = line.step
    # A line break marks the first line of a sentence.
    if line.is_new and text.startswith("\n"):
        painter.canvas.write(box.x + 2, box.y, painter.glyphs.new, Style("accent"))
    style = Style() if line.is_new else MUTED
    painter.canvas.write(box.x + LOG_INDENT, box.y, text.lstrip("\n"), style)


def _draw_news(painter: TablePainter, box: Box) -> None:
    """Draw the newest lines of the log, or in a single row the news without line breaks."""
    if box.height > 1:
        _draw_newest(painter, box)
    elif painter.texts.news:
        painter.canvas.write(box.x + 1, box.y, painter.glyphs.new, Style("accent"))
        text = clip(painter.text(painter.texts.news), box.width - 4, painter.glyphs.more)
        painter.canvas.write(box.x + 3, box.y, text, MUTED)


def _draw_detail(painter: TablePainter, box: Box) -> None:
    """Draw the title and the text after it; a cut text ends with the key that opens it all."""
    width = box.width - 2
    title = clip(painter.text(painter.texts.title), width - 1, painter.glyphs.more)
    # A word as wide as the title and a blank reserves the title's place in the first line.
    indent = FILLER * (cells(title) + 1) if title else ""
    lines = wrapped(f"{indent} {painter.text(painter.texts.detail)}".lstrip(" "), width)
    more = f"{painter.glyphs.more} {READ_ALL}"
    painter.canvas.is_cut = len(lines) > box.height
    for number, line in enumerate(cut_lines(lines, box.height, width, more)):
        runs = [Run(title if indent and not number else "", BOLD)]
        rest = line.lstrip(FILLER)
        runs.append(Run(f" {rest}" if runs[0].text else rest, MUTED))
        painter.canvas.runs(box.x + 1, box.y + number, runs, width)


def _write(painter: TablePainter, box: Box, lines: Sequence[str]) -> None:
    more = f"{painter.glyphs.more} {READ_ALL}"
    for number, line in enumerate(cut_lines(lines, box.height, box.width, more)):
        painter.canvas.write(box.x, box.y + number, line, MUTED)


def _draw_standing(painter: TablePainter, box: Box) -> None:
    draw_heading(painter, box, "standing")
    y = box.y + 1
    for seat in [*painter.others(), painter.view.own]:
        y = _draw_seat(painter, seat, Box(box.x, y, box.width, box.y + box.height - y)) + 1
    if painter.texts.unseen and y + 1 < box.y + box.height:
        draw_heading(painter, Box(box.x, y, box.width, 1), "not seen yet (s hides)")
        room = Box(box.x + 2, y + 1, box.width - 3, box.y + box.height - y - 1)
        lines = [
            line
            for text in painter.texts.unseen
            for line in wrapped(painter.text(text), room.width)
        ]
        _write(painter, room, lines)


def _draw_seat(painter: TablePainter, seat: int, box: Box) -> int:
    """Draw a seat of the standing; return the row after it."""
    player, width = painter.view.players[seat], box.width - 3
    is_own = seat == painter.view.viewer and painter.texts.says_you
    name = painter.text(player.name) + (" (you)" if is_own else "")
    role = Style("accent", is_bold=True) if seat == painter.view.to_act else BOLD
    score = painter.text(player.score)
    name = column(name, max(width - cells(score) - 1, 1), painter.glyphs.more)
    hands = [f"hand {area.count}" for _, area in painter.areas("hand", seat)]
    hand = hand_of(painter, seat)
    hands += [
        f"{area.caption or 'hand'} {area.count}"
        for n, area in painter.areas("seat", seat)
        if n == hand
    ]
    # A badge may have the number of the same cards.
    distinct = dict.fromkeys([*badges_of(painter, seat), *hands[:1]])
    facts = f" {painter.glyphs.apart} ".join(distinct)
    lines = wrapped(facts, width - 2) if facts else []
    lines += [painter.text(f"bot {player.bot}")] if player.bot else []
    rows = [(0, name, role), *((2, line, MUTED) for line in lines)][: max(box.height, 0)]
    for number, (indent, text, style) in enumerate(rows):
        painter.canvas.write(box.x + 2 + indent, box.y + number, clip(text, width - indent), style)
    if rows:
        painter.canvas.write(box.x + 2 + width - cells(score), box.y, score, BOLD)
    return box.y + len(rows)
