"""The matches of this user: a small file with their folders, and how far each of them is."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.base.files import LimitError, is_reserved, read_within, replace_text
from cardhub.play.host.saved.saves import home, last_change

FILE = "matches.json"
# The most matches that are remembered, and the maximum size of the file in bytes.
MOST_KNOWN, MOST_BYTES = 100, 1 << 20
CHUNK = 1 << 20


class KnownMatch(NamedTuple):
    """A match by its folder; `planned` is the number of its games, 0 if it is not fixed."""

    folder: Path
    file: Path
    planned: int

    @property
    def command(self) -> str:
        """The command line that plays the match, or continues it."""
        return f"cardhub match {self.file} --out {self.folder}"


class MatchProgress(NamedTuple):
    """How far a match is; `changed` is the time of its last games in seconds since the epoch."""

    match: KnownMatch
    state: Literal["running", "stopped", "finished"]
    games: int
    changed: float

    @property
    def amount(self) -> str:
        """The games so far: `63 of 200 games`, or `63 games`."""
        planned = self.match.planned
        if self.state == "finished" or not planned:
            return f"{self.games} game{'' if self.games == 1 else 's'}"
        return f"{self.games} of {planned} game{'' if planned == 1 else 's'}"


def remember_match(match: KnownMatch) -> None:
    """Add a match to the file, or move it to its end, unless the file cannot be written."""
    kept = [each for each in _known() if each.folder != match.folder][1 - MOST_KNOWN :]
    rows = [
        {"folder": str(each.folder), "file": str(each.file), "planned": each.planned}
        for each in (*kept, match)
    ]
    path = home() / FILE
    # The file only lists matches; a match is not refused because the list cannot be kept.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, json.dumps({"matches": rows}, indent=1) + "\n")


def known_matches() -> list[MatchProgress]:
    """Return the known matches that still exist, the one played last first."""
    found = [progress for match in _known() if (progress := _progress(match))]
    return sorted(found, key=lambda progress: progress.changed, reverse=True)


def _known() -> Iterator[KnownMatch]:
    try:
        found = json.loads(read_within(home() / FILE, MOST_BYTES))
        rows = found["matches"]
        yield from [KnownMatch(Path(r["folder"]), Path(r["file"]), int(r["planned"])) for r in rows]
    except (OSError, LimitError, ValueError, TypeError, KeyError, RecursionError):
        return  # no match yet, or a damaged list: it is written anew with the next match


def _progress(match: KnownMatch) -> MatchProgress | None:
    # Imported here: it takes 10 ms, which most starts of the home screen do not need.
    from cardhub.lab.match.log.log_reader import GAMES, RESULT, read_json

    log = match.folder / GAMES
    try:
        games = max(_count_lines(log) - 1, 0)  # the first line is the header
    except OSError:
        return None  # the folder was removed
    changed = last_change(log) / 1e9
    if is_reserved(log):
        return MatchProgress(match, "running", games, changed)
    result: dict[str, Any] = {}
    with suppress(CardhubError):
        result = read_json(match.folder / RESULT)
    state: Literal["stopped", "finished"] = "finished" if result.get("is_finished") else "stopped"
    return MatchProgress(match, state, games, changed)


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
