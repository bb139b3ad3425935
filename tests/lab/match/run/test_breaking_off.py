"""Matches as processes that are killed or interrupted, and go on to the same bytes."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from tests.kit.waiting import PATIENCE
from tests.lab.match.interrupting import games_in, playing, wait_for_games
from tests.lab.match.match_files import WITH_CHEAT

from cardhub.lab.analysis import analyse
from cardhub.lab.match.log.log_reader import GAMES, RESULT, file_digest
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry

ENTRANTS = Path(__file__).parents[1] / "entrants"
# The number of times each match is killed; 20 are more conclusive.
KILLS = int(os.environ.get("CARDHUB_KILLS", "2"))
LEFT = "Interrupted: {} has the games so far. The same command continues."
CUP = WITH_CHEAT + "    rating: {bootstrap: 100}\n"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")


Whole = tuple[Match, list[str], int]


@pytest.fixture(scope="module")
def whole(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Return a match, the file hashes of an uninterrupted run, and the number of its games."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "cup.yaml").write_text(dedent(CUP), "utf-8")
    match = read_match(folder / "cup.yaml", registry)
    run(match, registry, folder, RunOptions(analyse=analyse))
    return match, hashes(folder), games_in(folder)


@pytest.fixture(autouse=True)
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the match file into the folder of the test."""
    monkeypatch.chdir(tmp_path)
    Path("cup.yaml").write_text(dedent(CUP), "utf-8")


def hashes(folder: Path) -> list[str]:
    """Return the hashes of the files that must be the same in every run."""
    return [file_digest(folder / name) for name in (GAMES, RESULT)]


def is_alone(process: "subprocess.Popen[bytes]") -> bool:
    """Return whether all processes of an ended one's session end soon after it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    "workers",
    [pytest.param(1, marks=pytest.mark.soak("more workers are harder to break off")), 2],
)
def test_a_match_killed_again_and_again_comes_out_the_same(
    whole: Whole, registry: PluginRegistry, tmp_path: Path, workers: int
) -> None:
    """With `kill -9`, after a random number of games; no process is left behind."""
    (match, expected, games), folder, rng = whole, tmp_path / "killed", Random(workers)
    for _ in range(KILLS):
        with playing(Path("cup.yaml"), folder, workers) as process:
            most = max(1, (games - games_in(folder)) // KILLS)
            wait_for_games(process, folder, games_in(folder) + rng.randint(0, most))
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert is_alone(process)
    with (folder / GAMES).open("ab") as file:
        file.write(b'{"torn": ')
    run(match, registry, folder, RunOptions(analyse=analyse))
    assert hashes(folder) == expected


@pytest.mark.parametrize(
    ("number", "code", "to_all", "workers"),
    [
        (signal.SIGINT, 130, True, 2),
        (signal.SIGTERM, 143, False, 1),
    ],
)
def test_a_match_that_is_interrupted_says_so_and_goes_on(
    whole: Whole,
    registry: PluginRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    code: int,
    to_all: bool,
    workers: int,
) -> None:
    (match, expected, _), folder = whole, tmp_path / "left"
    monkeypatch.setenv("TROUPE_LOG", str(folder / GAMES))
    monkeypatch.setenv("TROUPE_LINES", "6")  # a header and five games
    with playing(Path("cup.yaml"), folder, workers) as process:
        wait_for_games(process, folder, 5)
        for _ in range(2):
            os.killpg(process.pid, number) if to_all else process.send_signal(number)
        _, output = process.communicate(timeout=120)
    monkeypatch.delenv("TROUPE_LINES")
    assert (process.returncode, output.decode().strip()) == (code, LEFT.format(folder))
    assert is_alone(process)
    result = json.loads((folder / RESULT).read_bytes())
    assert (result["games"], result["is_finished"]) == (games_in(folder), False)
    run(match, registry, folder, RunOptions(analyse=analyse))
    assert hashes(folder) == expected
