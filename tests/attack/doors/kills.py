"""Games and matches that are interrupted or killed at random moments, and go on."""

import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import NamedTuple

from tests.attack.cases import Finding, Share
from tests.attack.running import REAL, Command, environment
from tests.lab.match.interrupting import interrupt_matches

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}
# Time limit of a command, in seconds.
PATIENCE = 120
# After a kill, all processes must have ended within these seconds.
LEFT_BEHIND = 60.0
# Interruptions of matches that share one uninterrupted match for comparison.
TOGETHER = 5
PLUGINS = ("--plugins-dir", "plugins")
GAME = "game.jsonl"
PLAY = (*PLUGINS, "play", "gargon", "--players", "3", "--pace", "0.002", "--record", GAME)
SEATS = tuple(word for name in ("Anna", "Bob", "Chris") for word in ("--seat", f"{name}=brisk"))
RESUME = (*PLUGINS, "resume", GAME)
RETELL = (*PLUGINS, "replay", GAME, "--as", "spectator")
BOT = dedent('''
    """A bot that goes by what it sees alone, and takes a thousandth of a second for it."""

    import time
    from random import Random

    from cardhub import BotEntry, hookimpl


    class Brisk:
        def __init__(self, rng):
            pass

        def choose(self, observation, /):
            time.sleep(0.001)
            return Random(str(observation.information_state())).choice(observation.legal())


    @hookimpl
    def register_bots():
        return [BotEntry("brisk", "plays", Brisk)]
''')


class Ended(NamedTuple):
    """How a command ended, and whether one of its processes is still running."""

    code: int
    out: bytes
    err: bytes
    is_left: bool


def attack_matches(share: Share) -> Iterator[list[Finding]]:
    """Interrupt matches, on one worker and on two, once for each case."""
    door, numbers = "matches killed", iter(share.numbers)
    while together := list(islice(numbers, TOGETHER)):
        rng = Random(f"{share.seed} {door} {together[0]}")
        folder = share.scratch / str(together[0])
        folder.mkdir(parents=True)
        soak = interrupt_matches(folder, rng, len(together))
        yield [Finding(door, together[0], problem, "see tests/lab/match") for problem in soak.wrong]
        yield from ([] for _ in together[1:])


def attack_play(share: Share) -> Iterator[list[Finding]]:
    """Interrupt games at the table, once for each case."""
    table = _Table(share)
    for number in share.numbers:
        rng = Random(f"{share.seed} play killed {number}")
        if table.is_over or rng.random() < 0.3:
            table.begin(rng.randrange(4))
        how = f"while playing: cardhub {' '.join(table.words)}"
        wrong = [*table.interrupt(rng), *table.finish(rng)]
        yield [Finding("play killed", number, problem, how) for problem in wrong]


class _Table:
    """A game that is interrupted and resumed; its record must equal the uninterrupted one."""

    def __init__(self, share: Share) -> None:
        self._runner = share.runner
        self._folder = share.scratch / "case"
        self._record = self._folder / GAME
        self._whole: dict[int, tuple[bytes, float]] = {}
        self._seed = 0
        self.is_over = True

    @property
    def words(self) -> Sequence[str]:
        """The command that begins the game."""
        return (*PLAY, *SEATS, "--seed", str(self._seed))

    def begin(self, seed: int) -> None:
        """Start over; play each new seed without interruption first."""
        self._seed, self.is_over = seed, False
        if seed not in self._whole:
            self._anew()
            began = time.monotonic()
            ended = _run(self._folder, self.words)
            assert ended.code == 0, ended
            self._whole[seed] = self._record.read_bytes(), time.monotonic() - began
        self._anew()

    def _anew(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        (self._folder / "plugins").mkdir(parents=True)
        (self._folder / "plugins" / "troupe.py").write_text(BOT, "utf-8")

    def interrupt(self, rng: Random) -> Iterator[str]:
        """Start or resume the game and interrupt it; yield the faults."""
        before = self._read()
        number, after = rng.choice(SIGNALS), rng.uniform(0.0, self._whole[self._seed][1])
        ended = _run(self._folder, RESUME if before else self.words, number, after)
        now = self._read()
        self.is_over = ended.code == 0 or b'"scores"' in now
        if ended.is_left:
            yield f"a process is left behind after {number.name}"
        if not now.startswith(before[: before.rfind(b"\n") + 1]):
            yield f"lines are lost after {number.name}"
        if now and not self.is_over:
            yield from self._untold(ended.out, number.name)
        if ended.code != 0:
            is_within = len(now) > len(before) and not self.is_over
            yield from _odd_end(ended, number, is_within=is_within)

    def _untold(self, out: bytes, name: str) -> Iterator[str]:
        """Find events that were printed at the table, but are not in the record."""
        events = out[: out.rfind(b"\n") + 1].partition(b"\n\n")[2]
        retold = self._runner.run(Command(RETELL, self._folder)).out
        lost = Counter(events.splitlines()) - Counter(map(_without_step, retold.splitlines()))
        lost.pop(b"", None)
        if lost:
            yield f"told, but not in the record after {name}: {sorted(lost)[:3]!a}"

    def finish(self, rng: Random) -> Iterator[str]:
        """Resume until the end now and then, and yield the differences."""
        if not self.is_over and rng.random() < 0.7:
            return
        if b"\n" not in self._read():  # killed before its first line: there is nothing to resume
            self._record.unlink(missing_ok=True)
        if not self.is_over:
            ended = _run(self._folder, RESUME if self._record.exists() else self.words)
            if ended.code != 0:
                yield f"it does not go on: exit code {ended.code}: {ended.err[-500:]!a}"
        if self._read() != self._whole[self._seed][0]:
            yield "it ends otherwise than an undisturbed game"
        self.is_over = True

    def _read(self) -> bytes:
        return self._record.read_bytes() if self._record.exists() else b""


def _without_step(line: bytes) -> bytes:
    """Return a line of a replay without its step; summary lines have no step."""
    return line[6:] if line[:4].strip().isdigit() else line


def _odd_end(ended: Ended, number: signal.Signals, *, is_within: bool) -> Iterator[str]:
    """Find a wrong exit code or a traceback."""
    codes = {CODES[number]} if is_within else {CODES[number], -number}
    said = ascii(ended.err[-500:])  # not within the game, Python itself may not listen
    if ended.code not in codes:
        yield f"exit code {ended.code} after {number.name}: {said}"
    if b"Traceback" in ended.err and b"cli/main.py" in ended.err:  # not while Python starts
        yield f"a traceback after {number.name}: {said}"


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
    """Return whether all processes of an ended process's session end soon after it."""
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
