"""The bots of games by name; apart from the index, because this imports plugins on demand."""

from collections.abc import Callable
from functools import partial
from typing import Any

from cardhub.base.errors import PluginError
from cardhub.bots import BotEntry
from cardhub.model.game.game import Game
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.plugins.bot_index import BotIndex, levels_of, missing_bot, refused_search
from cardhub.plugins.declared_plugins import DeclaredPlugins
from cardhub.plugins.groups import PLUGINS
from cardhub.plugins.loading import Plugin

# The hook of plugins with bots.
HOOK = "register_bots"


class BotLookup:
    """Bots and levels by game; `game_plugin` imports the plugin of a game."""

    def __init__(self, plugins: DeclaredPlugins, game_plugin: Callable[[str], Plugin]) -> None:
        self._plugins = plugins
        self._game_plugin = game_plugin
        self._own: dict[str, BotIndex] = {}
        self._all: dict[str, BotIndex] = {}

    def index(self, game: str) -> BotIndex:
        """Return the bots of a game; imports all plugins with bots for any game."""
        if game not in self._all:
            self._all[game] = self._build(game, self._plugins.common(HOOK))
        return self._all[game]

    def index_with(self, name: str, game: str) -> BotIndex:
        """Return bots among which the bot of a name is, if there is one.

        Bots of cardhub and of the game's own plugin are found without an import of other plugins,
        because no other plugin can have their names.
        """
        if game not in self._own:
            self._own[game] = self._build(game, self._plugins.common(HOOK, is_own=True))
        return self._own[game] if name in self._own[game] else self.index(game)

    def has(self, name: str, game: str) -> bool:
        """Return whether a game has one bot of this name."""
        return self.index_with(name, game).find(name) is not None

    def find(self, name: str, game: str) -> BotEntry:
        """Return the bot of a name; raises PluginError with the bots that play the game."""
        entry = self.index_with(name, game).find(name)
        if entry is None:
            rules, plugins = self._game(game), self._plugins.load_all(HOOK)
            reason = refused_search(name, rules, plugins) or missing_bot(
                name, game, self.index(game), plugins, self.levels(game)
            )
            raise PluginError("\n".join([reason, *self._plugins.errors(PLUGINS)]))
        return entry

    def levels(self, game: str) -> dict[str, str]:
        """Return the spec of each level, weakest first, unchecked."""
        return levels_of(self._game(game), partial(self.has, game=game))

    def _build(self, game: str, plugins: list[Plugin]) -> BotIndex:
        # The game's own plugin comes first in messages about names that several bots have.
        own = self._game_plugin(game)
        # If its module is also a plugin for any game, its process may have described the same bots.
        module = own.declared.value if own.bots else ""
        others = (plugin for plugin in plugins if plugin.declared.value != module)
        index = BotIndex(game, [own, *others])
        if why_no_determinizations(self._game(game)):
            index.remove_search()
        return index

    def _game(self, name: str) -> Game[Any]:
        return next(game for game in self._game_plugin(name).games if game.name == name)
