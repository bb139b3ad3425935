"""No-limit hold'em: Texas hold'em with any stakes."""

from cardhub import BotEntry, hookimpl
from holdem.game import Holdem
from holdem.rule_bot import PotPlayer

__all__ = ["Holdem", "PotPlayer"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "bets by the strength of its hand", PotPlayer, ("holdem",))]
