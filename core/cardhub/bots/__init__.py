"""Bots: players that choose from what their seat may know."""

from cardhub.bots.bot import Bot, BotEntry
from cardhub.bots.random_bot import RANDOM, RandomBot

__all__ = ["RANDOM", "Bot", "BotEntry", "RandomBot"]
