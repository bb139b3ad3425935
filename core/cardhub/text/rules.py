"""The rules of the game people are sitting at."""

from typing import Any

from cardhub.game.game import Game
from cardhub.table.settings import Settings, Value


def rules_here(game: Game[Any], settings: Settings) -> str:
    """Return the rules in Markdown, with the options as they are set at this table."""
    rules = game.rules().strip() + "\n"
    if not game.options:
        return rules
    lines = [f"- `{name}`: {_word(settings[name])}. {o.help}" for name, o in game.options.items()]
    return "\n".join([rules, "## Options at this table", "", *lines]) + "\n"


def _word(value: Value) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
