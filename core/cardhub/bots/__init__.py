"""Bots: players that choose actions from the observations of their seat."""

from cardhub.bots.bot import Adviser, Bot, BotEntry, Comparer, Interruptible, Rated
from cardhub.bots.external import CMD
from cardhub.bots.option import AnyBot, Command, Seconds
from cardhub.bots.random_bot import RANDOM, RandomBot
from cardhub.bots.search import ISMCTS, PIMC
from cardhub.bots.spec import Spec, parse_spec, settle

# The bots that every game has.
BUILT_IN = (RANDOM, ISMCTS, PIMC, CMD)

__all__ = [
    "BUILT_IN",
    "CMD",
    "ISMCTS",
    "PIMC",
    "RANDOM",
    "Adviser",
    "AnyBot",
    "Bot",
    "BotEntry",
    "Command",
    "Comparer",
    "Interruptible",
    "RandomBot",
    "Rated",
    "Seconds",
    "Spec",
    "parse_spec",
    "settle",
]
