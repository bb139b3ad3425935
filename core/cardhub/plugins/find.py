"""Where plugins are looked for."""

from collections.abc import Iterable, Iterator
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path

from cardhub.bots.external.sandbox import Sandbox
from cardhub.plugins.declared import GROUPS, Declared, entry_points
from cardhub.plugins.directory import declared_in
from cardhub.plugins.registry import PluginRegistry
from cardhub.plugins.source import find_source


def find_plugins(
    directories: Iterable[Path] = (), sandbox: Sandbox | None = None
) -> PluginRegistry:
    """Return a registry of the installed plugins and those in `directories`; imports none.

    With a sandbox, the programs of bots run in it.
    """
    folders = [path.absolute() for path in directories]
    found = [*_installed(), *(entry for path in folders for entry in declared_in(path))]
    return PluginRegistry(found, folders, sandbox)


def _installed() -> Iterator[Declared]:
    for group in GROUPS:
        for point in entry_points(group):
            yield _declare(point)


def _declare(point: EntryPoint) -> Declared:
    distribution = point.dist.name if point.dist else "an unknown package"
    version = point.dist.version if point.dist else ""
    source = partial(find_source, point.module)
    return Declared(point.name, point.group, point.value, distribution, version, point.load, source)
