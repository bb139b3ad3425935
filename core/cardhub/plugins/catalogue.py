"""Catalogues: registered objects by name, and the errors for unknown and ambiguous names."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import listed
from cardhub.plugins.discovery import FROM, Declaration
from cardhub.plugins.groups import OWN


class HasName(Protocol):
    """An object with a name."""

    @property
    def name(self) -> str:
        """The name of the object, as users type it."""
        ...


def ignored(name: str, origins: Iterable[object], owner: str) -> str:
    """Return the warning for a name, such as `bot 'random'`, that plugins take from its owner."""
    return f"{name} of {listed(list(map(str, origins)))} is ignored: the name belongs to {owner}"


def claimed_twice(kind: str, name: str, claims: Iterable[Declaration]) -> str:
    """Return the error message for a name that several plugins claim, with the remedy."""
    plugins = list(claims)
    full = full_names(name, plugins)
    if full:
        remedy = f"write {' or '.join(full)}"
    else:
        remedy = f"leave one out: --no-plugin {plugins[-1].names[2]}"
    origins = " and by ".join(map(str, plugins))
    return f"{kind} {name!r} is claimed twice: by {origins}. fix: {remedy}"


def full_names(name: str, claims: Sequence[Declaration]) -> list[str]:
    """Return a claimed name with the distribution of each plugin; none if two are equal."""
    full = [declared.full_name_of(name) for declared in claims]
    return full if len(set(full)) == len(full) else []


T = TypeVar("T", bound=HasName)


class Catalogue(Generic[T]):
    """Objects of one kind by name, each with the plugin that registers it.

    `reserved` maps names that no plugin can use to their owners. Names of cardhub's own plugins
    belong to cardhub. `warnings` are appended to the error for an unknown name. A name that two
    other plugins claim is an error when it is looked up; with the distribution, `one-package/name`,
    it is found.
    """

    def __init__(
        self,
        kind: str,
        claims: Iterable[tuple[T, Declaration]],
        reserved: Mapping[str, str] | None = None,
        warnings: Collection[str] = (),
    ) -> None:
        self._kind = kind
        self._warnings = warnings
        self._reserved = dict(reserved or {})
        # Clashes are errors of a lookup, not of the plugins: all other names stay usable.
        self._claims: dict[str, list[tuple[T, Declaration]]] = {}
        # By name and owner, the plugins that cannot have it.
        self._ignored: dict[tuple[str, str], list[Declaration]] = {}
        for thing, declared in sorted(claims, key=lambda claim: not claim[1].is_own):
            name, claimed = thing.name, self._claims.get(thing.name, [])
            is_taken = bool(claimed) and claimed[0][1].is_own and not declared.is_own
            if owner := self._reserved.get(name, OWN if is_taken else ""):
                self._ignored.setdefault((name, owner), []).append(declared)
            else:
                self._claims[name] = [*claimed, (thing, declared)]

    def __iter__(self) -> Iterator[tuple[T, Declaration]]:
        """Yield the objects with unambiguous names and their plugins, sorted by name."""
        for name in sorted(self._claims):
            if not self._clash(name):
                yield self._claims[name][0]

    def __contains__(self, name: str) -> bool:
        """Return whether at least one plugin claims a name."""
        is_ignored = any(name == ignored for ignored, _ in self._ignored)
        return is_ignored or bool(self._claims_of(name))

    def names(self) -> list[str]:
        """Return the names that can be looked up, and the reserved ones."""
        names = [*self._reserved]
        for name, claims in self._claims.items():
            is_clear = len(claims) == 1
            names += [name] if is_clear else full_names(name, [declared for _, declared in claims])
        return sorted(names)

    def get(self, name: str) -> tuple[T, Declaration]:
        """Return an object and its plugin; raises PluginError with a suggestion."""
        if clash := self._clash(name):
            raise PluginError(clash)
        claims = self._claims_of(name)
        if not claims:
            if name in self:
                raise PluginError("\n".join(self._warnings_of(name)))
            known = self.names()
            hint = did_you_mean(name, known)
            reason = f"unknown {self._kind} {name!r}.{hint} Known: {', '.join(known)}"
            raise PluginError("\n".join([reason, *self._warnings]))
        return claims[0]

    def clashes(self) -> list[str]:
        """Return a warning for every name that is reserved or claimed twice."""
        names = sorted({*self._claims, *(name for name, _ in self._ignored)})
        return [warning for name in names for warning in self._warnings_of(name)]

    def _warnings_of(self, name: str) -> Iterator[str]:
        for (taken, owner), plugins in self._ignored.items():
            if taken == name:
                yield ignored(f"{self._kind} {name!r}", plugins, owner)
        if clash := self._clash(name):
            yield clash

    def _claims_of(self, name: str) -> list[tuple[T, Declaration]]:
        """Return the claims of a name, with or without a distribution; own names have none."""
        _, slash, bare = name.rpartition(FROM)
        if not slash:
            return self._claims.get(name, [])
        claims = self._claims.get(bare, [])
        return [
            (thing, declared)
            for thing, declared in claims
            if not declared.is_own and declared.full_name_of(bare) == name
        ]

    def _clash(self, name: str) -> str:
        origins = [declared for _, declared in self._claims_of(name)]
        return claimed_twice(self._kind, name, origins) if len(origins) > 1 else ""
