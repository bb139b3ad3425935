"""Leduc poker: six cards, two rounds of betting."""

from cardhub import BotEntry, hookimpl
from leduc.game import Leduc
from leduc.rule_bot import Gambler

__all__ = ["Gambler", "Leduc"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "plays good cards hard, bluffs now and then", Gambler, ("leduc",))]
