"""Doors: one attack each, with the code that runs and judges its cases."""

import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.attack.running import Command, Outcome, Runner, run_real
from tests.attack.verdict import TERMINATED, faults

# One case in this many runs as a separate process instead of a fork.
REAL_SHARE = 40


class Finding(NamedTuple):
    """A failure; running `cases` cases from this number on reproduces it."""

    door: str
    number: int
    problem: str
    how: str
    cases: int = 1


class Share(NamedTuple):
    """A part of an attack: the cases with these numbers, in a separate folder."""

    seed: int
    numbers: Iterable[int]
    scratch: Path
    runner: Runner


# Runs the cases of a share one by one; yields the findings of each.
Attack = Callable[[Share], Iterator[list[Finding]]]


class Door(NamedTuple):
    """An attack by name, with its number of cases and its part of the time limit."""

    name: str
    attacks: str
    cases: int
    weight: int
    attack: Attack


def nothing(_folder: Path, _outcome: Outcome) -> Iterator[str]:
    """Return no further findings."""
    return iter(())


class Case(NamedTuple):
    """A command line and the files that it meets, and which exit codes are correct.

    `silent` codes need no message, `stopped` ones are correct after SIGTERM; `check` finds further
    faults.
    """

    words: tuple[str, ...]
    codes: frozenset[int]
    files: Mapping[str, bytes] = {}
    typed: bytes = b""
    silent: frozenset[int] = frozenset()
    patience: float = 60.0
    stops: bool = False
    check: Callable[[Path, Outcome], Iterator[str]] = nothing
    stopped: frozenset[int] = frozenset({TERMINATED})


Make = Callable[[Random], Case]
Prepare = Callable[[Runner, Path], Make]


def fuzz(name: str, prepare: Prepare) -> Attack:
    """Return the attack that runs the cases which `prepare`'s factory makes from an rng."""

    def attack(share: Share) -> Iterator[list[Finding]]:
        prepared, folder = share.scratch / "prepared", share.scratch / "case"
        prepared.mkdir(parents=True)
        make = prepare(share.runner, prepared)
        for number in share.numbers:
            case = make(Random(f"{share.seed} {name} {number}"))
            run = run_real if number % REAL_SHARE == REAL_SHARE - 1 else share.runner.run
            yield list(_findings(name, number, case, folder, run))

    return attack


def _findings(
    door: str, number: int, case: Case, folder: Path, run: Callable[[Command], Outcome]
) -> Iterator[Finding]:
    for path, data in case.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    folder.mkdir(exist_ok=True)
    command = Command(case.words, folder, case.typed, case.patience, case.stops)
    outcome = run(command)
    wrong = list(faults(outcome, case.codes, case.silent, case.stopped))
    if not outcome.killed and not outcome.stopped:
        wrong += case.check(folder, outcome)
    shutil.rmtree(folder)
    line = "cardhub " + shlex.join(ascii(word)[1:-1] for word in case.words)
    for problem in wrong:
        yield Finding(door, number, problem, f"{line}\n{_end(outcome)}")


def _end(outcome: Outcome) -> str:
    """Return the end of a command's output, in printable characters."""
    said = outcome.err or outcome.out
    return ascii(said[-600:].decode("utf-8", "replace"))[1:-1].replace("\\n", "\n    ")
