"""The declared plugins, imported on demand; errors of imports are kept."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from cardhub.base.errors import PluginError
from cardhub.plugins.catalogue import ignored
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.failures import came_from, guarded
from cardhub.plugins.groups import GAMES, GROUPS, OWN, PLUGINS
from cardhub.plugins.loading import Plugin, load
from cardhub.plugins.third_party_imports import (
    Notify,
    call_within_limit,
    stay_silent,
    third_party_import,
)
from cardhub.plugins.validation import validate_plugin

if TYPE_CHECKING:  # only matches need processes of plugins
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
