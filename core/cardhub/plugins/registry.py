"""The registry: every plugin by name, each imported when it is needed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from cardhub.bots import RANDOM, AnyBot, Bot, BotEntry, Command, parse_spec, settle
from cardhub.bots.external import Lender, Programs, check_command
from cardhub.bots.external.sandbox import Sandbox
from cardhub.errors import BotError, BotFaultError, CardhubError, OptionError, PluginError
from cardhub.game.game import Game
from cardhub.plugins.collection import GameCollection
from cardhub.plugins.conformity import check_promises
from cardhub.plugins.declared import GAMES, GROUPS, PLUGINS, Declared
from cardhub.plugins.guard import explain, guarded, heard_signals
from cardhub.plugins.levels import HARD, LEVELS, MEDIUM, levels_of
from cardhub.plugins.loading import Plugin, load, make_game
from cardhub.plugins.offers import Offers, clashes, offers_for, refuse, unambiguous
from cardhub.plugins.place import came_from
from cardhub.suggest import did_you_mean
from cardhub.table.settings import Option, Settings, Value

RULE = "rule"
"""The name under which a game registers its own rule of thumb."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A plugin in a listing: imported, or with what kept it from that."""

    declared: Declared
    plugin: Plugin | None
    error: str


class PluginRegistry:
    """Finds games and bots by name.

    `find_plugins` makes one, to be handed on; with the same `directories` it makes an equal one in
    another process. A broken plugin is an error for whoever names it and a warning for everybody
    else.
    """

    def __init__(
        self,
        found: Iterable[Declared],
        directories: Iterable[Path] = (),
        sandbox: Sandbox | None = None,
    ) -> None:
        self.directories = tuple(directories)
        self._found = tuple(dict.fromkeys(found))
        self._loaded: dict[Declared, Plugin | PluginError] = {}
        self._made: dict[str, Plugin] = {}
        self._offered: dict[str, Offers] = {}
        self._programs = Programs(sandbox)

    def close(self) -> None:
        """End the programs that bots have started; otherwise they end with this process."""
        self._programs.close()

    def declared(self, group: str) -> list[Declared]:
        """Return the plugins of a group, sorted by name; imports none."""
        return sorted((d for d in self._found if d.group == group), key=lambda d: d.name)

    def game_names(self) -> list[str]:
        """Return the names of all games; imports none."""
        return self._names(GAMES)

    def is_game(self, name: str) -> bool:
        """Return whether a game is called so, or its collection is there; imports no game."""
        prefix, colon, _ = name.partition(":")
        if not colon:
            return name in self.game_names()
        return any(collection.name == prefix for collection, _ in self.collections())

    def collections(self) -> list[tuple[GameCollection, Plugin]]:
        """Return all collections of games with their plugins; imports those that could have one."""
        plugins = self.common_plugins("register_collections")
        return [(collection, plugin) for plugin in plugins for collection in plugin.collections]

    def unknown_game(self, name: str) -> str:
        """Return what to say about a name that is no game's."""
        prefix, colon, _ = name.partition(":")
        if colon:
            names = sorted({collection.name for collection, _ in self.collections()})
            known = ", ".join(f"{each}:..." for each in names) or "none"
            hint = did_you_mean(prefix, names)
            return f"unknown collection of games {prefix!r}.{hint} Collections: {known}"
        names = self.game_names()
        known = f"Installed: {', '.join(names)}" if names else "No game is installed"
        return f"unknown game {name!r}.{did_you_mean(name, names)} {known}"

    def game(self, name: str) -> Game[Any]:
        """Import one game; raises PluginError if it is unknown, broken or claimed twice."""
        return next(game for game in self._game_plugin(name).games if game.name == name)

    def bots_for(self, game: str) -> dict[str, BotEntry]:
        """Return the bots that play a game, by name; imports the game and the common plugins."""
        return unambiguous(self._offers(game))

    def bot(self, name: str, game: str) -> BotEntry:
        """Return the bot of this name; raises PluginError saying which bots play the game."""
        offers = self._offers(game)
        bots = unambiguous(offers)
        if name not in bots:
            imported = filter(None, map(self._imported, self._found))
            levels = levels_of(self.game(game), bots)
            reason = refuse(name, game, offers, imported, levels)
            raise PluginError("\n".join([reason, *self._broken(PLUGINS)]))
        return bots[name]

    def bot_clashes(self, game: str) -> list[str]:
        """Return a warning for every bot of a game whose name another one has as well."""
        return sorted(clashes(self._offers(game)))

    def origin(self, name: str, game: str) -> Declared | None:
        """Return the plugin that a bot comes from, None for cardhub itself; raises PluginError."""
        entry = self.bot(name, game)
        plugins = [self._game_plugin(game), *self.common_plugins()]
        return next((plugin.declared for plugin in plugins if entry in plugin.bots), None)

    def levels(self, game: str) -> dict[str, str]:
        """Return the spec that each level stands for, the weakest first.

        Raises PluginError if the game says so wrongly; no level can stand within another.
        """
        found = levels_of(self.game(game), self.bots_for(game))
        for level, spec in found.items():
            try:
                self._settle(spec, game, has_levels=False)
            except (PluginError, OptionError) as error:
                raise PluginError(f"level {level!r} of {game!r} is {spec!r}: {error}") from error
        return found

    def settings_of(self, spec: str, game: str) -> Settings:
        """Return the values of a bot's options; raises PluginError or OptionError if it cannot be.

        `spec` is a bot as text: `random`, `ismcts:iterations=2000`, or a level.
        """
        return self._settle(spec, game, has_levels=True)

    def make_bot(self, spec: str, game: str, rng: Random) -> Bot:
        """Return a new bot; raises as `settings_of` does, and BotError if it cannot be made."""
        meant = self._meant(spec, game)
        entry, values = self.bot(parse_spec(meant).name, game), dict(self.settings_of(meant, game))
        given = {n: self._given(option, values[n], game) for n, option in entry.options.items()}
        with heard_signals() as signals:
            try:
                return entry.make(rng, **given)
            except BotFaultError as fault:
                raise fault.told(f"bot {spec!r} cannot be made: {fault}") from fault
            except CardhubError:
                raise
            except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as error:
                if signals and not isinstance(error, Exception):
                    raise
                raise BotError(f"bot {spec!r} cannot be made: {explain(error)}") from error

    def is_program(self, spec: str, game: str) -> bool:
        """Return whether a bot is a program that cardhub starts; raises PluginError."""
        entry = self.bot(parse_spec(self._meant(spec, game)).name, game)
        return any(isinstance(option, Command) for option in entry.options.values())

    def default_bot(self, game: str) -> str:
        """Return whom to play against if nobody says: the game's rule of thumb, or a level."""
        bots = self.bots_for(game)
        levels = levels_of(self.game(game), bots)
        return RULE if RULE in bots else MEDIUM if MEDIUM in levels else RANDOM.name

    def default_hint(self, game: str) -> str:
        """Return whom to ask for a hint if nobody says: the best there is."""
        levels = levels_of(self.game(game), self.bots_for(game))
        return HARD if HARD in levels else self.default_bot(game)

    def culprit(self, error: BaseException) -> Declared | None:
        """Return the plugin whose code an exception came out of, if it was any's."""
        return next((each for each in self._found if came_from(error, each.source())), None)

    def common_plugins(self, hook: str = "") -> list[Plugin]:
        """Return the plugins for any game, without the broken ones and those claimed twice.

        With a hook, only those are imported that could have it.
        """
        named = dict.fromkeys(d.name for d in self.declared(PLUGINS) if d.may_have(hook))
        loaded = [self._attempt(PLUGINS, name) for name in named]
        return [plugin for plugin in loaded if isinstance(plugin, Plugin)]

    def listed(self) -> list[Listed]:
        """Import every plugin, each by itself, and return all of them, the broken ones included."""
        return [self._listed(declared) for group in GROUPS for declared in self.declared(group)]

    def clashes(self) -> list[str]:
        """Return a warning for every name that two plugins claim; imports none."""
        named = [(group, name) for group in GROUPS for name in self._names(group)]
        return [clash for group, name in named if (clash := self._clash(group, name))]

    def warnings(self) -> list[str]:
        """Return what kept plugins from being imported so far, and the clashes."""
        return [*self._broken(*GROUPS), *self.clashes()]

    def _names(self, group: str) -> list[str]:
        return list(dict.fromkeys(declared.name for declared in self.declared(group)))

    def _claims(self, group: str, name: str) -> list[Declared]:
        return [d for d in self._found if (d.group, d.name) == (group, name)]

    def _clash(self, group: str, name: str) -> str:
        claims = self._claims(group, name)
        if len(claims) < 2:
            return ""
        origins = " and by ".join(declared.origin for declared in claims)
        what = "game" if group == GAMES else "plugin"
        return f"{what} {name!r} is claimed twice: by {origins}. Remove one of them"

    def _collected(self, name: str) -> Plugin:
        """Return the plugin of a collection with the one game that is named."""
        if name not in self._made:
            prefix, _, rest = name.partition(":")
            claims = [claim for claim in self.collections() if claim[0].name == prefix]
            if not claims:
                raise PluginError(self.unknown_game(name))
            if len(claims) > 1:
                origins = " and by ".join(str(plugin.declared) for _, plugin in claims)
                raise PluginError(f"collection {prefix!r} is claimed twice: by {origins}")
            (collection, plugin), *_ = claims
            made = make_game(plugin.declared, collection, name, rest)
            self._made[name] = replace(plugin, games=(made,), bots=())
        return self._made[name]

    def _game_plugin(self, name: str) -> Plugin:
        if ":" in name:
            return self._collected(name)
        if name not in self.game_names():
            raise PluginError(self.unknown_game(name))
        plugin = self._attempt(GAMES, name)
        if isinstance(plugin, PluginError):
            raise plugin
        return plugin

    def _attempt(self, group: str, name: str) -> Plugin | PluginError:
        clash = self._clash(group, name)
        return PluginError(clash) if clash else self._load(self._claims(group, name)[0])

    def _load(self, declared: Declared) -> Plugin | PluginError:
        if declared not in self._loaded:
            try:
                self._loaded[declared] = guarded(
                    declared, "cannot be used", partial(self._fetch, declared)
                )
            except PluginError as error:
                self._loaded[declared] = error
        return self._loaded[declared]

    def _fetch(self, declared: Declared) -> Plugin:
        plugin = load(declared)
        check_promises(plugin, self._found)
        return plugin

    def _imported(self, declared: Declared) -> Plugin | None:
        loaded = self._load(declared)
        return loaded if isinstance(loaded, Plugin) else None

    def _listed(self, declared: Declared) -> Listed:
        loaded = self._load(declared)
        if isinstance(loaded, PluginError):
            return Listed(declared, None, str(loaded))
        clash = self._clash(declared.group, declared.name)
        return Listed(declared, loaded, clash or self._wrong_level(declared))

    def _wrong_level(self, declared: Declared) -> str:
        try:
            if declared.group == GAMES:
                self.levels(declared.name)
        except PluginError as error:
            return f"{declared}: {error}"
        return ""

    def _meant(self, spec: str, game: str) -> str:
        """Return the spec that a level stands for; anything else is one."""
        return self.levels(game).get(spec, spec) if spec in LEVELS else spec

    def _settle(self, spec: str, game: str, *, has_levels: bool) -> Settings:
        meant = self._meant(spec, game) if has_levels else spec
        parsed = parse_spec(meant)
        entry = self.bot(parsed.name, game)
        settings = settle(entry, parsed)
        for name, option in entry.options.items():
            if isinstance(option, AnyBot):
                self._settle(settings.word(name), game, has_levels=has_levels and meant == spec)
            elif isinstance(option, Command):
                check_command(settings.word(name))
        return settings

    def _given(self, option: Option, value: Value, game: str) -> object:
        """Return what a bot gets for an option with this value."""
        if isinstance(option, AnyBot):
            return partial(self.make_bot, str(value), game)
        return Lender(str(value), game, self._programs) if isinstance(option, Command) else value

    def _broken(self, *groups: str) -> list[str]:
        faults = [(declared.group, fault) for declared, fault in self._loaded.items()]
        return [str(f) for group, f in faults if group in groups and isinstance(f, PluginError)]

    def _offers(self, game: str) -> Offers:
        if game not in self._offered:  # what was imported once stays as it is
            plugins = [self._game_plugin(game), *self.common_plugins()]
            self._offered[game] = offers_for(game, plugins)
        return self._offered[game]
