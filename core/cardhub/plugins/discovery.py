"""Discovery of plugins, without imports: installed entry points, files of plugins directories."""

import ast
import importlib.util
import os
import re
import sys
import tokenize
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

from cardhub.base.errors import PluginError
from cardhub.base.native import native_spec
from cardhub.plugins.groups import GAMES, GROUPS, OWN, PLUGINS

# Prefix of module names in a plugins directory: without it a file could hide an installed module.
PREFIX = "cardhub_plugins_dir_"
# The variable with the names of plugins that are left out, separated by spaces. A variable, because
# the processes of bots and searches have to leave out the same plugins.
NO_PLUGIN = "CARDHUB_NO_PLUGIN"
# The variable with the plugins directories, separated as in PATH.
PLUGINS_DIR = "CARDHUB_PLUGINS_DIR"
# Stands between a distribution and the name of one of its games, bots or other objects.
FROM = "/"
# A requirement of cardhub with a version: `cardhub>=2` or `cardhub[web] (>=2); extra == "x"`.
_NEEDS = re.compile(r"cardhub\s*(\[[^]]*\])?\s*\(?\s*[<>=!~]", re.IGNORECASE)
_GAME = re.compile(r"(\w+\.)*Game(\[.*\])?", re.DOTALL)
# The number of files of plugins directories whose outlines are kept.
MOST_OUTLINES = 256


@dataclass(frozen=True, slots=True)
class Declaration:
    """A plugin by name, not imported yet.

    `value` is the import target: `module`, `module:GameClass`, or a path in a plugins directory.
    `distribution` is the installed package that declares it, or that directory.
    """

    name: str
    group: str
    value: str
    distribution: str
    version: str
    fetch: Callable[[], object] = field(compare=False, repr=False)
    """Imports the target."""
    source: Callable[[], Path | None] = field(compare=False, repr=False)
    """Finds the file of the module without importing it; None if that is not possible."""
    needs: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The distribution's requirements of cardhub that name a version."""

    def __str__(self) -> str:
        return f"plugin {self.name!r} of {self.origin}"

    @property
    def origin(self) -> str:
        """The distribution and its version."""
        return f"{self.distribution} {self.version}".rstrip()

    @property
    def full_name(self) -> str:
        """The name with the distribution, which no other distribution can have."""
        return self.full_name_of(self.name)

    @property
    def is_own(self) -> bool:
        """Whether it comes with cardhub: its names are reserved."""
        return self.distribution == OWN

    @property
    def is_guest(self) -> bool:
        """Whether it is a third-party plugin for any game, such as one that brings only bots."""
        return self.group == PLUGINS and self.distribution != OWN

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The names that leave the plugin out: its own, its distribution's, and both."""
        both = f"{self.distribution}/{self.name}"
        return self.name, self.distribution, both, self.full_name

    def full_name_of(self, name: str) -> str:
        """Return the name of an object of the plugin with the distribution: `cardhub-mau/mau`.

        A plugins directory gives its last part, because records must not contain its path.
        """
        return f"{Path(self.distribution).name}{FROM}{name}"

    def summarize(self) -> str:
        """Return the first line of the docstring, or an empty string, without an import."""
        source = self.source()
        return summarize_file(source, self.value.partition(":")[2]) if source else ""

    def may_have(self, hook: str) -> bool:
        """Return False if the source shows that the plugin does not implement a hook."""
        source = self.source()
        text = _read_text(source) if source else None
        return text is None or hook in text or "import *" in text


def declare_plugins(directories: Iterable[Path]) -> list[Declaration]:
    """Return declarations of the installed plugins and those in `directories`; imports none.

    Plugins that the environment variable CARDHUB_NO_PLUGIN names are left out.
    """
    excluded = frozenset(os.environ.get(NO_PLUGIN, "").split())
    return [d for d in declare_all(directories) if excluded.isdisjoint(d.names)]


def usual_directories() -> list[Path]:
    """Return the plugins directories that the environment variable CARDHUB_PLUGINS_DIR names."""
    named = os.environ.get(PLUGINS_DIR, "").split(os.pathsep)
    return [Path(name).absolute() for name in named if name]


def declare_all(directories: Iterable[Path]) -> Iterator[Declaration]:
    """Yield declarations of plugins as `declare_plugins`, but leave none out."""
    yield from _read_metadata(tuple((folder, _time_of_change(folder)) for folder in sys.path))
    for path in directories:
        yield from declared_in(path.absolute())


def declared_in(directory: Path) -> Iterator[Declaration]:
    """Yield a plugin for each `*.py` file and each package of a directory."""
    try:
        paths = sorted(directory.iterdir())
    except OSError as error:
        reason = f"cannot read the plugins directory {directory}: {error.strerror}"
        raise PluginError(reason) from error
    # The directory may have other files: data of plugins, notes, folders without Python code.
    for path in paths:
        source = path / "__init__.py" if path.is_dir() else path
        name = path.name if path.is_dir() else path.stem
        if source.suffix == ".py" and source.is_file() and name.isidentifier():
            yield from _declare_file(name, source, directory)


