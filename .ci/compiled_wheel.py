"""Fail unless the games of the installed wheel run compiled, with the records of interpreted."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = ("gamon", "gargon", "garner")


def main() -> None:
    """Play each game compiled and interpreted."""
    lines = _cardhub("plugins").splitlines()
    for game in GAMES:
        [line] = [each for each in lines if each.startswith(f"{game} ")]
        if "interpreted" in line or ("rules in C" not in line and sys.platform != "win32"):
            sys.exit(f"not compiled: {line}")
        if _record(game) != _record(game, CARDHUB_COMPILED="0"):
            sys.exit(f"{game}: the compiled game has another record")


def _record(game: str, **variables: str) -> bytes:
    """Return the record of a game of a searching bot against rules."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.jsonl")
        bots = ("--seat", "Anna=ismcts:30", "--record", str(path))
        _cardhub("play", game, "--plain", "--seed", "1", *bots, **variables)
        return path.read_bytes()


def _cardhub(*words: str, **variables: str) -> str:
    command = [sys.executable, "-m", "cardhub", *words]
    env = {**os.environ, "PYTHONIOENCODING": "utf-8", **variables}
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE).stdout.decode()


if __name__ == "__main__":
    main()
