"""What plugins offer by name, and what is said if a name is nobody's or claimed twice."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Generic, Protocol, TypeVar

from cardhub.errors import PluginError
from cardhub.plugins.declared import Declared
from cardhub.plugins.exporter import Exporter
from cardhub.plugins.registry import PluginRegistry
from cardhub.plugins.theme import Theme
from cardhub.suggest import did_you_mean


class Named(Protocol):
    """Anything that is asked for by its name."""

    @property
    def name(self) -> str:
        """What people type."""
        ...


T = TypeVar("T", bound=Named)


class Catalogue(Generic[T]):
    """Things of one kind, each with the plugin it comes from.

    `taken` holds names that plugins cannot have, and whose they are; `faults` are told to whom asks
    for what is not there. A name claimed twice is an error for whoever asks for it.
    """

    def __init__(
        self,
        what: str,
        claims: Iterable[tuple[T, Declared]],
        taken: Mapping[str, str] | None = None,
        faults: Collection[str] = (),
    ) -> None:
        self._what = what
        self._faults = faults
        self._taken = dict(taken or {})
        self._claims: dict[str, list[tuple[T, Declared]]] = {}
        for thing, declared in claims:
            self._claims.setdefault(thing.name, []).append((thing, declared))

    def __iter__(self) -> Iterator[tuple[T, Declared]]:
        """Yield what can be had and whose it is, sorted by name."""
        for name in sorted(self._claims):
            if not self._clash(name):
                yield self._claims[name][0]

    def __contains__(self, name: str) -> bool:
        """Return whether any plugin offers something of this name, be it once or more often."""
        return name in self._claims

    def names(self) -> list[str]:
        """Return what can be asked for, the taken names among it."""
        return sorted([*self._taken, *(thing.name for thing, _ in self)])

    def get(self, name: str) -> tuple[T, Declared]:
        """Return a thing and whose it is; PluginError says what could have been meant."""
        if clash := self._clash(name):
            raise PluginError(clash)
        if name not in self._claims:
            known = self.names()
            hint = did_you_mean(name, known)
            reason = f"unknown {self._what} {name!r}.{hint} Known: {', '.join(known)}"
            raise PluginError("\n".join([reason, *self._faults]))
        return self._claims[name][0]

    def clashes(self) -> list[str]:
        """Return a warning for every name that more than one claims."""
        return [clash for name in sorted(self._claims) if (clash := self._clash(name))]

    def _clash(self, name: str) -> str:
        origins = [str(declared) for _, declared in self._claims.get(name, [])]
        if not origins or (len(origins) == 1 and name not in self._taken):
            return ""
        if name in self._taken:
            owner, others = self._taken[name], " and ".join(origins)
            return f"{self._what} {name!r} of {others} is left out: {owner} has one of that name"
        claims = " and by ".join(origins)
        return f"{self._what} {name!r} is claimed twice: by {claims}. Remove one of them"


def exporters(registry: PluginRegistry) -> Catalogue[Exporter]:
    """Return the formats of all plugins; imports those that could have some."""
    plugins = registry.common_plugins("register_exporters")
    claims = [(each, plugin.declared) for plugin in plugins for each in plugin.exporters]
    return Catalogue("format", claims, faults=registry.warnings())


def themes(registry: PluginRegistry, taken: Collection[str]) -> Catalogue[Theme]:
    """Return the themes of all plugins, beside those that Textual has under the names `taken`."""
    plugins = registry.common_plugins("register_themes")
    claims = [(each, plugin.declared) for plugin in plugins for each in plugin.themes]
    return Catalogue("theme", claims, dict.fromkeys(taken, "Textual"), registry.warnings())
