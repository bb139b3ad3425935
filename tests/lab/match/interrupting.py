"""Repeated interruptions of matches at random moments, which must not change their bytes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import NamedTuple

from cardhub.lab.match.log.log_reader import GAMES, RESULT

ENTRANTS = Path(__file__).with_name("entrants")
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL")
# Time limit for a match to end, in seconds.
SECONDS = 120
# Bots that swallow or replace the interruption, and bots that fail. The first bot meets
# all others, which takes fewer games than all against all.
CUP = """
    cardhub_match: 1
    salt: none
    name: cup
    seed: 12
    bots:
      - {id: stolid, use: stolid}
      - {id: confused, use: confused}
      - {id: quitter, use: "quitter:after=3"}
      - {id: selfish, use: "selfish:after=2"}
    games:
      - {game: leduc}
      - {game: goofspiel, players: 3, seating: rotation}
    schedule: {mode: gauntlet, blocks: 1}
    faults: {max: 9, share: 1}
    rating: {bootstrap: 100}
"""


class Soak(NamedTuple):
    """The numbers of interruptions and of matches played, and the faults found."""

    interruptions: int
    matches: int
    wrong: tuple[str, ...]


def interrupt_matches(
    folder: Path,
    rng: Random,
    interruptions: int,
    workers: Sequence[int] = (1, 2),
    isolate: str = "auto",
) -> Soak:
    """Run a match repeatedly, each time to its end, until there are enough interruptions.

    `folder`: an empty folder. `isolate`: which bots run in separate processes. The files must equal
    the files of an uninterrupted match, and each exit code must belong to its signal.
    """
    cup = folder / "cup.yaml"
    cup.write_text(dedent(CUP) + f"isolate: {isolate}\n", "utf-8")
    begun = time.monotonic()
    with playing(cup, folder / "whole") as process:
        _end(process)
    seconds, expected = time.monotonic() - begun, _bytes(folder / "whole")
    hits, matches, wrong = 0, 0, list[str]()
    while hits < interruptions:
        out, matches = folder / f"match-{matches}", matches + 1
        is_over = False
        while not is_over:
            how = _Interruption.drawn(rng, seconds) if hits < interruptions else None
            number = rng.choice(workers)
            with playing(cup, out, number) as process:
                code = _end(process) if how is None else how.strike(process)
            is_over = code == 0
            hits += not is_over
            if how is None and code != 0:
                return Soak(hits, matches, (*wrong, f"{out}: exit code {code} without a signal"))
            if how is not None and code not in how.codes:
                wrong.append(f"{out}: exit code {code} after {how} with {number} workers")
        if _bytes(out) != expected:
            wrong.append(f"{out}: not the bytes of an undisturbed match")
    return Soak(hits, matches, tuple(wrong))


class _Interruption(NamedTuple):
    """A signal after some seconds, to the program alone or to its whole process group."""

    signal: signal.Signals
    seconds: float
    to_all: bool

    @classmethod
    def drawn(cls, rng: Random, seconds: float) -> "_Interruption":
        """Return an interruption at a random moment of a match that takes `seconds`."""
        name = rng.choice(SIGNALS)
        return cls(signal.Signals[name], rng.uniform(0, seconds), rng.random() < 0.5)

    @property
    def codes(self) -> tuple[int, ...]:
        """The exit codes it may have: 0 if it is too late, -n before the program hears signals."""
        return 0, -self.signal, *([] if self.signal == signal.SIGKILL else [128 + self.signal])

    def strike(self, process: "subprocess.Popen[bytes]") -> int:
        """Send the signal, and return the exit code."""
        with suppress(subprocess.TimeoutExpired):
            return process.wait(self.seconds)
        if self.to_all:
            os.killpg(process.pid, self.signal)
        else:
            process.send_signal(self.signal)
        return _end(process)


@contextmanager
def playing(
    cup: Path, out: Path, workers: int = 1, *more: str
) -> "Iterator[subprocess.Popen[bytes]]":
    """Yield a process that plays a match file; it is gone after the block, with all its children.

    It hears signals even where the tests themselves run in the background, which ignores some.
    """
    words = [
        "--plugins-dir",
        str(ENTRANTS),
        "match",
        str(cup),
        "--workers",
        str(workers),
        "--pages",
        "2",
        *more,
    ]
    command = [sys.executable, "-m", "cardhub", *words, "--out", str(out), "--quiet"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def games_in(folder: Path) -> int:
    """Return the number of games in the log, its header not counted."""
    log = folder / GAMES
    return max(log.read_bytes().count(b"\n") - 1, 0) if log.exists() else 0


def wait_for_games(process: "subprocess.Popen[bytes]", folder: Path, games: int) -> None:
    """Return as soon as the log has `games` games."""
    while games_in(folder) < games:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def _end(process: "subprocess.Popen[bytes]") -> int:
    process.communicate(timeout=SECONDS)
    return process.returncode


def _bytes(folder: Path) -> list[bytes]:
    """Return the files that are the same in every run."""
    return [(folder / name).read_bytes() for name in (GAMES, RESULT)]
