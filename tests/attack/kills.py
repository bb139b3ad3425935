"""Games and matches that are interrupted or killed at random moments, and go on."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import NamedTuple

from tests.attack.doors import Finding, Share
from tests.attack.running import REAL, Command, environment

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
PATIENCE = 120
"""Seconds for a command to end by itself."""
LEFT_BEHIND = 10.0
"""Seconds after which no process of a killed one may be alive."""
PLUGINS = ("--plugins-dir", "plugins")
GAME = "game.jsonl"
PLAY = (*PLUGINS, "play", "gargon", "--players", "3", "--pace", "0.002", "--record", GAME)
SEATS = tuple(word for name in ("Anna", "Bob", "Chris") for word in ("--seat", f"{name}=brisk"))
RESUME = (*PLUGINS, "resume", GAME)
RETELL = (*PLUGINS, "replay", GAME, "--as", "spectator")
BOTS = dedent('''
    """A bot that plays by what it sees and takes a thousandth of a second for it."""

    import time
    from random import Random

    from cardhub import BotEntry, hookimpl


    class Brisk:
        def __init__(self, rng):
            pass

        def choose(self, observation, /):
            time.sleep(0.001)
            return Random(str(observation.information_state())).choice(observation.legal())


    class Odd(Brisk):
        def choose(self, observation, /):
            return super().choose(observation) if len(observation.history) < 3 else -1


    @hookimpl
    def register_bots():
        return [BotEntry("brisk", "plays", Brisk), BotEntry("odd", "fails", Odd)]
''')
CUP = dedent("""
    cardhub_match: 1
    name: cup
    seed: 11
    bots:
      - {id: a, use: random}
      - {id: b, use: brisk}
      - {id: bad, use: odd}
    games:
      - {game: leduc}
      - {game: gargon, players: 3, seating: rotation}
    schedule: {blocks: 7}
    faults: {max: 2}
    rating: {bootstrap: 100}
