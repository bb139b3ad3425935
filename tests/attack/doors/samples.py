"""Valid files to begin with: records, saves, runs of matches."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from tests.attack.running import Command, Runner

# Games, and their numbers of players.
GAMES = {
    "kuhn": 2,
    "leduc": 2,
    "pig": 2,
    "hearts": 4,
    "goofspiel": 2,
    "gargon": 3,
    "gamon": 2,
    "garner": 2,
}
NAMES = ("Anna", "Bob", "Chris", "David", "Eve")
# The number of actions a person takes before leaving a sample game.
LEFT_AFTER = 6
# Returns a valid file, made at the first call.
Sample = Callable[[], bytes]


def made(
    runner: Runner,
    folder: Path,
    words: Sequence[str],
    typed: bytes = b"",
    files: Mapping[str, bytes] | None = None,
) -> None:
    """Run a command that must succeed: attacks start from valid input."""
    for name, data in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    outcome = runner.run(Command(words, folder, typed, patience=60))
    assert outcome.code in (0, 1, 2) if "match" in words else outcome.code == 0, (words, outcome)


def finished(runner: Runner, folder: Path) -> list[Sample]:
    """Return the records of finished games."""
    return [cache(partial(_played, runner, folder, game, "Anna=random")) for game in GAMES]


def saved(runner: Runner, folder: Path) -> list[Sample]:
    """Return the records of games that a person has left."""
    return [cache(partial(_played, runner, folder, game, "Anna=human")) for game in GAMES]


def _played(runner: Runner, folder: Path, game: str, first: str) -> bytes:
    seats = [first, *(f"{name}=random" for name in NAMES[1 : GAMES[game]])]
    words = ["play", game, "--players", str(len(seats)), "--seed", "3", "--hint", "ismcts:20"]
    words += [word for seat in seats for word in ("--seat", seat)]
    path = folder / f"{game}-{first}.jsonl"
    made(runner, folder, [*words, "--record", str(path)], b"hint\n" + b"1\n" * LEFT_AFTER)
    return path.read_bytes()
