"""The plugins by name: each is imported on first use, and its errors are kept."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cardhub.base.errors import PluginError
from cardhub.base.errors.suggestions import did_you_mean
from cardhub.plugins.catalogue import Catalogue, claimed_twice
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.failures import came_from, guarded
from cardhub.plugins.groups import GAMES, GROUPS, PLUGINS
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.loading import Plugin, load
from cardhub.plugins.registrations import Exporter, GameCollection, Theme
from cardhub.plugins.validation import validate_plugin


@dataclass(frozen=True, slots=True)
class PluginStatus:
    """A plugin in a listing: imported, or with the message of the exception that it raised."""

    declared: Declaration
    plugin: Plugin | None
    error: str


class PluginIndex:
    """Plugins by group and name, imported on demand.

    A broken plugin raises an error when it is used and is a warning elsewhere.
    """

    def __init__(self, found: Iterable[Declaration], directories: Iterable[Path] = ()) -> None:
        self.directories = tuple(directories)
        # A directory may be given twice.
        self._found = tuple(dict.fromkeys(found))
        self._loaded: dict[Declaration, Plugin | PluginError] = {}

    def declared(self, group: str) -> list[Declaration]:
        """Return the plugins of a group, sorted by name; imports none."""
        # Entry points are listed in the order of the file system.
        return sorted((d for d in self._found if d.group == group), key=lambda d: d.name)

    def game_names(self) -> list[str]:
        """Return the names of all games; imports none."""
        return self._names(GAMES)

    def is_game(self, name: str) -> bool:
        """Return whether there is a game of this name, or its collection; imports no game."""
        prefix, colon, _ = name.partition(":")
        if not colon:
            return name in self.game_names()
        return prefix in self.collections()

    def unknown_game(self, name: str) -> str:
        """Return the error message for an unknown game name, with a suggestion."""
        prefix, colon, _ = name.partition(":")
        if colon:
            names = self.collections().names()
            known = ", ".join(f"{each}:..." for each in names) or "none"
            hint = did_you_mean(prefix, names)
            return f"unknown collection of games {prefix!r}.{hint} Collections: {known}"
        names = self.game_names()
        known = f"Installed: {', '.join(names)}" if names else "No game is installed"
        return f"unknown game {name!r}.{did_you_mean(name, names)} {known}"

    def common_plugins(self, hook: str = "") -> list[Plugin]:
        """Return the plugins for any game, without broken and ambiguous ones.

        With `hook`, import only plugins whose source may implement it.
        """
        # By name, as two plugins of one name are both left out; the order is that of the names.
        named = dict.fromkeys(d.name for d in self.declared(PLUGINS) if d.may_have(hook))
        loaded = [self._attempt(PLUGINS, name) for name in named]
        return [plugin for plugin in loaded if isinstance(plugin, Plugin)]

    def collections(self) -> Catalogue[GameCollection]:
        """Return the collections of all plugins; imports plugins that may have one."""
        return self._catalogue("register_collections")

    def exporters(self) -> Catalogue[Exporter]:
        """Return the formats of all plugins; imports plugins that may have one."""
        return self._catalogue("register_exporters")

    def themes(self, reserved: Collection[str]) -> Catalogue[Theme]:
        """Return the themes of all plugins; `reserved` are the names of Textual's own themes."""
        return self._catalogue("register_themes", dict.fromkeys(reserved, "Textual"))

    def _catalogue(self, name: str, reserved: Mapping[str, str] | None = None) -> Catalogue[Any]:
        hook, plugins = HOOKS[name], self.common_plugins(name)
        claims = [(each, p.declared) for p in plugins for each in getattr(p, hook.attribute)]
        return Catalogue(hook.noun, claims, reserved, self.warnings())

    def culprit(self, error: BaseException) -> Declaration | None:
        """Return the plugin whose code is in the traceback of an exception, or None."""
        return next((each for each in self._found if came_from(error, each.source())), None)

    def listed(self) -> list[PluginStatus]:
        """Import every plugin and return the status of each."""
        return [self._status(declared) for group in GROUPS for declared in self.declared(group)]

    def clashes(self) -> list[str]:
        """Return a warning for every name that two plugins claim; imports none."""
        named = [(group, name) for group in GROUPS for name in self._names(group)]
        return [clash for group, name in named if (clash := self._clash(group, name))]

    def warnings(self) -> list[str]:
        """Return the import errors so far, and the clashes."""
        return [*self._broken(*GROUPS), *self.clashes()]

    def _names(self, group: str) -> list[str]:
        return list(dict.fromkeys(declared.name for declared in self.declared(group)))

    def _claims(self, group: str, name: str) -> list[Declaration]:
        return [d for d in self._found if (d.group, d.name) == (group, name)]

    def _clash(self, group: str, name: str) -> str:
        claims = self._claims(group, name)
        if len(claims) < 2:
            return ""
        kind = "game" if group == GAMES else "plugin"
        return claimed_twice(f"{kind} {name!r}", (declared.origin for declared in claims))

    def _attempt(self, group: str, name: str) -> Plugin | PluginError:
        clash = self._clash(group, name)
        return PluginError(clash) if clash else self._load(self._claims(group, name)[0])

    def _load(self, declared: Declaration) -> Plugin | PluginError:
        # Errors are kept, too: another attempt would run the code of the broken plugin again.
        if declared not in self._loaded:
            try:
                self._loaded[declared] = guarded(
                    declared, "cannot be used", partial(self._fetch, declared)
                )
            except PluginError as error:
                self._loaded[declared] = error
        return self._loaded[declared]

    def _fetch(self, declared: Declaration) -> Plugin:
        plugin = load(declared)
        validate_plugin(plugin, self._found)
        return plugin

    def _imported(self) -> list[Plugin]:
        loaded = map(self._load, self._found)
        return [plugin for plugin in loaded if isinstance(plugin, Plugin)]

    def _status(self, declared: Declaration) -> PluginStatus:
        loaded = self._load(declared)
        if isinstance(loaded, PluginError):
            return PluginStatus(declared, None, str(loaded))
        return PluginStatus(declared, loaded, self._clash(declared.group, declared.name))

    def _broken(self, *groups: str) -> list[str]:
        loaded = [(declared.group, plugin) for declared, plugin in self._loaded.items()]
        return [str(e) for group, e in loaded if group in groups and isinstance(e, PluginError)]
