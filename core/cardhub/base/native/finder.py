"""The import of compiled modules, in place of the sources that they were built from."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from typing_extensions import override

from cardhub.base.native.manifest import HOME, read_manifest

# The name of the group of all compiled modules, and the library that has the code of all of them.
GROUP = "cardhub_compiled"
LIBRARY = f"{GROUP}__mypyc"


class NativeLoader(ExtensionFileLoader):
    """Loads a compiled module, which names its source as its file, as if it were interpreted.

    Games read data beside their sources, and a match's provenance has the digests of sources.
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
    def modules(self) -> Mapping[str, Path]:
        """The sources of all modules by name; none if any source has changed since the build.

        Compiled modules rely on the layout of one another's classes.
        """
        manifest = read_manifest(self._folder)
        if manifest is None or not manifest.is_own or any(manifest.changed()):
            return {}
        return {name: HOME / source for name, source in manifest.modules.items()}

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

    def _file(self, name: str) -> Path:
        return self._folder / (name.replace(".", "/") + EXTENSION_SUFFIXES[0])


def spec_of(name: str, source: Path) -> ModuleSpec | None:
    """Return the spec of the compiled module with this source; None if it is not compiled."""
    return next(filter(None, (each.spec_of(name, source) for each in _finders())), None)


def source_of(name: str) -> str:
    """Return the path of the source of a compiled module, which asks for it first of all.

    Compiled modules import one another without the import system.
    """
    return str(next(each.modules[name] for each in _finders() if name in each.modules))


def document(documented: object, docstring: str) -> None:
    """Give a compiled class its docstring, which mypyc leaves out."""
    documented.__doc__ = docstring


def _finders() -> Iterator[NativeFinder]:
    return (each for each in sys.meta_path if isinstance(each, NativeFinder))


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
