"""Valid files to begin with: records, saves, runs of matches."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.attack.running import Command, Runner

GAMES = ("kuhn", "leduc", "pig", "hearts", "goofspiel", "gargon", "gamon", "garner")
NAMES = ("Anna", "Bob", "Chris", "David", "Eve")
LEFT_AFTER = 6
"""How many actions a person takes before leaving a sample game."""


def made(
    runner: Runner,
    folder: Path,
    words: Sequence[str],
    typed: bytes = b"",
    files: Mapping[str, bytes] | None = None,
) -> None:
    """Run a command that has to go well: attacks begin with what is valid."""
    for name, data in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    outcome = runner.run(Command(words, folder, typed, patience=60))
    assert outcome.code in (0, 1, 2) if "match" in words else outcome.code == 0, (words, outcome)


def finished(runner: Runner, folder: Path) -> dict[str, bytes]:
    """Return records of finished games by game."""
    for game in GAMES:
        words = ("play", game, "--seat", "Anna=random", "--level", "easy", "--seed", "3")
        if game in ("gamon", "gargon", "garner", "hearts"):  # the level would think for long
            words = ("play", game, "--seat", "Anna=random", "--seat", "Bob=random", "--seed", "3")
        made(runner, folder, (*words, "--record", f"{game}.jsonl"))
    return {game: (folder / f"{game}.jsonl").read_bytes() for game in GAMES}


def saved(runner: Runner, folder: Path) -> dict[str, bytes]:
    """Return records of games that a person has left, by game."""
    saves = {}
    for game in GAMES:
        path = folder / f"{game}-left.jsonl"
        seats = ("--seat", "Anna=human", "--seat", "Bob=random", "--hint", "ismcts:20")
        words = ("play", game, *seats, "--seed", "5", "--record", str(path))
        made(runner, folder, words, b"hint\n" + b"1\n" * LEFT_AFTER)
        saves[game] = path.read_bytes()
    return saves
