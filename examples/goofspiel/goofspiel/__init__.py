"""Goofspiel: bid in secret for prize after prize."""

from cardhub import BotEntry, hookimpl
from goofspiel.game import Goofspiel
from goofspiel.rule_bot import Matcher

__all__ = ["Goofspiel", "Matcher"]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the rule-based bot."""
    return [BotEntry("rule", "bids about as high as the prize is worth", Matcher, ("goofspiel",))]
