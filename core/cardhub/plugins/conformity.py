"""Whether a plugin registers what its entry points promise, and in words that are free."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from cardhub.bots import BotEntry
from cardhub.errors import PluginError
from cardhub.game.game import Game
from cardhub.plugins.attributes import wrong_attributes
from cardhub.plugins.collection import GameCollection
from cardhub.plugins.declared import GAMES, PLUGINS, Declared
from cardhub.plugins.exporter import Exporter
from cardhub.plugins.levels import wrong_levels, wrong_names
from cardhub.plugins.loading import Plugin
from cardhub.plugins.theme import Theme

PLACES = (
    ("register_games", GAMES),
    ("register_collections", PLUGINS),
    ("register_commands", PLUGINS),
    ("register_themes", PLUGINS),
    ("register_exporters", PLUGINS),
)
"""Which hook is called only for which group."""


def check_promises(plugin: Plugin, found: Iterable[Declared]) -> None:
    """Raise PluginError if a thing has odd attributes, or would never be reached as declared."""
    odd = [problem for thing in _things(plugin) for problem in wrong_attributes(thing)]
    if odd:  # what follows relies on them
        raise PluginError(f"{plugin.declared}: {'; '.join(odd)}")
    same = [d for d in found if d.value == plugin.declared.value]
    levels = (problem for game in plugin.games for problem in wrong_levels(game))
    problems = [*_names(plugin, same), *_hooks(plugin, same), *levels, *wrong_names(plugin.bots)]
    problems += _twice("collection", plugin.collections)
    problems += [*_twice("theme", plugin.themes), *_twice("format", plugin.exporters)]
    if problems:
        raise PluginError(f"{plugin.declared}: {'; '.join(problems)}")


def _things(
    plugin: Plugin,
) -> Iterator[Game[Any] | BotEntry | Theme | Exporter | GameCollection]:
    for things in (plugin.games, plugin.collections, plugin.bots, plugin.themes, plugin.exporters):
        yield from things


def _names(plugin: Plugin, same: list[Declared]) -> Iterator[str]:
    """Yield what is wrong with the names of games: each needs an entry point of its name."""
    if plugin.declared.group != GAMES:
        return
    names = [game.name for game in plugin.games]
    points = [declared.name for declared in same if declared.group == GAMES]
    if plugin.declared.name not in names:
        registered = " and ".join(map(repr, names)) or "none"
        yield f"it should register a game of that name, but registers {registered}"
        return
    for name in names:
        if names.count(name) > 1:
            yield f"it registers the game {name!r} {names.count(name)} times"
            return
        if name not in points:
            yield f"its game {name!r} has no entry point of that name in {GAMES}"


def _twice(what: str, things: Iterable[GameCollection | Theme | Exporter]) -> Iterator[str]:
    for name, times in Counter(thing.name for thing in things).items():
        if times > 1:
            yield f"it registers the {what} {name!r} {times} times"


def _hooks(plugin: Plugin, same: list[Declared]) -> Iterator[str]:
    for hook, group in PLACES:
        if hook in plugin.hooks and all(declared.group != group for declared in same):
            yield f"{hook} is only called in the group {group}: declare the module there, too"
