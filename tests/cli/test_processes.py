"""The program as a process: imported modules, signals, streams and exit codes."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.play.records.reading import read_record

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1", "--record")
LOADED = """
import json, sys
from cardhub.cli.main import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def modules_loaded_by(*words: str) -> set[str]:
    """Return the names of all modules that a command imports in a new process."""
    command = [sys.executable, "-c", LOADED, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, input="")
    return set(json.loads(done.stderr.splitlines()[-1]))


def until(process: "subprocess.Popen[str]", text: str) -> str:
    """Return the output of a process, up to and including a text."""
    assert process.stdout is not None
    read = ""
    while not read.endswith(text):
        letter = process.stdout.read(1)
        assert letter, f"ended without {text!r}: {read}"
        read += letter
    return read


@pytest.mark.parametrize("words", [("--help",), ("games",), ("--version",), ("play", "--help")])
def test_commands_without_a_game_import_no_game_and_no_screen(words: tuple[str, ...]) -> None:
    """They answer quickly, and a broken game cannot break them."""
    loaded = modules_loaded_by(*words)
    assert "cardhub.cli.main" in loaded
    assert {
        name for name in loaded if name.partition(".")[0] in {"textual", "cardhub_gargon"}
    } == set()


def test_the_list_of_commands_imports_no_game_bot_or_record() -> None:
    """`cardhub --help` reads its list from a table."""
    rooms = {".".join(name.split(".")[:2]) for name in modules_loaded_by("--help")}
    assert {f"cardhub.{room}" for room in ("bots", "game", "play", "match")} & rooms == set()


def test_plain_play_never_loads_the_screen() -> None:
    loaded = modules_loaded_by("play", "gargon", "--seed", "1")
    assert "cardhub_gargon" in loaded
    assert "textual" not in loaded


def test_the_module_is_the_command(start: Start) -> None:
    """`python -m cardhub` where the script is not on the path."""
    out, err = start("games").communicate(timeout=60)
    assert err == ""
    assert "\ngargon " in out


def test_a_killed_game_can_be_resumed(start: Start, run: Run, tmp_path: Path) -> None:
    """All actions before `kill -9` are in the record."""
    path = tmp_path / "game.jsonl"
    with start(*ZOE, path) as process:
        assert process.stdin is not None
        until(process, "Zoe> ")
        process.stdin.write("1\n")
        process.stdin.flush()
        output = until(process, "Zoe> ")
        process.kill()
    laid = output.partition("Zoe lays ")[2].partition("\n")[0]
    assert [line["action"] for _, line in read_record(path).lines] == [f"lay {laid}"]
    resumed = run("resume", path, typed="1\n" * 300)
    assert resumed.exit_code == 0
    assert read_record(path).is_finished


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_a_game_with_its_own_exit_code(
    start: Start, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """The game is saved, and stderr says how to go on; no traceback."""
    with start(*ZOE, tmp_path / "game.jsonl") as process:
        until(process, "Zoe> ")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Continue with: cardhub resume" in err
    assert "Traceback" not in err


INTERRUPT = """
import runpy, sys
class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupter())
sys.argv = ["cardhub", *{words!r}]
runpy.run_module("cardhub", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("click", ["--help"]),
        ("cardhub.cli.main", ["--help"]),
        ("cardhub.plugins.registry", ["games"]),
        ("cardhub.cli.session.play_game", ["play", "gargon"]),
        ("cardhub.lab.match", ["match", "run", "--help"]),
    ],
)
def test_ctrl_c_during_imports_exits_without_a_traceback(module: str, words: list[str]) -> None:
    """The import of a module raises KeyboardInterrupt, like a signal at that moment."""
    code = INTERRUPT.format(module=module, words=words)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="pipes break the POSIX way")
def test_a_reader_who_has_read_enough_breaks_nothing(start: Start, record: Path) -> None:
    """`cardhub replay … | head -1` is quiet."""
    with start("replay", record) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before anything can have been written
        assert process.stderr.read() == ""
        assert process.wait(60) == 141


@pytest.mark.skipif(os.name != "posix", reason="pipes break the POSIX way")
def test_a_game_whose_reader_has_gone_can_go_on(start: Start, tmp_path: Path) -> None:
    """It is saved as far as it was played, and stderr says how to resume it."""
    path = tmp_path / "game.jsonl"
    with start(*ZOE, path) as process:
        until(process, "Zoe> ")
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write("1\n")
        process.stdin.flush()
        output = process.stderr.read()
        assert process.wait(60) == 141
    assert "Continue with: cardhub resume" in output
    assert "Traceback" not in output
    assert read_record(path).header.seed == 1


def test_a_terminal_without_unicode_still_shows_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASCII characters are used if stdout cannot encode others."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    command = [sys.executable, "-m", "cardhub", *ZOE, str(tmp_path / "game.jsonl")]
    done = subprocess.run(command, capture_output=True, check=True, input=b"1\n")
    assert b"Your turn, Zoe" in done.stdout
    # `G?` is an unseen card; a `?` alone would stand for a character that ASCII lacks.
    assert not re.search(rb"(?<![A-Z])\?", done.stdout)


@pytest.mark.skipif(os.name != "posix", reason="the shell closes streams the POSIX way")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_one_without_content(tmp_path: Path, closed: str) -> None:
    path = tmp_path / "game.jsonl"
    words = ("play", "gargon", "--seat", "Zoe=random", "--seed", "1", "--record", str(path))
    command = shlex.join([sys.executable, "-m", "cardhub", *words])
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert read_record(path).is_finished


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to try it with")
def test_output_that_cannot_be_written_is_reported(record: Path) -> None:
    """A full disk is not a fault of the record."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "cardhub", "replay", str(record)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "Error: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="records are locked the POSIX way")
@pytest.mark.parametrize("first", ["play", "resume"])
def test_a_game_is_played_in_one_terminal_at_a_time(
    start: Start, run: Run, left: Path, tmp_path: Path, first: str
) -> None:
    """Two processes that write one record would damage it; the second is refused."""
    path = left if first == "resume" else tmp_path / "game.jsonl"
    words = ("resume", path) if first == "resume" else (*ZOE, path)
    with start(*words) as process:
        until(process, "Zoe> ")
        second = run("resume", path, typed="1\n")
        assert second.exit_code == 1
        assert f"{path}: this game is being played in another terminal" in second.stderr
        process.kill()
    assert run("resume", path, typed="1\n").exit_code == 0
