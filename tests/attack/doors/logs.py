"""Damaged logs of matches, which are verified, listed, shown, reported and continued."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent

from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.samples import made
from tests.attack.mutations import mutate_bytes, mutate_record
from tests.attack.running import Outcome, Runner

CUPS = tuple(
    dedent(text).encode()
    for text in (
        """
        cardhub_match: 1
        name: small
        seed: 7
        bots: [{id: a, use: random}, {id: b, use: random}, {id: bad, use: "odd:after=2"}]
        games: [{game: kuhn}, {game: gamon, rules: {coins: 1}}]
        schedule: {blocks: 2}
        rating: {bootstrap: 100}
        """,
        """
        cardhub_match: 1
        name: test
        seed: 3
        bots: [{id: a, use: random}, {id: b, use: random}]
        games: [{game: leduc}]
        schedule: {blocks: 6}
        stop: {sprt: {a: a, b: b}}
        rating: {bootstrap: 100}
        """,
    )
)
ODD_BOT = dedent('''
    """A bot that plays at random for a while, then answers with what is not legal."""

    from cardhub import BotEntry, Number, hookimpl


    class Odd:
        def __init__(self, rng, after):
            self.rng, self.left = rng, after

        def choose(self, observation, /):
            self.left -= 1
            return self.rng.choice(observation.legal()) if self.left >= 0 else -1


    @hookimpl
    def register_bots():
        options = {"after": Number(0, "after how many answers it fails", 0, 100)}
        return [BotEntry("odd", "fails", Odd, options=options)]
''').encode()
LOG = "run/games.jsonl"
VERIFIED = ("games.jsonl", "result.json", "report.html", "report.md", "ratings.csv")
READ = frozenset({0, 1, 2, 4})
CONTINUED = frozenset({0, 4})
VERDICTS = frozenset({1, 2})


def prepare(runner: Runner, folder: Path) -> Make:
    """Return a factory of cases with damaged runs of matches."""

    @cache
    def played(number: int) -> dict[str, bytes]:
        return _played(runner, folder / str(number), CUPS[number])

    def make(rng: Random) -> Case:
        sample = played(rng.randrange(len(CUPS)))
        whole = sample if rng.random() < 0.7 else _unfinished(sample, rng)
        written = [path for path in whole if path.startswith("run/") and whole[path]]
        damaged = LOG if rng.random() < 0.6 else rng.choice(written)
        mutate = mutate_record if damaged.endswith((".json", ".jsonl")) else mutate_bytes
        files = {**whole, damaged: mutate(whole[damaged], rng)}
        words = _words(sample, rng)
        codes, silent = READ, frozenset[int]()
        if "cup.yaml" in words:
            silent = VERDICTS if b"sprt" in sample["cup.yaml"] else silent
            codes = CONTINUED | silent
        if "repro" in words:
            codes |= {3}  # the bot is at fault again
            silent = frozenset({3})
        if "verify" in words:
            silent = frozenset({1})  # what it finds is its result

        def check(folder: Path, outcome: Outcome) -> Iterator[str]:
            yield from keeps_log(folder, files)
            if "verify" in words and whole is sample and outcome.code == 0:
                yield from was_unchanged(whole, files, damaged)

        given = ("--plugins-dir", "plugins", "match", *words)
        return Case(given, codes, files, silent=silent, check=check)

    return make


def _played(runner: Runner, folder: Path, cup: bytes) -> dict[str, bytes]:
    """Play a match and return all its files."""
    words = ("--plugins-dir", "plugins", "match", "cup.yaml", "--workers", "1", "--out", "run")
    folder.mkdir()
    made(runner, folder, words, files={"plugins/odd.py": ODD_BOT, "cup.yaml": cup})
    files = (path for path in folder.rglob("*") if path.is_file() and "home" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _unfinished(sample: Mapping[str, bytes], rng: Random) -> dict[str, bytes]:
    """Return the same match with only some of its games in the log."""
    lines = sample[LOG].splitlines(keepends=True)
    kept = b"".join(lines[: rng.randrange(1, len(lines))])
    return {
        **{path: data for path, data in sample.items() if not path.startswith("run/")},
        LOG: kept,
        "run/timing.jsonl": sample["run/timing.jsonl"],
    }


def _words(sample: Mapping[str, bytes], rng: Random) -> tuple[str, ...]:
    """Return a command about a match that was played, after `cardhub match`."""
    games = [json.loads(line)["id"] for line in sample[LOG].splitlines()[1:]]
    choices: tuple[tuple[str, ...], ...] = (
        ("verify", "run"),
        ("verify", "run"),
        ("verify", "run", "--rerun", "50%"),
        ("games", "run"),
        ("games", "run", "--json", "--faulty"),
        ("report", "run"),
        ("show", "run", rng.choice(games)),
        ("show", "run", rng.choice(games), "--record", "game.jsonl"),
        ("repro", "run", rng.choice(games)),
        ("cup.yaml", "--workers", "1", "--out", "run", "--quiet"),
        ("cup.yaml", "--workers", "1", "--out", "run", "--quiet"),
    )
    return rng.choice(choices)


def keeps_log(folder: Path, files: Mapping[str, bytes]) -> Iterator[str]:
    """Find a log that has lost a complete line; a torn line may be dropped."""
    before = files[LOG]
    path = folder / LOG
    after = path.read_bytes() if path.exists() else b""
    if not after.startswith(before[: before.rfind(b"\n") + 1]):
        yield "the log has lost lines"


def was_unchanged(
    before: Mapping[str, bytes], after: Mapping[str, bytes], damaged: str
) -> Iterator[str]:
    """Find damage that a verification of the whole match has not seen."""
    is_checked = Path(damaged).name in VERIFIED
    if is_checked and _meant(damaged, before[damaged]) != _meant(damaged, after[damaged]):
        yield f"verify finds nothing wrong in a changed {Path(damaged).parts[1]}"


def _meant(path: str, data: bytes) -> object:
    """Return a file's content: parsed JSON, without a torn last line."""
    try:
        if path.endswith(".jsonl"):
            lines = data[: data.rfind(b"\n") + 1].splitlines()
            return [json.loads(line) for line in lines]
        return json.loads(data) if path.endswith(".json") else data
    except (ValueError, RecursionError):
        return data


attack = fuzz("logs", prepare)
