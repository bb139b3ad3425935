"""The declared plugins, imported on demand, and their games and bots by name.

What a name means is decided here alone. Errors of imports are kept.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots import BotEntry
from cardhub.model.game.game import Game
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.plugins.bot_index import (
    BotIndex,
    levels_of,
    missing_bot,
    needs_determinizations,
    needs_networks,
    refused_bot,
    usual_spec,
)
from cardhub.plugins.catalogue import Catalogue, claimed_twice, full_names, ignored
from cardhub.plugins.discovery import FROM, Declaration
from cardhub.plugins.groups import GAMES, GROUPS, OWN, PLUGINS
from cardhub.plugins.loading import Plugin, load, make_game, rename_game
from cardhub.plugins.registrations import GameCollection
from cardhub.plugins.third_party import (
    Notify,
    call_within_limit,
    came_from,
    guarded,
    stay_silent,
    third_party_import,
)
from cardhub.plugins.validation import validate_plugin

if TYPE_CHECKING:
    from cardhub.plugins.plugin_process import PluginProcesses


class DeclaredPlugins:
    """Plugins by group and name; a broken plugin gives the same error at each attempt.

    With `processes`, third-party plugins for any game are not imported here: the process of each
    describes its bots. `notify`: is called from another thread if an import takes long.
    """

    def __init__(
        self,
        declared: Iterable[Declaration],
        processes: "PluginProcesses | None" = None,
        notify: Notify = stay_silent,
    ) -> None:
        # A directory may be given twice.
        self._declared = tuple(dict.fromkeys(declared))
        self._own_names = {(d.group, d.name) for d in self._declared if d.is_own}
        self._processes = processes
        self._notify = notify
        self._loaded: dict[Declaration, Plugin | PluginError] = {}

    def of_group(self, group: str) -> list[Declaration]:
        """Return the plugins of a group, sorted by name and distribution; imports none."""
        # Entry points are listed in the order of the file system.
        declared = (d for d in self._declared if d.group == group)
        return sorted(declared, key=lambda d: (d.name, d.distribution))

    def lost(self, declared: Declaration) -> str:
        """Return a warning if the name of a plugin belongs to cardhub, else an empty text."""
        if declared.is_own or (declared.group, declared.name) not in self._own_names:
            return ""
        noun = "game" if declared.group == GAMES else "plugin"
        return ignored(f"{noun} {declared.name!r}", [declared.origin], OWN)

    def warnings(self) -> list[str]:
        """Return a warning for every plugin whose name belongs to cardhub; imports none."""
        declared = (declared for group in GROUPS for declared in self.of_group(group))
        return [*filter(None, map(self.lost, declared))]

    def load(self, declared: Declaration) -> Plugin | PluginError:
        """Import a plugin, or ask its process; return its error if it cannot be used."""
        # Errors are kept, too: another attempt would run the code of the broken plugin again.
        if declared not in self._loaded:
            if self._processes is not None and declared.is_guest:
                self._ask_all(self._processes)
            else:
                self._import(declared)
        return self._loaded[declared]

    def load_code(self, declared: Declaration) -> Plugin | PluginError:
        """Import a plugin even if its process has described it; return its error."""
        if self._processes is not None and declared.is_guest:
            self._import(declared)
        return self.load(declared)

    def load_all(self, hook: str) -> list[Plugin]:
        """Return the usable plugins that may implement a hook: all, or those importable here."""
        declared = (
            d
            for d in self._declared
            if (self._processes is None or d.group != GAMES or d in self._loaded)
            and not self.lost(d)
            and d.may_have(hook)
        )
        return [plugin for plugin in map(self.load, declared) if isinstance(plugin, Plugin)]

    def common(self, hook: str = "", *, is_own: bool = False) -> list[Plugin]:
        """Return the plugins for any game, without broken ones.

        With `hook`, import only plugins whose source may implement it; with `is_own`, only
        plugins that come with cardhub.
        """
        loaded = [
            self.load(declared)
            for declared in self.of_group(PLUGINS)
            if (declared.is_own or not is_own)
            and not self.lost(declared)
            and declared.may_have(hook)
        ]
        return [plugin for plugin in loaded if isinstance(plugin, Plugin)]

    def errors(self, *groups: str) -> list[str]:
        """Return the errors of plugins of these groups that were imported so far."""
        loaded = [(declared.group, plugin) for declared, plugin in self._loaded.items()]
        return [str(e) for group, e in loaded if group in groups and isinstance(e, PluginError)]

    def culprit(self, error: BaseException) -> Declaration | None:
        """Return the plugin whose code is in the traceback of an exception, or None."""
        blamed = (d for d in self._declared if came_from(error, d.source()))
        return next(blamed, None)

    def _import(self, declared: Declaration) -> None:
        try:
            with third_party_import(declared, self._notify):
                fetch = partial(guarded, declared, "cannot be used", partial(self._fetch, declared))
                self._loaded[declared] = call_within_limit(declared, fetch)
        except PluginError as error:
            self._loaded[declared] = error

    def _ask_all(self, processes: "PluginProcesses") -> None:
        # Together, because their processes start at the same time.
        asked = [d for d in self._declared if d.is_guest and d not in self._loaded]
        for declared, plugin in zip(asked, processes.describe(asked), strict=True):
            self._loaded[declared] = plugin
            if isinstance(plugin, Plugin):
                try:
                    validate_plugin(plugin, self._declared)
                except PluginError as error:
                    self._loaded[declared] = error

    def _fetch(self, declared: Declaration) -> Plugin:
        plugin = load(declared)
        validate_plugin(plugin, self._declared)
        return plugin


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
            reason = refused_bot(name, rules, plugins) or missing_bot(
                name, game, self.index(game), plugins, self.levels(game)
            )
            raise PluginError("\n".join([reason, *self._plugins.errors(PLUGINS)]))
        return entry

    def levels(self, game: str) -> dict[str, str]:
        """Return the spec of each level, weakest first, unchecked."""
        return levels_of(self._game(game), partial(self.has, game=game))

    def usual(self, name: str, game: str) -> str:
        """Return the spec that a level or the adviser usually stands for, or an empty text."""
        return usual_spec(name, partial(self.has, game=game))

    def _build(self, game: str, plugins: list[Plugin]) -> BotIndex:
        # The game's own plugin comes first in messages about names that several bots have.
        own = self._game_plugin(game)
        # If its module is also a plugin for any game, its process may have described the same bots.
        module = own.declared.value if own.bots else ""
        others = (plugin for plugin in plugins if plugin.declared.value != module)
        index = BotIndex(game, [own, *others])
        rules = self._game(game)
        if why_no_determinizations(rules):
            index.remove(needs_determinizations)
        if not rules.networks:
            index.remove(needs_networks)
        return index

    def _game(self, name: str) -> Game[Any]:
        return next(game for game in self._game_plugin(name).games if game.name == name)


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