def find_source(module: str) -> Path | None:
    """Return the file of a module without importing its parent packages, or None."""
    # find_spec("a.b") would import `a`; walking down from the top-level package does not.
    parts = module.split(".")
    try:
        spec = importlib.util.find_spec(parts[0])
        for end in range(2, len(parts) + 1):
            folders = spec.submodule_search_locations if spec else None
            spec = PathFinder.find_spec(".".join(parts[:end]), folders) if folders else None
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def summarize_file(path: Path, attribute: str = "") -> str:
    """Return the first docstring line of a file, or of the class `attribute` in it."""
    tree = parse_source(path)
    if tree is None:
        return ""
    named = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == attribute]
    docstring = ast.get_docstring(named[0] if named else tree) or ""
    return docstring.partition("\n")[0]


def parse_source(path: Path) -> ast.Module | None:
    """Parse a Python file; return its syntax tree, or None if it is not readable or valid."""
    text = _read_text(path)
    return None if text is None else _parse(text)


def _parse(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # shown when the module is imported, not here
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=1)
def _read_metadata(_folders: tuple[tuple[str, int | None], ...]) -> tuple[Declaration, ...]:
    """Return declarations of the packages in these folders, each with its time of change.

    Reading the metadata of all packages takes longer than anything else that finds plugins, so an
    environment that is made or a page that is built does not repeat it.
    """
    # One call for all groups, because each call reads the metadata of all installed packages.
    points = metadata.entry_points()
    described = cache(_describe)
    return tuple(
        _declare(point, *described(point.dist))
        for group in GROUPS
        for point in points.select(group=group)
    )


def _declare(
    point: metadata.EntryPoint, name: str, version: str, needs: tuple[str, ...]
) -> Declaration:
    source = partial(find_source, point.module)
    return Declaration(
        point.name, point.group, point.value, name, version, point.load, source, needs
    )


def _time_of_change(folder: str) -> int | None:
    try:
        return Path(folder).stat().st_mtime_ns  # changes if a package is installed or removed
    except OSError:
        return None


def _describe(distribution: metadata.Distribution | None) -> tuple[str, str, tuple[str, ...]]:
    """Return name, version and needed versions of cardhub; a distribution's metadata are parsed."""
    if distribution is None:
        return "an unknown package", "", ()
    described = distribution.metadata
    needs = filter(_NEEDS.match, described.get_all("Requires-Dist") or ())
    return described["Name"], described["Version"], tuple(needs)


def _declare_file(name: str, source: Path, directory: Path) -> Iterator[Declaration]:
    fetch = cache(partial(_import_file, name, source))  # one import, even if it is in both groups
    for group in _groups(source):
        yield Declaration(name, group, str(source), str(directory), "", fetch, lambda: source)


def _groups(source: Path) -> list[str]:
    from cardhub.plugins.hookspecs import HOOKS  # loads bots; installed plugins do without

    # Without an entry point only the source shows the group; an import would run the plugin's code.
    functions, _ = _outline(_read_text(source))
    is_common = any(hook.name in functions for hook in HOOKS.values() if PLUGINS in hook.groups)
    is_game = not is_common or "register_games" in functions or _defines_game(source)
    return [group for group, fits in ((GAMES, is_game), (PLUGINS, is_common)) if fits]


def _defines_game(source: Path) -> bool:
    files = source.parent.rglob("*.py") if source.name == "__init__.py" else [source]
    return any(has_game for _, has_game in map(_outline, map(_read_text, files)))


@lru_cache(maxsize=MOST_OUTLINES)
def _outline(text: str | None) -> tuple[frozenset[str], bool]:
    """Return the names of a module's functions, and whether it defines a class of a game.

    Equal texts are parsed once: a program reads its folders of plugins for each registry.
    """
    tree = None if text is None else _parse(text)
    if tree is None:
        return frozenset(), False
    functions = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    # Game or Game[...], however it was imported.
    bases = (ast.unparse(base) for node in classes for base in node.bases)
    return functions, any(map(_GAME.fullmatch, bases))


def _read_text(path: Path) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return None


def _import_file(name: str, source: Path) -> ModuleType:
    # The directory is not added to sys.path: its files cannot hide modules of installed packages.
    full_name = PREFIX + name
    package = [str(source.parent)] if source.name == "__init__.py" else None
    spec = native_spec(full_name, source) or importlib.util.spec_from_file_location(
        full_name, source, submodule_search_locations=package
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{source} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module  # dataclasses look up their module while they are defined
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full_name]
        raise
    return module
