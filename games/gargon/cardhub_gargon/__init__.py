"""Gargon: 3 to 5 magicians fight for amulets; the backs show the colours of all cards."""

from cardhub import BotEntry, hookimpl
from cardhub_gargon.game import Gargon
from cardhub_gargon.strategy.rule_bot import RuleOfThumb

__all__ = ["Gargon", "RuleOfThumb"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [
        BotEntry("rule", "counts colours and values, looks no further", RuleOfThumb, ("gargon",))
    ]
