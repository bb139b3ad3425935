"""Hearts: take tricks, but not the hearts."""

from cardhub import BotEntry, hookimpl
from hearts.game import Hearts
from hearts.rule_bot import Ducker

__all__ = ["Ducker", "Hearts"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "ducks, and throws what could hurt it", Ducker, ("hearts",))]
