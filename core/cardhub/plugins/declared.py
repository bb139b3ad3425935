"""Plugins as they are declared: their names are known, nothing of them is imported."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from cardhub.plugins.source import mentions, summarize_file

GAMES = "cardhub.games"
PLUGINS = "cardhub.plugins"
GROUPS = (GAMES, PLUGINS)


@dataclass(frozen=True, slots=True)
class Declared:
    """One plugin by name.

    `value` says what is imported: `module`, `module:GameClass`, or a path in a plugins directory.
    `distribution` is the installed package it belongs to, or that directory.
    """

    name: str
    group: str
    value: str
    distribution: str
    version: str
    fetch: Callable[[], object] = field(compare=False, repr=False)
    source: Callable[[], Path | None] = field(compare=False, repr=False)
    """Finds the file of its module without importing anything; None if it cannot be told."""

    def __str__(self) -> str:
        return f"plugin {self.name!r} of {self.origin}"

    def summarize(self) -> str:
        """Return the first line of its docstring, or nothing; imports nothing."""
        source = self.source()
        return summarize_file(source, self.value.partition(":")[2]) if source else ""

    def may_have(self, hook: str) -> bool:
        """Return whether a hook could be in it, as far as its source alone tells."""
        source = self.source()
        return source is None or mentions(source, hook)

    @property
    def origin(self) -> str:
        """Where the plugin comes from: distribution and version."""
        return f"{self.distribution} {self.version}".rstrip()


def entry_points(group: str) -> metadata.EntryPoints:
    """Return what installed packages declare in a group."""
    return metadata.entry_points(group=group)
