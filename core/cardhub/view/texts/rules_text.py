"""The rules of a game, with the options in use."""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.table.settings import Option, Settings, Value


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


def _value(option: Option, value: Value, seats: int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value} ({option.describe(seats)})"
