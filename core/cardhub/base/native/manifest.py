"""The manifest of a folder of compiled modules: what was built, from which sources, by whom."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import NamedTuple

from cardhub.base.native.folder import MANIFEST, build_folder

# Changes whenever what is compiled, or how, changes without a change of the sources.
FORMAT = 2
# Sources below this folder, which holds the core's package, are written relative to it. So the
# modules can be installed anywhere together with their sources.
HOME = Path(__file__).parents[3]


class Manifest(NamedTuple):
    """The content of a folder of compiled modules.

    `modules` has by name the source of each compiled module, `sources` by path the hash of each
    source that belongs to the build; `games` are the names of the compiled games. `suffix` is the
    ending of the files, which names the version of Python and the platform.
    """

    suffix: str
    format: int
    games: tuple[str, ...]
    modules: Mapping[str, str]
    sources: Mapping[str, str]

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
    games: Iterable[str], modules: Mapping[str, Path], sources: Mapping[Path, str]
) -> Manifest:
    """Return the manifest of modules that this Python has built, from sources with these hashes."""
    return Manifest(
        EXTENSION_SUFFIXES[0],
        FORMAT,
        tuple(sorted(games)),
        {name: _relative(path) for name, path in modules.items()},
        {_relative(path): known for path, known in sources.items()},
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
    return f"interpreted: {changed.name} has changed" if changed else "compiled"


def _relative(path: Path) -> str:
    return (path.relative_to(HOME) if path.is_relative_to(HOME) else path).as_posix()


def _is_valid(manifest: Manifest) -> bool:
    """Return whether all values are texts, and all files lie in the folder of the manifest."""
    names, sources = manifest.modules, manifest.sources
    texts = (manifest.suffix, *manifest.games, *names.values(), *sources, *sources.values())
    # A file is named after its module.
    are_names = all(name.replace(".", "_").isidentifier() for name in names)
    return are_names and all(isinstance(each, str) for each in texts)
