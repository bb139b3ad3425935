"""The matches of this user: a small file with their folders, and the progress of each match."""

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
    """A match by its folder; `planned` is the number of its games, 0 if the number is not fixed."""

    folder: Path
    file: Path
    planned: int

    @property
    def command(self) -> str:
        """The command line that plays the match, or continues it."""
        return f"cardhub match {self.file} --out {self.folder}"


class MatchProgress(NamedTuple):
    """Progress of a match; `changed` is the time of its last games in seconds since the epoch."""

    match: KnownMatch
    state: Literal["running", "stopped", "finished"]
    games: int
    changed: float

    @property
    def amount(self) -> str:
        """Number of games played: `63 of 200 games`, or `63 games`."""
        planned = self.match.planned
        if self.state == "finished" or not planned:
            return f"{self.games} game{'' if self.games == 1 else 's'}"
        return f"{self.games} of {planned} game{'' if planned == 1 else 's'}"


def remember_match(match: KnownMatch) -> None:
    """Add a match to the file, or move it to its end, unless the file cannot be written."""
    others = [other for other in _listed_matches() if other.folder != match.folder]
    rows = [
        {"folder": str(row.folder), "file": str(row.file), "planned": row.planned}
        for row in (*others[1 - MOST_KNOWN :], match)
    ]
    path = home() / FILE
    # The file only lists matches, so a match goes on if the list cannot be written.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, json.dumps({"matches": rows}, indent=1) + "\n")


def known_matches() -> list[MatchProgress]:
    """Return the listed matches that still exist, the last played first."""
    rows = [progress for match in _listed_matches() if (progress := _progress(match))]
    return sorted(rows, key=lambda progress: progress.changed, reverse=True)


def _listed_matches() -> Iterator[KnownMatch]:
    try:
        rows = json.loads(read_within(home() / FILE, MOST_BYTES))["matches"]
        yield from [KnownMatch(Path(r["folder"]), Path(r["file"]), int(r["planned"])) for r in rows]
    except (OSError, LimitError, ValueError, TypeError, KeyError, RecursionError):
        return  # no match yet, or a damaged list, which the next match replaces


def _progress(match: KnownMatch) -> MatchProgress | None:
    # Imported here because it takes 10 ms, and most starts of the home screen do not need it.
    from cardhub.lab.match.log.log_reader import GAMES, RESULT, read_json

    log = match.folder / GAMES
    try:
        with log.open("rb") as file:
            lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
        games = max(lines - 1, 0)  # the first line is the header
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
