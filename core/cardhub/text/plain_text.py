"""Plain text of a table: for pipes, files, tests and screen readers."""

from cardhub.text.sheet import Line, Sheet, Span
from cardhub.text.sheet_layout import WIDTH
from cardhub.text.wrapping import Word, fill
from cardhub.view.view import View


def render(sheet: Sheet, *, numbered: bool = False, width: int = WIDTH) -> str:
    """Return the table as a string; every line ends with a newline, none with a blank.

    With `numbered`, all legal actions follow with numbers from 1, instead of the buttons.
    """
    lines = list(sheet.lines)
    below = _numbered_actions(sheet, width) if numbered else list(sheet.buttons)
    if below:
        lines += [(), *below]
    # Blanks at the end of a line are only padding: they would differ in copied text and in tests.
    return "".join("".join(span.text for span in line).rstrip() + "\n" for line in lines)


def prompt_line(view: View) -> str:
    """Return the seat to act and the game's prompt for it, with the status in parentheses."""
    prompt = view.prompt + (f" ({view.status})" if view.status else "")
    if view.is_over:
        return "The game is over" + (f" ({view.status})" if view.status else "")
    if view.to_act < 0:
        return f"Chance: {prompt}"
    name = view.players[view.to_act].name
    who = f"Your turn, {name}" if view.to_act == view.viewer else f"Waiting for {name}"
    return f"{who}: {prompt}"


def _numbered_actions(sheet: Sheet, width: int) -> list[Line]:
    choices = [f"{n}. {name}" for n, name in enumerate(sheet.choices, 1)]
    column = max(map(len, choices), default=0)
    words = [Word((Span(choice.ljust(column)),), gap=2) for choice in choices]
    return fill([[word] for word in words], width)
