"""Gamon: Navy and Pirate lay cards face down, name a value, and cry Gamon on each other's lies."""

from cardhub import BotEntry, hookimpl
from cardhub_gamon.game import Gamon
from cardhub_gamon.strategy.rule_bot import RuleOfThumb

__all__ = ["Gamon", "RuleOfThumb"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "counts cards, bluffs now and then", RuleOfThumb, ("gamon",))]
