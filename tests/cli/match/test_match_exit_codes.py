"""The exit codes of `cardhub match FILE`: 1 is always a verdict."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from cardhub.cli.main import cli

CUP = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {id: one, use: random}
      - {id: two, use: random}
    games:
      - {game: leduc, score: rank}
    schedule: {blocks: 20}
    workers: 1
    rating: {bootstrap: 100}
"""
Play = Callable[[], Result]


@pytest.fixture
def play(run_match: Callable[..., Result]) -> Play:
    """Return a function that plays CUP in this process."""
    Path("cup.yaml").write_text(dedent(CUP), "utf-8")
    return lambda: run_match("cup.yaml", "--out", "out")


def test_a_full_disk_loses_nothing(play: Play) -> None:
    """Exit code 4 and a line; once there is room again, the match comes out the same."""
    limited = (
        "import resource, runpy, sys;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000));"
        "sys.argv = ['cardhub', 'match', 'cup.yaml', '--out', 'full'];"
        "runpy.run_module('cardhub', run_name='__main__')"
    )
    if os.name != "posix":
        pytest.skip("limits of files are set the POSIX way")
    # Python would cut off the compiled modules that it writes, and fail to load them ever after.
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True, env=env)
    (*_, line) = done.stderr.splitlines()
    assert (done.returncode, line) == (4, "Error: full/result.json: File too large")
    log = Path("full/games.jsonl").read_bytes()
    assert log.endswith(b"\n")
    assert [path.name for path in Path("full").glob("*.new")] == []
    assert play().exit_code == 0
    whole = Path("out/games.jsonl").read_bytes()
    assert whole.startswith(log)
    Path("cup.yaml").write_text(dedent(CUP).replace("rating:", "out: full\nrating:"), "utf-8")
    again = CliRunner().invoke(cli, ["match", "cup.yaml", "--quiet", "--pages", "2"])
    assert again.exit_code == 0, again.output
    for name in ("games.jsonl", "result.json"):
        assert Path("full", name).read_bytes() == Path("out", name).read_bytes()


@pytest.mark.parametrize(
    ("error", "start"),
    [
        (KeyError("deal"), "Error: fault: KeyError: 'deal'; traceback: "),
        (OSError(28, "No space left on device", "x"), "Error: x: No space left on device\n"),
        (SystemExit(1), "Error: fault: SystemExit: 1; traceback: "),
        (EOFError("a\nb"), "Error: fault: EOFError: a\\nb; traceback: "),
        (RecursionError(), "Error: fault: RecursionError; traceback: "),
    ],
)
def test_no_exception_exits_with_a_verdict(
    play: Play, monkeypatch: pytest.MonkeyPatch, error: BaseException, start: str
) -> None:
    """Exit code 4 and, after what it will find, a line; an unexpected traceback is saved."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("cardhub.cli.match.run_match.run_match", fail)
    result = play()
    assert result.exit_code == 4
    plan, line = result.output.splitlines()
    assert plan.startswith("With 20 blocks ")
    assert line.startswith(start.rstrip("\n"))
    if "traceback" in start:
        kept = Path(result.output.split("traceback: ")[1].strip())
        assert "in fail" in kept.read_text()
        kept.unlink()


def test_a_damaged_log_is_no_verdict(play: Play) -> None:
    """Exit code 4, with file and line."""
    assert play().exit_code == 0
    path = Path("out/games.jsonl")
    lines = path.read_text("utf-8").splitlines()
    lines[3] = json.dumps(json.loads(lines[3]) | {"scores": "high"})
    path.write_text("\n".join(lines) + "\n", "utf-8")
    result = play()
    assert result.exit_code == 4
    assert result.output.startswith("Error: out/games.jsonl:4: scores: ")
