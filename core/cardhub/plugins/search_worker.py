"""The program of a search's worker process, which finds games and bots among the plugins."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from cardhub.base.errors import BotError
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.workers.search_loop import SearchLoop
from cardhub.model.game.game import Game
from cardhub.plugins.registry import PluginRegistry, find_plugins


def serve(directories: Sequence[str], third_party: Sequence[str] | None) -> NoReturn:
    """Search for the bot of another process until the end of the standard input."""
    registry = find_plugins(map(Path, directories), third_party=third_party)
    SearchLoop(partial(_made, registry)).run()


def _made(
    registry: PluginRegistry, game: str, spec: str, rng: Random
) -> tuple[Game[Any], SearchBot]:
    bot = registry.make_bot(spec, game, rng)
    if not isinstance(bot, SearchBot):
        raise BotError(f"{spec} does not search")
    return registry.game(game), bot
