"""Garner: two players collect suits from an open layout of stacks."""

from cardhub import BotEntry, hookimpl
from cardhub_garner.game import Garner
from cardhub_garner.strategy.rule_bot import RuleOfThumb

__all__ = ["Garner", "RuleOfThumb"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "gathers for the best collection this turn", RuleOfThumb, ("garner",))]
