"""A few attacks at each door, and attacks that must find planted faults.

`make attack` runs thousands.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.attack.cases import Door, Share
from tests.attack.doors.remembering import build_case
from tests.attack.doors.secrecy import probed
from tests.attack.inventory import DOORS
from tests.attack.running import Command, Outcome, Runner
from tests.attack.verdict import faults
from tests.games.leaking_magpies import NotesHiddenCard, ShowsNote

from cardhub import Game

SEED = 12
CASES = {
    "secrecy": 50,
    "random games": 1,
    # tests/online/server/tables has the same in test_any_order.py and test_random_tables.py.
    "tables in any order": 0,
    "visited tables": 0,
    # These play matches.
    **dict.fromkeys(("matchfiles", "logs", "programs", "remembering", "rules"), 1),
    "play killed": 1,
    "matches killed": 0,
    "server killed": 0,
}
# The number of cases of each door here.
USUALLY = 2


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Return the runner of commands in forks of one warm process."""
    with Runner(tmp_path_factory.mktemp("streams")) as runner:
        yield runner


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_no_attack_has_findings(door: Door, runner: Runner, tmp_path: Path) -> None:
    """Outputs have no traceback, wrong exit code, control character, lost line or leak."""
    numbers = range(CASES.get(door.name, USUALLY))
    results = list(door.attack(Share(SEED, numbers, tmp_path / "door", runner)))
    assert len(results) == len(numbers)
    assert [finding for result in results for finding in result] == []


@pytest.mark.parametrize("game", [NotesHiddenCard(), ShowsNote()], ids=lambda game: game.title)
def test_a_game_that_leaks_is_found_in_two_worlds(game: Game[Any]) -> None:
    """A hidden card's face among the public numbers of a state is seen at several exits."""
    rng = Random(3)
    leaks = (leak for _ in range(10) for probe in probed(game, rng) for leak in probe.leaks)
    assert {"leak through observation", "leak through information state"} & set(islice(leaks, 2))


@pytest.mark.parametrize(
    ("way", "rule"), [("memory", "fresh: no"), ("beside the source", "sandbox: no")]
)
def test_a_bot_that_remembers_a_deal_is_found(
    way: str, rule: str, runner: Runner, tmp_path: Path
) -> None:
    """A program that lives on, and a Python bot that leaves a file, know the deal of a game."""
    case = build_case(way, rule, Random(3), is_program=way == "memory")
    for path, data in case.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    outcome = runner.run(Command(case.words, tmp_path))
    assert set(case.check(tmp_path, outcome)) == {"a bot knew of an earlier game"}


OK = frozenset({0, 1})


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [
        (Outcome(0, b"all well\n", b""), None),
        (Outcome(1, b"", b"Error: no\n"), None),
        (Outcome(1, b"", b""), "exit code 1 without a message"),
        (Outcome(4, b"", b"Error: no\n"), "exit code 4"),
        (Outcome(-9, b"", b"Error: no\n"), "exit code -9"),
        (Outcome(143, b"", b"", stopped=True), None),
        (Outcome(0, b"", b"", stopped=True), "exit code 0 after SIGTERM"),
        (Outcome(-9, b"", b"", stopped=True, killed=True), "it hangs"),
        (Outcome(0, b"\x1b[2J", b""), "raw control characters on stdout: '\\x1b'"),
        (Outcome(0, b"", b"\xe2\x80\xae"), "raw control characters on stderr: '\\u202e'"),
        (Outcome(0, b"\xff", b""), "invalid UTF-8 on stdout: invalid start byte"),
        (
            Outcome(1, b"", b"Error: no\nTraceback (most recent call last):\n"),
            "a traceback on stderr",
        ),
    ],
)
def test_a_wrong_answer_is_found(outcome: Outcome, fault: str | None) -> None:
    assert list(faults(outcome, OK)) == ([] if fault is None else [fault])


def test_a_command_in_a_fork_is_a_separate_process(runner: Runner, tmp_path: Path) -> None:
    """It has its own folder, arguments, streams and exit code."""
    words = ("play", "kuhn", "--seat", "Anna=human", "--seed", "3", "--record", "game.jsonl")
    played = runner.run(Command(words, tmp_path, b"1\n"))
    assert (played.code, b"Kuhn poker" in played.out) == (0, True)
    again = [runner.run(Command(("replay", name), tmp_path)) for name in ("game.jsonl", "none")]
    assert [outcome.code for outcome in again] == [0, 2]
    assert b"there is no file 'none'" in again[1].err


def test_an_endless_command_is_stopped(runner: Runner, tmp_path: Path) -> None:
    """A command that may run for ever has to end when it is terminated; any other one hangs."""
    words = ("play", "pig", "--seat", "Anna=random", "--seat", "Bob=random", "--pace", "60")
    assert runner.run(Command(words, tmp_path, patience=6, stops=True)).code == 143
    assert runner.run(Command(words, tmp_path, patience=1.5)).killed


def test_the_same_seed_makes_the_same_cases(runner: Runner, tmp_path: Path) -> None:
    """A finding can be reproduced from the printed seed and number."""
    games = [Random(7), Random(7)]
    first, second = (list(islice(probed(ShowsNote(), rng), 8)) for rng in games)
    assert first == second
