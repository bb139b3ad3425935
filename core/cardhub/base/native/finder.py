"""The import of compiled modules, in place of the sources that they were built from."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import NamedTuple

from typing_extensions import override

from cardhub.base.native.folder import MANIFEST, build_folder

# Changes whenever what is compiled, or how, changes without a change of the sources.
FORMAT = 6
# Sources below this folder, which holds the core's package, are written relative to it. So the
# modules can be installed anywhere together with their sources.
HOME = Path(__file__).parents[3]
# The folder of modules with rules in C, within the folder of compiled modules.
RULES_FOLDER = "rules"


class Manifest(NamedTuple):
    """The content of a folder of compiled modules.

    `modules` has by name the source of each compiled module, `sources` by path the hash of each
    source that belongs to the build; `games` are the names of the compiled games. `suffix` is the
    ending of the files, which names the version of Python and the platform. `rules` has by game why
    there is no module with its rules in C, an empty text if there is one.
    """

    suffix: str
    format: int
    games: tuple[str, ...]
    modules: Mapping[str, str]
    sources: Mapping[str, str]
    rules: Mapping[str, str] = MappingProxyType({})

    @property
    def is_own(self) -> bool:
        """Whether it was built by this version of Python and of cardhub."""
        return self.suffix == EXTENSION_SUFFIXES[0] and self.format == FORMAT

    def changed(self) -> Iterator[Path]:
        """Yield the sources that are missing or differ from those that were compiled."""
        for source, known in self.sources.items():
            if digest(HOME / source) != known:
                yield HOME / source

    def as_json(self) -> str:
        """Return the manifest as it is written."""
        return json.dumps(self._asdict(), indent=1) + "\n"


def manifest_of(
    games: Iterable[str],
    modules: Mapping[str, Path],
    sources: Mapping[Path, str],
    rules: Mapping[str, str] | None = None,
) -> Manifest:
    """Return the manifest of modules that this Python has built, from sources with these hashes."""
    return Manifest(
        EXTENSION_SUFFIXES[0],
        FORMAT,
        tuple(sorted(games)),
        {name: _relative(path) for name, path in modules.items()},
        {_relative(path): known for path, known in sources.items()},
        dict(rules or {}),
    )


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder; None if it has none that can be read."""
    try:
        fields = json.loads((folder / MANIFEST).read_text("utf-8"))
        fields["games"] = tuple(fields["games"])
        manifest = Manifest(**fields)
        return manifest if _is_valid(manifest) else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def digest(path: Path) -> str:
    """Return the hash of a file, empty if it cannot be read."""
    try:
        return blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def build_status(game: str) -> str:
    """Return how the rules of a game run: `compiled`, `interpreted`, or why not compiled."""
    folder = build_folder()
    manifest = read_manifest(folder) if folder else None
    if manifest is None or game not in manifest.games:
        return "interpreted"
    if not manifest.is_own:
        return "interpreted: compiled by another version"
    changed = next(manifest.changed(), None)
    if changed:
        return f"interpreted: {changed.name} has changed"
    return "compiled" if manifest.rules.get(game, "-") else "compiled, rules in C"


def rules_module(game: str) -> str:
    """Return the name of the module with the rules of a game in C."""
    return f"{re.sub(r'[^0-9A-Za-z_]', '_', game)}_rules"


def load_rules(game: str, source: Path) -> ModuleType | None:
    """Return the module with the rules of a game in C; None if there is none for this source."""
    return next(filter(None, (finder.load_rules(game, source) for finder in _finders())), None)


def _relative(path: Path) -> str:
    return (path.relative_to(HOME) if path.is_relative_to(HOME) else path).as_posix()


def _is_valid(manifest: Manifest) -> bool:
    """Return whether all values are texts, and all files are in the folder of the manifest."""
    names, sources = manifest.modules, manifest.sources
    texts = (manifest.suffix, *manifest.games, *names.values(), *sources, *sources.values())
    texts = (*texts, *manifest.rules, *manifest.rules.values())
    # A file is named after its module.
    are_names = all(name.replace(".", "_").isidentifier() for name in names)
    return are_names and all(isinstance(text, str) for text in texts)


