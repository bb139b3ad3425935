"""Bots: players that choose actions from their seat's observations."""

from cardhub.bots.bot import (
    Adviser,
    Bot,
    BotEntry,
    Comparer,
    Evaluator,
    Interruptible,
    MixedBot,
    Rated,
    Searcher,
)
from cardhub.bots.external import CMD
from cardhub.bots.file_bot import FILE
from cardhub.bots.hasty_bot import HASTY
from cardhub.bots.language.entry import LLM
from cardhub.bots.random_bot import RANDOM, RandomBot
from cardhub.bots.search import ISMCTS, PIMC, Playout
from cardhub.bots.solved_bot import CFR
from cardhub.bots.spec import (
    AnyBot,
    Command,
    File,
    Folder,
    GuideBot,
    Seconds,
    Spec,
    Workers,
    parse_spec,
    resolve_settings,
)
from cardhub.bots.team_bot import TEAM

# The bots that every game has.
BUILT_IN = (RANDOM, HASTY, ISMCTS, PIMC, CFR, LLM, FILE, CMD, TEAM)

__all__ = [
    "BUILT_IN",
    "CFR",
    "CMD",
    "FILE",
    "HASTY",
    "ISMCTS",
    "LLM",
    "PIMC",
    "RANDOM",
    "TEAM",
    "Adviser",
    "AnyBot",
    "Bot",
    "BotEntry",
    "Command",
    "Comparer",
    "Evaluator",
    "File",
    "Folder",
    "GuideBot",
    "Interruptible",
    "MixedBot",
    "Playout",
    "RandomBot",
    "Rated",
    "Searcher",
    "Seconds",
    "Spec",
    "Workers",
    "parse_spec",
    "resolve_settings",
]