""")
MATCH = (*PLUGINS, "match", "cup.yaml", "--out", "run", "--quiet")
RUN = ("run/games.jsonl", "run/result.json")


class Task(NamedTuple):
    """A command that can be interrupted, and the one that goes on from there.

    `kept` are the files that must end as in an undisturbed run, `log` is the one that only grows.
    """

    first: Sequence[str]
    again: Sequence[str]
    kept: Sequence[str]
    log: str
    is_over: Callable[[Path], bool]


class Ended(NamedTuple):
    """How a command ended, and whether a process of it is left."""

    code: int
    out: bytes
    err: bytes
    is_left: bool


def attack_play(share: Share) -> Iterator[list[Finding]]:
    """Interrupt games at the table, once for each case."""

    def make(rng: Random) -> Task:
        seed = str(rng.randrange(4))
        return Task((*PLAY, *SEATS, "--seed", seed), RESUME, (GAME,), GAME, _has_scores)

    return _Interrupted("play killed", share, make).cases()


def attack_matches(share: Share) -> Iterator[list[Finding]]:
    """Interrupt matches, on one worker and on two, once for each case."""

    def make(rng: Random) -> Task:
        words = (*MATCH, "--workers", rng.choice("12"))
        return Task(words, words, RUN, RUN[0], _has_result)

    return _Interrupted("matches killed", share, make).cases()


class _Interrupted:
    """A command that is interrupted again and again; at its end it is compared and begun anew."""

    def __init__(self, door: str, share: Share, make: Callable[[Random], Task]) -> None:
        self._door, self._share, self._make = door, share, make
        self._folder = share.scratch / "case"
        self._whole: dict[Sequence[str], tuple[list[str], float]] = {}

    def cases(self) -> Iterator[list[Finding]]:
        """Yield the findings of each interruption."""
        task: Task | None = None
        for number in self._share.numbers:
            rng = Random(f"{self._share.seed} {self._door} {number}")
            task = task or self._begin(rng)
            wrong, is_over = self._interrupt(task, rng)
            how = f"in the course of: cardhub {' '.join(task.first)}"
            if is_over or rng.random() < 0.3:
                wrong += self._finish(task)
                task = None
            yield [Finding(self._door, number, what, how) for what in wrong]

    def _begin(self, rng: Random) -> Task:
        task = self._make(rng)
        if task.first not in self._whole:
            self._anew()
            began = time.monotonic()
            ended = _run(self._folder, task.first)
            assert ended.code == 0, ended
            took = time.monotonic() - began
            self._whole[task.first] = _digests(self._folder, task.kept), took
        self._anew()
        return task

    def _anew(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        (self._folder / "plugins").mkdir(parents=True)
        (self._folder / "plugins" / "troupe.py").write_text(BOTS, "utf-8")
        (self._folder / "cup.yaml").write_text(CUP, "utf-8")

    def _interrupt(self, task: Task, rng: Random) -> tuple[list[str], bool]:
        """Begin or go on, and interrupt that; return what is wrong and whether it was over."""
        before = self._log(task)
        number, after = rng.choice(SIGNALS), rng.uniform(0.0, self._whole[task.first][1])
        ended = _run(self._folder, task.again if before else task.first, number, after)
        now = self._log(task)
        wrong = [f"a process is left behind after {number.name}"] if ended.is_left else []
        if not now.startswith(before[: before.rfind(b"\n") + 1]):
            wrong.append(f"lines are lost after {number.name}")
        is_over = ended.code == 0 or task.is_over(self._folder)
        if task.log == GAME and now and not is_over:
            wrong += self._untold(ended.out, number.name)
        if ended.code != 0:
            is_within = len(now) > len(before) and not is_over
            wrong += _odd_end(ended, number, is_within=is_within)
        return wrong, is_over

    def _untold(self, out: bytes, name: str) -> Iterator[str]:
        """Find events that were told at the table, but are not in the record."""
        told = out[: out.rfind(b"\n") + 1].partition(b"\n\n")[2].partition(b"\nResult:")[0]
        retold = self._share.runner.run(Command(RETELL, self._folder)).out
        lost = Counter(told.splitlines()) - Counter(line[6:] for line in retold.splitlines())
        lost.pop(b"", None)
        if lost:
            yield f"told, but not in the record after {name}: {sorted(lost)[:3]!a}"

    def _finish(self, task: Task) -> list[str]:
        """Go on to the end, and return in what that differs from an undisturbed run."""
        log = self._log(task)
        if b"\n" not in log:  # killed before the first line: there is nothing to go on with
            (self._folder / task.log).unlink(missing_ok=True)
        if not task.is_over(self._folder):
            ended = _run(self._folder, task.again if b"\n" in log else task.first)
            if ended.code != 0:
                return [f"it does not go on: exit code {ended.code}: {ended.err[-500:]!a}"]
        if _digests(self._folder, task.kept) != self._whole[task.first][0]:
            return ["it ends otherwise than an undisturbed run"]
        return []

    def _log(self, task: Task) -> bytes:
        path = self._folder / task.log
        return path.read_bytes() if path.exists() else b""


def _odd_end(ended: Ended, number: signal.Signals, *, is_within: bool) -> Iterator[str]:
    """Find a wrong exit code or a traceback."""
    codes = {CODES[number]} if number in CODES else {-number}
    if not is_within:  # Python does not listen yet, or not any more
        codes.add(-number)
    said = ascii(ended.err[-500:])
    if ended.code not in codes:
        yield f"exit code {ended.code} after {number.name}: {said}"
    if b"Traceback" in ended.err:
        yield f"a traceback after {number.name}: {said}"


def _has_scores(folder: Path) -> bool:
    path = folder / GAME
    return path.exists() and b'"scores"' in path.read_bytes().splitlines()[-1]


def _has_result(folder: Path) -> bool:
    path = folder / RUN[1]
    return path.exists() and json.loads(path.read_bytes())["is_finished"] is True


def _run(
    folder: Path, words: Sequence[str], number: signal.Signals | None = None, after: float = 0.0
) -> Ended:
    """Run a command to its end; it gets a signal after some seconds."""
    with (
        (folder / "out.txt").open("wb") as out,
        subprocess.Popen(
            [*REAL, *words],
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process,
    ):
        if number is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(after)
            process.send_signal(number)
        try:
            _, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            err = b"it hangs: " + process.communicate()[1]
    is_left = not _is_alone(process.pid)
    return Ended(process.returncode, (folder / "out.txt").read_bytes(), err, is_left)


def _is_alone(session: int) -> bool:
    """Return whether all processes of an ended one's session end soon after it."""
    until = time.monotonic() + LEFT_BEHIND
    while time.monotonic() < until:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)
    return False


def _digests(folder: Path, names: Sequence[str]) -> list[str]:
    return [sha256((folder / name).read_bytes()).hexdigest() for name in names]
