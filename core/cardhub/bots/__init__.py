"""Bots: players that choose from what their seat may know."""

from cardhub.bots.bot import Adviser, Bot, BotEntry, Interruptible, Rated
from cardhub.bots.option import AnyBot
from cardhub.bots.random_bot import RANDOM, RandomBot
from cardhub.bots.spec import Spec, parse_spec, settle

BUILT_IN = (RANDOM,)
"""The bots that every game has."""

__all__ = [
    "BUILT_IN",
    "RANDOM",
    "Adviser",
    "AnyBot",
    "Bot",
    "BotEntry",
    "Interruptible",
    "RandomBot",
    "Rated",
    "Spec",
    "parse_spec",
    "settle",
]
