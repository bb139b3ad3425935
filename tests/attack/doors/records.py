"""Damaged records and saves, which are replayed, exported, analysed and resumed."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import NAMES, Sample, finished, saved
from tests.attack.mutations import mutate_record
from tests.attack.running import Outcome, Runner

CODES = frozenset({0, 1, 2})
FILE = "game.jsonl"


def prepare_records(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged records."""
    samples = finished(runner, folder) + saved(runner, folder)

    def make(rng: Random) -> Case:
        data = mutate_record(_short_or_long(samples, rng), rng)
        viewer = rng.choice((*NAMES[:3], "spectator", "all"))
        words = rng.choice(
            (
                ("replay", FILE),
                ("replay", FILE, "--as", viewer),
                ("replay", FILE, "--as", viewer, "--to", "4"),
                ("replay", FILE, "--analyse", "random"),
                ("export", "text", FILE, "--as", viewer),
                ("export", "csv", FILE),
            )
        )
        return Case(words, CODES, {FILE: data}, check=names_the_file)

    return make


def prepare_saves(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged saves."""
    samples = saved(runner, folder)

    def make(rng: Random) -> Case:
        data = mutate_record(_short_or_long(samples, rng), rng)
        name = rng.choice((FILE, f"home/games/{FILE}"))
        words: tuple[str, ...] = ("resume", name)
        if name != FILE:
            words = rng.choice((("resume",), ("resume", "--list"), ("resume", "--list", "--json")))
        typed = rng.choice((b"", b"1\n", b"1\nundo\nlog\ntable\nquit\n"))

        def check(folder: Path, outcome: Outcome) -> Iterator[str]:
            return keeps_lines(folder / name, data, outcome)

        # A mutated record may seat a bot that is not there, or that fails.
        codes = frozenset({0}) if "--list" in words else CODES | {3}
        return Case(words, codes, {name: data}, typed, stops=True, patience=10, check=check)

    return make


def names_the_file(_folder: Path, outcome: Outcome) -> Iterator[str]:
    """Find an error about a record that does not name it."""
    if outcome.code == 1 and FILE.encode() not in outcome.err:
        yield "the error does not name the file"


def keeps_lines(path: Path, before: bytes, outcome: Outcome) -> Iterator[str]:
    """Find a save that has lost a complete line, or that changed although it was refused."""
    after = path.read_bytes()
    complete = before[: before.rfind(b"\n") + 1]
    if not after.startswith(complete):
        yield "the save has lost lines"
    if outcome.code in (1, 2) and after != before and not after.startswith(before):
        torn = before[len(complete) :]
        if after[len(complete) :] == b"" and torn:
            return  # a torn line is left out as soon as the rest can be read
        yield "the save was changed although it was refused"


def _short_or_long(samples: list[Sample], rng: Random) -> bytes:
    """Return a sample, more often a short one, because it takes less time."""
    return min((sample() for sample in rng.choices(samples, k=2)), key=len)


attack_records = fuzz("records", prepare_records)
attack_saves = fuzz("saves", prepare_saves)