# The name of the group of all compiled modules, and the library that has the code of all of them.
GROUP = "cardhub_compiled"
LIBRARY = f"{GROUP}__mypyc"


class NativeLoader(ExtensionFileLoader):
    """Loads a compiled module, which names its source as its file, as if it were interpreted.

    Games read data from the folder of their sources, and a match's provenance has the digests of
    sources.
    """

    @override
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        library = spec_from_file_location(spec.name, self.path, loader=self)
        return super().create_module(library or spec)

    @override
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if module.__spec__ is not None:
            module.__file__ = module.__spec__.origin


class NativeFinder(MetaPathFinder):
    """Finds compiled modules before Python finds their sources."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def manifest(self) -> Manifest | None:
        """The manifest of the folder; None if any source has changed since the build.

        Compiled modules rely on the layout of one another's classes.
        """
        manifest = read_manifest(self._folder)
        if manifest is None or not manifest.is_own or any(manifest.changed()):
            return None
        return manifest

    @cached_property
    def modules(self) -> Mapping[str, Path]:
        """The sources of all modules by name; none if any source has changed since the build."""
        if self.manifest is None:
            return {}
        return {name: HOME / source for name, source in self.manifest.modules.items()}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec of a compiled module; None leaves the module to the other finders."""
        if fullname == LIBRARY and self.modules:
            return spec_from_file_location(fullname, self._file(fullname))
        source = self.modules.get(fullname)
        if source is None or not _is_found(fullname, source, path):
            return None
        return self.spec_of(fullname, source)

    def spec_of(self, name: str, source: Path) -> ModuleSpec | None:
        """Return the spec of the compiled module with this source; None if it is not compiled."""
        known = self.modules.get(name)
        if known is None or not _is_same(known, source):
            return None
        file = self._file(name)
        if not file.exists():
            # Other compiled modules refer to it: its source cannot take its place.
            why = f"compiled module {name} has been deleted. fix: start this program again"
            raise ImportError(why, name=name)
        return spec_from_file_location(name, source, loader=NativeLoader(name, str(file)))

    def load_rules(self, game: str, source: Path) -> ModuleType | None:
        """Return the module with the rules of a game in C; None if there is none for this source.

        A game of the same name, from another folder, has other rules.
        """
        manifest = self.manifest
        if manifest is None or manifest.rules.get(game, "-"):
            return None
        if not any(_is_same(HOME / known, source) for known in manifest.sources):
            return None
        name = f"{GROUP}.{rules_module(game)}"
        if name not in sys.modules:
            file = self._folder / RULES_FOLDER / (rules_module(game) + EXTENSION_SUFFIXES[0])
            spec = spec_from_file_location(name, file)
            assert spec is not None
            assert spec.loader is not None
            try:
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
            except ImportError:  # deleted, or built for another system
                return None
            sys.modules[name] = module
        return sys.modules[name]

    def _file(self, name: str) -> Path:
        return self._folder / (name.replace(".", "/") + EXTENSION_SUFFIXES[0])


def spec_of(name: str, source: Path) -> ModuleSpec | None:
    """Return the spec of the compiled module with this source; None if it is not compiled."""
    return next(filter(None, (finder.spec_of(name, source) for finder in _finders())), None)


def source_of(name: str) -> str:
    """Return the path of the source of a compiled module, which asks for it first of all.

    Compiled modules import one another without the import system.
    """
    return str(next(finder.modules[name] for finder in _finders() if name in finder.modules))


def document(documented: object, docstring: str) -> None:
    """Give a compiled class its docstring, which mypyc leaves out."""
    documented.__doc__ = docstring


def _finders() -> Iterator[NativeFinder]:
    return (finder for finder in sys.meta_path if isinstance(finder, NativeFinder))


def _is_found(name: str, source: Path, folders: Sequence[str] | None) -> bool:
    """Return whether Python would find this source for a module: another may have its name."""
    if folders is not None:
        return any(_is_same(Path(folder), source.parent) for folder in folders)
    spec = PathFinder.find_spec(name)
    return spec is not None and spec.origin is not None and _is_same(Path(spec.origin), source)


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path == other or path.samefile(other)
    except OSError:
        return False
