"""A sheet as plain text: for pipes, files, tests and screen readers."""

from cardhub.text.flow import Word, fill
from cardhub.text.sheet import Line, Sheet, Span

WIDTH = 78


def render(sheet: Sheet, *, numbered: bool = False, width: int = WIDTH) -> str:
    """Return the table as text, lines without trailing blanks, the last one ended.

    With `numbered`, all legal actions follow with numbers from 1, instead of the buttons.
    """
    lines = list(sheet.lines)
    below = numbered_actions(sheet, width) if numbered else list(sheet.buttons)
    if below:
        lines += [(), *below]
    return "".join(_text(line) + "\n" for line in lines)


def numbered_actions(sheet: Sheet, width: int = WIDTH) -> list[Line]:
    """Return the legal actions as one types them, with their numbers, in aligned columns."""
    choices = [f"{n}. {name}" for n, name in enumerate(sheet.notations, 1)]
    column = max(map(len, choices), default=0)
    words = [Word((Span(choice.ljust(column)),), gap=2) for choice in choices]
    return fill([[word] for word in words], width)


def _text(line: Line) -> str:
    return "".join(span.text for span in line).rstrip()
