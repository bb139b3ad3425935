"""Bots that clients may choose: levels, and bots of installed plugins."""

from cardhub.bots.option import Command
from cardhub.bots.random_bot import RANDOM
from cardhub.errors import CardhubError
from cardhub.play.bot_process.lineup import NETWORK
from cardhub.plugins.bot_index import MEDIUM
from cardhub.server.tables.table_context import RefusedError, TableContext


def check_bot(context: TableContext, spec: str) -> str:
    """Return the spec of a bot that may play at a table; raises RefusedError for any other."""
    registry, game = context.services.registry, context.file.game
    levels = registry.levels(game)
    if spec in levels or spec == NETWORK:
        return spec
    try:
        parts = list(registry.parts(spec, game))
    except CardhubError as error:
        raise RefusedError(
            f"{error}. fix: choose one of {', '.join(levels) or RANDOM.name}"
        ) from error
    if not context.services.limits.lets_programs and any(
        isinstance(option, Command) for part in parts for option in part.entry.options.values()
    ):
        raise RefusedError(
            "programs cannot be started by visitors. fix: let the bot connect with a seat's token"
        )
    return spec


def default_level(context: TableContext) -> str:
    """Return the level of bots that nobody has chosen: that of another seat, or the medium one."""
    registry, game = context.services.registry, context.file.game
    chosen = [chair.bot for chair in context.chairs if chair.bot and chair.bot != NETWORK]
    if chosen:
        return chosen[0]
    return MEDIUM if MEDIUM in registry.levels(game) else registry.default_bot(game)
