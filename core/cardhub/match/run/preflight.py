"""Programs among the bots of a match, before the first game."""

from contextlib import closing
from random import Random

from cardhub.bots.external.sandbox import Sandbox
from cardhub.match.spec import Match
from cardhub.play.setup import close
from cardhub.plugins.discovery import find_plugins
from cardhub.plugins.registry import PluginRegistry


def greet_programs(match: Match, registry: PluginRegistry, sandbox: Sandbox | None = None) -> None:
    """Have every program introduce itself once for each of its games, in the sandbox if any.

    Raises BotError if one cannot be started, introduces itself badly or does not play a game: that
    is better known before a match than scored in it.
    """
    if sandbox is not None:
        registry = find_plugins(registry.directories, sandbox)
    with closing(registry):
        for entrant in match.entrants:
            for game in dict.fromkeys(match.contest(c).game for c in entrant.plays):
                if registry.is_program(entrant.use, game):
                    close(registry.make_bot(entrant.use, game, Random(entrant.id)))
