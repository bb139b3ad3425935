"""Bots that clients may choose: levels, and bots of installed plugins."""

import re
from collections.abc import Mapping

from cardhub.base.errors import CardhubError
from cardhub.bots import BotEntry, Command, File
from cardhub.bots.language.entry import Model, offered_spec
from cardhub.bots.random_bot import RANDOM
from cardhub.online.server.tables.table_context import RefusedError, TableContext
from cardhub.play.workers.bot_messages import NETWORK
from cardhub.plugins.registry import PluginRegistry

# A word in a spec that may be the name of a bot, also inside an option of another bot.
WORD = re.compile(r"[\w-]+")


def offered_bots(registry: PluginRegistry, game: str) -> tuple[str, ...]:
    """Return the levels of a game, or its default bot if it has none."""
    return tuple(registry.levels(game)) or (registry.default_bot(game),)


def offered_here(context: TableContext) -> tuple[str, ...]:
    """Return the bots that a table offers, with the language model that the host has set up."""
    bots = offered_bots(context.services.registry, context.file.game)
    model = offered_spec() if context.services.limits.lets_models else ""
    return (*bots, model) if model else bots


def check_bot(context: TableContext, spec: str) -> str:
    """Return the spec of a bot; raises RefusedError if it may not play at a table."""
    registry, game = context.services.registry, context.file.game
    levels = registry.levels(game)
    if spec in levels or spec == NETWORK or spec in offered_here(context):
        return spec
    # Check this before reading options: errors would reveal which files and programs exist.
    if not context.services.limits.lets_programs and _loading(registry.bots_for(game), spec):
        raise RefusedError(
            "players at this server cannot start programs, load files or ask language models. "
            "fix: connect the bot with the token of a seat"
        )
    try:
        parts = list(registry.parts(spec, game))
    except CardhubError as error:
        raise RefusedError(
            f"{error}. fix: choose one of {', '.join(levels) or RANDOM.name}"
        ) from error
    if any(part.processes > 1 for part in parts):
        raise RefusedError("bots of a server share its workers. fix: leave `workers` out")
    return spec


def default_level(context: TableContext) -> str:
    """Return the default level of bots: the level at another seat, or the medium level."""
    registry, game = context.services.registry, context.file.game
    chosen = [chair.bot for chair in context.chairs if chair.bot and chair.bot != NETWORK]
    return chosen[0] if chosen else registry.default_level(game)


def _loading(bots: Mapping[str, BotEntry], spec: str) -> bool:
    """Return whether a spec names a bot that starts a program, loads a file or asks a model."""
    named = (bots[word] for word in WORD.findall(spec) if word in bots)
    options = (option for entry in named for option in entry.options.values())
    return any(isinstance(option, Command | File | Model) for option in options)
