"""The games that a build includes: their modules, and the declarations of their states."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cardhub.base.errors import PluginError
from cardhub.compiling.hot_modules import core_folder, core_modules, package_modules
from cardhub.compiling.native_build import BuildRequest
from cardhub.model.table.state import State
from cardhub.model.table.state_declaration import StateDeclaration
from cardhub.plugins.discovery import PREFIX, Declaration, find_source
from cardhub.plugins.registry import PluginRegistry
from cardhub.plugins.third_party import guarded


@dataclass(frozen=True, slots=True)
class GameSource:
    """A game's plugin: its module, or the module of its package, and the file of that module.

    `load` imports it: those in a directory of plugins cannot be imported by their names.
    """

    name: str
    module: str
    source: Path
    load: Callable[[], object] = lambda: None

    def modules(self) -> Iterator[tuple[str, Path]]:
        """Yield the name and the file of each module that is compiled."""
        return package_modules(self.module, self.source)


def game_sources(registry: PluginRegistry) -> dict[str, GameSource]:
    """Return the sources of all games that are the only game of their plugin, by its name."""
    sources = {}
    for name, declaration in registry.games().items():
        source = _source(name, declaration)
        if source is not None:
            sources[name] = source
    return sources


def chosen_games(sources: Mapping[str, GameSource], wanted: Iterable[str]) -> set[str]:
    """Return the games that are named, or are in a named folder; raises PluginError."""
    chosen: set[str] = set()
    for text in wanted:
        folder = Path(text).resolve()
        inside = {n for n, game in sources.items() if folder in game.source.resolve().parents}
        if text in sources:
            chosen.add(text)
        elif folder.is_dir() and inside:
            chosen |= inside
        else:
            known = ", ".join(sorted(sources))
            raise PluginError(
                f"{text!r} is neither a game nor a folder with one. fix: name one of {known}; "
                "a game in a folder has to be installed, or in a directory of --plugins-dir"
            )
    return chosen


def compilable_games(
    sources: Mapping[str, GameSource], names: Iterable[str], named: Iterable[str]
) -> set[str]:
    """Return the games of `names` that can be compiled; imports their modules.

    Raises PluginError for one of `named`, which the user has asked for.
    """
    wanted = {*names}
    for name in sorted(wanted):
        sources[name].load()
        modules = [importlib.import_module(module) for module, _ in sources[name].modules()]
        values = (value for module in modules for value in vars(module).values())
        if any(isinstance(v, type) and issubclass(v, State) and v.views_field for v in values):
            if name in named:
                raise PluginError(
                    f"{name} cannot be compiled, because it has secrets other than cards. "
                    "fix: leave it out; it runs interpreted"
                )
            wanted.discard(name)
    return wanted


def build_request(games: Iterable[GameSource], optimization: str = "3") -> BuildRequest:
    """Return all that is compiled for these games; imports their modules."""
    modules = dict(core_modules())
    packages = {"cardhub": core_folder()}
    states: dict[str, Mapping[str, StateDeclaration]] = {}
    for game in games:
        game.load()
        if game.source.name == "__init__.py":
            packages[game.module] = game.source.parent
        for name, path in game.modules():
            modules[name] = path
            values = vars(importlib.import_module(name)).values()
            kinds = (
                value for value in values if isinstance(value, type) and issubclass(value, State)
            )
            states[name] = {k.__name__: k._declaration for k in kinds if k.__module__ == name}
    return BuildRequest(modules, packages, states, optimization)


def _source(name: str, declared: Declaration) -> GameSource | None:
    if declared.value.endswith(".py"):  # in a directory of plugins
        module, source = PREFIX + declared.name, declared.source()
    else:
        module = declared.value.partition(":")[0].partition(".")[0]
        source = find_source(module)
    if source is None or source.suffix != ".py":
        return None
    load = partial(guarded, declared, "cannot be imported", declared.fetch)
    return GameSource(name, module, source, load)
