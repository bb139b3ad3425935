"""Provenance: versions and source digests of games and bots, fixed for the whole match."""

import inspect
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.machinery import ModuleSpec
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shlex import split
from typing import Any

from cardhub.base.files import is_file
from cardhub.lab.match.match_spec import Contest, Entrant, Match, digest
from cardhub.model.game.game import Game
from cardhub.plugins.bot_index import BotPart
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.registry import PluginRegistry

_HOME = Path(__file__).parents[2]
# Folders of cardhub that no game or bot imports, so they cannot change a game.
FRONT_ROOMS = frozenset(
    {"cli", "tui", "testing", "lab/analysis", "lab/bundle", "lab/report", "lab/study"}
)
# The ends of the names of source files.
SUFFIXES = (".py", ".yaml")
_FRONT_FOLDERS = frozenset(str(_HOME / room) for room in FRONT_ROOMS)


def versions_of(match: Match, registry: PluginRegistry) -> dict[str, Any]:
    """Return versions and source digests of games and bots as data for JSON; raises PluginError.

    SHA-256 digests cover the sources of packages, of plugins in a folder, and the files that the
    command of a program or an option of a bot names; of a team they cover its folder.
    """
    return {
        **game_versions(match.contests, registry),
        "bots": {e.id: _bot_versions(match, e, registry) for e in match.entrants},
    }


def _bot_versions(match: Match, entrant: Entrant, registry: PluginRegistry) -> list[str]:
    if entrant.team is not None:
        return [f"team sha256:{entrant.team.sha256}"]
    return sorted(set(sources_of(_parts(match, entrant, registry))))


def game_versions(contests: Iterable[Contest], registry: PluginRegistry) -> dict[str, Any]:
    """Return the part of `versions_of` that does not depend on the bots; raises PluginError."""
    return {
        "cardhub": cardhub_version(),
        "python": ".".join(map(str, sys.version_info[:2])),
        "numpy": version("numpy"),
        "games": {c.game: game_version(registry.game(c.game)) for c in contests},
    }


def changed_sources(
    versions: Mapping[str, Any], contests: Iterable[Contest], registry: PluginRegistry
) -> list[str]:
    """Return the games, and cardhub, whose sources differ now from these `versions`."""
    now = game_versions(contests, registry)
    names = [name for name, version in now["games"].items() if versions["games"][name] != version]
    return [*names, *(["cardhub"] if versions["cardhub"] != now["cardhub"] else [])]


def clock_dependent_bots(match: Match, registry: PluginRegistry) -> list[str]:
    """Return the bots that look at the clock: in the same state they may act differently."""
    return [
        entrant.id
        for entrant in match.entrants
        if any(part.looks_at_clock for part in _parts(match, entrant, registry))
    ]


def _parts(match: Match, entrant: Entrant, registry: PluginRegistry) -> Iterator[BotPart]:
    games = dict.fromkeys(match.contest(contest).game for contest in entrant.plays)
    for game in games:
        yield from registry.parts(entrant.use, game)


def sources_of(parts: Iterable[BotPart]) -> Iterator[str]:
    """Yield the versions and digests of the sources of a bot's parts."""
    for part in parts:
        yield _cardhub() if part.origin is None else _plugin(part.origin)
        words = map(Path, split(part.command))
        yield from source_digests([*filter(is_file, words), *part.files])


def source_digests(files: Iterable[Path]) -> Iterator[str]:
    """Yield the name of each file with the digest of its present content."""
    for path in files:
        yield f"{path.name} {_digest([str(path)])}"


@cache
def _cardhub() -> str:
    return cardhub_version()


def cardhub_version() -> str:
    """Return the version of cardhub, with the digest of its present sources."""
    # Without front rooms: a match can be continued after a change of screens or reports.
    rooms = [entry for entry in _HOME.iterdir() if entry.is_dir()]
    rules = [path for room in rooms for path in _in(room, omitted=_FRONT_FOLDERS)]
    return f"cardhub {version('cardhub')} {_digest(rules)}"


def game_version(game: Game[Any]) -> str:
    """Return the version of a game, with the digest of the present sources in its folder."""
    folder = Path(inspect.getfile(type(game))).parent
    return f"{game.version} {_digest(_in(folder))}"


def _plugin(origin: Declaration) -> str:
    if not origin.version:
        source = Path(origin.value)
        files = _in(source.parent) if source.name == "__init__.py" else [str(source)]
        return f"{origin.name} {_digest(files)}"
    spec = find_spec(origin.value.partition(":")[0].partition(".")[0])
    files = [path for place in _places(spec) for path in _in(place)]
    return f"{origin.name} of {origin.origin} {_digest(files)}"


def _places(spec: ModuleSpec | None) -> Iterator[Path]:
    if spec is not None and spec.submodule_search_locations:
        yield from map(Path, spec.submodule_search_locations)
    elif spec is not None and spec.origin:
        yield Path(spec.origin)


def _in(place: Path, omitted: Collection[str] = ()) -> list[str]:
    """Return the sources within a folder, except in the `omitted` folders; or the file itself."""
    if not place.is_dir():
        return [str(place)]
    # Strings, because a path of pathlib takes as long as its file's status.
    sources: list[str] = []
    for folder, subfolders, names in os.walk(place):
        if folder in omitted:
            subfolders.clear()
            continue
        sources += [f"{folder}{os.sep}{name}" for name in names if name.endswith(SUFFIXES)]
    return sources


def _digest(paths: Iterable[str]) -> str:
    # Names without folders, because the digest must not depend on where sources are installed.
    digests = sorted((path.rpartition(os.sep)[2], _file_digest(path)) for path in paths)
    return f"sha256:{digest(digests)}"


def _file_digest(path: str) -> str:
    status = os.stat(path)  # noqa: PTH116  # of a thousand files a match
    # A file is read again only if it has been written since, because matches ask for all sources.
    return _content_digest(path, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _content_digest(path: str, _modified: int, _changed: int, _size: int) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()
