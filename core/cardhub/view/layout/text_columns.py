"""Text in cells for every pane and screen: cut lines, rules and columns."""

from collections.abc import Sequence

from cardhub.view.layout.frame import Run, Style
from cardhub.view.text.glyphs import cells, clip, pad


def cut_lines(lines: Sequence[str], count: int, width: int, more: str) -> list[str]:
    """Return at most `count` lines; `more` at the end of the last one tells of further ones."""
    if len(lines) <= count:
        return list(lines)
    if count < 1:
        return []
    last = clip(f"{lines[count - 1]} {lines[count]}", width)
    return [*lines[: count - 1], clip(last, width - cells(more)).rstrip() + more]


def rule(width: int, left: str, right: str, line: str, style: Style) -> tuple[Run, ...]:
    """Return a line of exactly `width` cells with text at its left and right: `─ Bob ── 9 ─`."""
    head = [Run(line, style), *([Run(f" {left} ")] if left else [])]
    tail = [Run(f" {right} ", Style(is_bold=True)), Run(line, style)] if right else []
    if _width(head) + _width(tail) > width:
        tail = []
    between = Run(line * max(width - _width(head) - _width(tail), 0), style)
    return _cut([*head, between, *tail], width, Run(line, style))


def column(text: str, width: int, more: str = "", is_right: bool = False) -> str:
    """Return text of exactly `width` cells: cut with `more` at its end, or padded."""
    shown = clip(text, width, more)
    return " " * (width - cells(shown)) + shown if is_right else pad(shown, width)


def _width(runs: Sequence[Run]) -> int:
    return sum(cells(run.text) for run in runs)


def _cut(runs: Sequence[Run], width: int, filler: Run) -> tuple[Run, ...]:
    cut = []
    for text, style in runs:
        shown = clip(text, width)
        cut.append(Run(shown, style))
        width -= cells(shown)
    # Half of a wide character lacks room.
    return (*cut, filler) if width else tuple(cut)
