"""The games of plugins by name, with the name's package if several have it, and of collections.

Apart from the registry, as are the bots: what a name means is decided here alone.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.plugins.catalogue import Catalogue, claimed_twice, full_names
from cardhub.plugins.declared_plugins import DeclaredPlugins
from cardhub.plugins.discovery import FROM, Declaration
from cardhub.plugins.groups import GAMES, OWN
from cardhub.plugins.loading import Plugin, make_game, rename_game
from cardhub.plugins.registrations import GameCollection


class GameLookup:
    """Games by name, imported on demand; a game of a collection is made once.

    A name belongs to cardhub's own game, or else to the only package that has it. A game of another
    package has a second name, with the package: `cardhub-mau/mau`.
    """

    def __init__(
        self, plugins: DeclaredPlugins, collections: Callable[[], Catalogue[GameCollection]]
    ) -> None:
        self._plugins = plugins
        self._collections = collections
        self._made: dict[str, Plugin] = {}

    def by_name(self) -> dict[str, Declaration]:
        """Return the plugins of all games by the games' shortest names; imports none."""
        return {self.name_of(declared): declared for declared in self._declared}

    def name_of(self, declared: Declaration) -> str:
        """Return the shortest name of a game, with its package if another one has the name."""
        is_only = self._claims(declared.name) == [declared]
        return declared.name if declared.is_own or is_only else declared.full_name

    def namesakes(self, name: str) -> list[str]:
        """Return the full names of the games, if several packages have a game of this name."""
        claims = self._claims(name)
        return full_names(name, claims) if len(claims) > 1 else []

    def clashes(self) -> list[str]:
        """Return a warning for every name that several packages have; imports none."""
        names = dict.fromkeys(declared.name for declared in self._plugins.of_group(GAMES))
        return [*filter(None, map(self._clash, names))]

    def has(self, name: str) -> bool:
        """Return whether there is one game of this name, or its collection; imports no game."""
        prefix, colon, _ = name.partition(":")
        return prefix in self._collections() if colon else len(self._claims(name)) == 1

    def unknown(self, name: str) -> str:
        """Return the error message for a name of no game or of several, with the remedy."""
        if clash := self._clash(name):
            return clash
        prefix, colon, _ = name.partition(":")
        if colon:
            names = self._collections().names()
            known = ", ".join(f"{word}:..." for word in names) or "none"
            hint = did_you_mean(prefix, names)
            return f"unknown collection of games {prefix!r}.{hint} Collections: {known}"
        names = [*self.by_name()]
        known = f"Installed: {', '.join(names)}" if names else "No game is installed"
        # A name of cardhub's own games has no package before it.
        meant = next((own for own in names if name == f"{OWN}{FROM}{own}"), name)
        return f"unknown game {name!r}.{did_you_mean(meant, names)} {known}"

    def plugin(self, name: str) -> Plugin:
        """Import the plugin of a game, which has that name; raises PluginError."""
        if ":" in name:
            return self._from_collection(name)
        if not self.has(name):
            raise PluginError(self.unknown(name))
        plugin = _usable(self._plugins.load(self._claims(name)[0]))
        if FROM not in name:
            return plugin
        if name not in self._made:
            # Records, matches and other processes find the game again by its name.
            game = next(game for game in plugin.games if game.name == plugin.declared.name)
            renamed = rename_game(plugin.declared, game, name)
            self._made[name] = replace(plugin, games=(renamed,))
        return self._made[name]

    def _from_collection(self, name: str) -> Plugin:
        if name not in self._made:
            prefix, _, rest = name.partition(":")
            catalogue = self._collections()
            if prefix not in catalogue:
                raise PluginError(self.unknown(name))
            registered, declared = catalogue.get(prefix)
            plugin = _usable(self._plugins.load_code(declared))
            collection = next(c for c in plugin.collections if c.name == registered.name)
            # Made once for each name, because this may take long.
            made = make_game(declared, collection, name, rest)
            self._made[name] = replace(plugin, games=(made,), bots=())
        return self._made[name]

    def _claims(self, name: str) -> list[Declaration]:
        """Return the games to which a name belongs: cardhub's own, or else all that claim it."""
        if FROM in name:
            return [d for d in self._declared if not d.is_own and d.full_name == name]
        return [declared for declared in self._declared if declared.name == name]

    @cached_property  # a match looks up its game many times
    def _declared(self) -> list[Declaration]:
        """The games whose names do not belong to cardhub, and cardhub's own."""
        return [d for d in self._plugins.of_group(GAMES) if not self._plugins.lost(d)]

    def _clash(self, name: str) -> str:
        claims = self._claims(name)
        return claimed_twice("game", claims[0].name, claims) if len(claims) > 1 else ""


def _usable(plugin: Plugin | PluginError) -> Plugin:
    if isinstance(plugin, PluginError):
        raise plugin
    return plugin
