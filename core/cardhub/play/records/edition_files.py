"""Editions kept as files beside saved games: the cards of an edition and the game's sources.

Each edition has one file, however many games were played with it.
"""

import re
from pathlib import Path
from typing import Any

import msgspec

from cardhub.base.errors import RecordError
from cardhub.base.files import files_below, replace_text
from cardhub.model.game.game import Game
from cardhub.play.records.edition import Edition, Package, card_facts, edition_of, package_of
from cardhub.plugins.discovery import PREFIX

FORMAT = 1
# Larger packages are not kept: then a game can be played on with its present edition only.
MOST_BYTES = 1_000_000
# Endings of data that a game of a single file has beside it.
DATA = (".yaml", ".yml", ".toml", ".json", ".csv", ".md", ".svg", ".txt")
_SAFE = re.compile(r"[\w-]+")


class KeptEdition(msgspec.Struct, frozen=True):
    """The content of a file: the facts of the cards by name, and the sources by relative path.

    `package` is the name to import; the sources may be empty, if they are too large.
    """

    cardhub_edition: int
    game: str
    version: str
    edition: Edition
    cards: dict[str, dict[str, Any]]
    package: str
    sources: dict[str, str]

    @property
    def is_plugin_file(self) -> bool:
        """Whether the game came from a plugins directory, not from an installed package."""
        return self.package.startswith(PREFIX)


def edition_path(folder: Path, game: str, edition: Edition) -> Path:
    """Return the path of an edition's file in the folder of editions."""
    name = "-".join(_SAFE.findall(game))
    return folder / f"{name}-{edition.cards}-{edition.rules or 'none'}.json"


def keep_edition(game: Game[Any], folder: Path) -> None:
    """Write the installed edition of a game, unless it is kept already; raises OSError."""
    edition = edition_of(game)
    path = edition_path(folder, game.name, edition)
    if path.exists():
        return
    package = package_of(game)
    sources = {} if package is None else _sources(package)
    name = "" if package is None else package.name
    facts = card_facts(game)
    kept = KeptEdition(FORMAT, game.name, game.version, edition, facts, name, sources)
    folder.mkdir(parents=True, exist_ok=True)
    replace_text(path, msgspec.json.encode(kept).decode())


def read_edition(folder: Path, game: str, edition: Edition) -> KeptEdition | None:
    """Return a kept edition, or None if there is no valid file for it."""
    try:
        data = edition_path(folder, game, edition).read_bytes()
        kept = msgspec.json.decode(data, type=KeptEdition)
    except (OSError, ValueError):
        return None
    return kept if kept.cardhub_edition == FORMAT and kept.edition == edition else None


def unpack(kept: KeptEdition, folder: Path) -> None:
    """Write the sources of an edition below a folder, to be imported; raises RecordError."""
    for name, text in kept.sources.items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise RecordError(f"the kept edition of {kept.game} has an invalid path: {name!r}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")


def _sources(package: Package) -> dict[str, str]:
    """Return the text files of a package by path below its parent; empty if they are too large."""
    place, sources, size = package.place, dict[str, str](), 0
    for path in _files(place):
        try:
            data = path.read_bytes()
            text = data.decode()
        except (OSError, UnicodeDecodeError):
            continue  # compiled code or pictures: the source and the rules do without
        size += len(data)
        if size > MOST_BYTES:
            return {}
        sources[path.relative_to(place.parent).as_posix()] = text
    return sources


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return files_below(place)
    # The module comes first, because the game is found again by it; data such as cards follow.
    data = [path for path in sorted(place.parent.iterdir()) if path.suffix in DATA]
    return [place, *filter(Path.is_file, data)]
