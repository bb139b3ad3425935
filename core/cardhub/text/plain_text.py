"""Plain text of a table: for pipes, files, tests and screen readers."""

from collections.abc import Sequence
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.observation import Observation
from cardhub.table.settings import Option, Settings, Value
from cardhub.table.state import CHANCE, OVER
from cardhub.text.sheet import Line, Sheet, Span
from cardhub.text.wrapping import Word, fill

WIDTH = 78


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


def prompt_line(observation: Observation[Any], players: Sequence[str], prompt: str) -> str:
    """Return the seat to act and the game's prompt for it; `players` are names by seat."""
    seat = observation.state.seat
    if seat == OVER:
        return "The game is over"
    if seat == CHANCE:
        return f"Chance: {prompt}"
    if seat == observation.seat:
        return f"Your turn, {players[seat]}: {prompt}"
    return f"Waiting for {players[seat]}: {prompt}"


def rules_with_options(game: Game[Any], settings: Settings, seats: int) -> str:
    """Return the rules in Markdown, followed by the options with their values in this game.

    Each option has its possible values at a table of `seats`.
    """
    rules = game.rules().strip() + "\n"
    if not game.options:
        return rules
    lines = [
        f"- `{name}`: {_value(option, settings[name], seats)}. {option.help}"
        for name, option in game.options.items()
    ]
    return "\n".join([rules, "## Options at this table", "", *lines]) + "\n"


def _numbered_actions(sheet: Sheet, width: int) -> list[Line]:
    choices = [f"{n}. {name}" for n, name in enumerate(sheet.choices, 1)]
    column = max(map(len, choices), default=0)
    words = [Word((Span(choice.ljust(column)),), gap=2) for choice in choices]
    return fill([[word] for word in words], width)


def _value(option: Option, value: Value, seats: int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value} ({option.describe(seats)})"
