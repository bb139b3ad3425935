"""The rows of buttons: actions without a spot on the table."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from cardhub.view.layout.buttons import NumberedButton, numbered
from cardhub.view.layout.canvas import Box, Run, Style
from cardhub.view.layout.drawing.table_painter import TablePainter
from cardhub.view.text.glyphs import cells
from cardhub.view.view import Spot


class _Piece(NamedTuple):
    """A part of a row: a button, or the verb before several buttons."""

    runs: Sequence[Run]
    spot: Spot | None

    @property
    def width(self) -> int:
        return sum(cells(run.text) for run in self.runs)


def draw_actions(painter: TablePainter) -> None:
    """Draw the numbered buttons in their rows, or the rows that the screen draws instead.

    If the buttons do not fit, only the rows around the cursor are drawn; buttons in other rows get
    stops without height, above or below.
    """
    box = painter.plan.box("actions")
    if painter.texts.controls:
        for number, runs in enumerate(painter.texts.controls[: box.height]):
            painter.canvas.runs(box.x, box.y + number, runs, box.width)
        return
    lines = _lines(_pieces(painter), box.width - 3)
    at = next((n for n, line in enumerate(lines) if _has(line, painter.cursor)), 0)
    first = max(min(at - box.height + 1, len(lines) - box.height), 0)
    for number, line in enumerate(lines):
        _draw_line(painter, line, box, number - first)
    if first:
        _more(painter, box, box.y)
    if first + box.height < len(lines):
        _more(painter, box, box.y + box.height - 1)


def _pieces(painter: TablePainter) -> list[_Piece]:
    """Return the buttons; several buttons of one verb share the verb before them."""
    pieces = []
    for verb, group in groupby(numbered(painter.view), lambda button: button.choice.verb):
        buttons = list(group)
        is_joined = len(buttons) > 1 and all(button.choice.object for button in buttons)
        if is_joined:
            pieces.append(_Piece([Run(f"{painter.text(verb)} ", Style("muted"))], None))
        pieces += [_button(painter, button, is_joined) for button in buttons]
    return pieces


def _button(painter: TablePainter, button: NumberedButton, is_joined: bool) -> _Piece:
    choice = button.choice
    spot = choice.spots[0]
    is_heavy = painter.is_heavy(spot)
    label = choice.object if is_joined else f"{choice.verb} {choice.object}".strip()
    key = "" if button.number is None else str(button.number)
    is_number = button.is_labelled and (is_joined or not choice.object)
    label = "" if is_number else painter.text(label)
    return _Piece(_runs(painter, key, label, is_heavy), spot)


def _runs(painter: TablePainter, key: str, label: str, is_heavy: bool) -> list[Run]:
    """Return a button as text: ` 1) pass `, or ` [1] pass ` on terminals without backgrounds.

    Signs around the key keep people from reading it as an amount: `2) call 1`.
    """
    style = Style("turn" if is_heavy else "button", is_bold=True, is_heavy=is_heavy)
    of_key = style if is_heavy else style._replace(role="key")
    if painter.glyphs.has_brackets:
        begin, end = painter.glyphs.to_act if is_heavy else " ", ""
        key = f"[{key}]" if key else ""
        label = label if key else f"[{label}]"
    else:
        begin, end = "[]" if is_heavy else "  "
        key = f"{key})" if key and label else key
    gap = " " if key and label else ""
    return [Run(begin, style), Run(key, of_key), Run(gap + label, style), Run(end, style)]


def _lines(pieces: Sequence[_Piece], width: int) -> list[list[_Piece]]:
    lines: list[list[_Piece]] = [[]]
    used = 0
    for piece in pieces:
        if lines[-1] and used + piece.width > width:
            lines.append([])
            used = 0
        lines[-1].append(piece)
        used += piece.width + 1
    return lines


def _has(line: Sequence[_Piece], spot: Spot | None) -> bool:
    return spot is not None and any(piece.spot == spot for piece in line)


def _draw_line(painter: TablePainter, line: Sequence[_Piece], box: Box, row: int) -> None:
    is_shown = 0 <= row < box.height
    y = box.y + min(max(row, 0), box.height)
    x = box.x + 1
    for piece in line:
        width = min(piece.width, box.x + box.width - x)
        if is_shown:
            painter.canvas.runs(x, y, piece.runs, width)
        if piece.spot:
            painter.stop(piece.spot, Box(x, y, width, int(is_shown)), "actions")
        x += width + 1


def _more(painter: TablePainter, box: Box, y: int) -> None:
    painter.canvas.write(box.x + box.width - 1, y, painter.glyphs.more, Style("muted"))
