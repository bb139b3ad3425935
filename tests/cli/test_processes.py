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
from click.testing import CliRunner, Result

from cardhub.cli.main import cli
from cardhub.play.records.reading import read_record

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1", "--record")
# Runs commands, which are separated by commas; prints the modules loaded before and after each.
LOADED = """
import json, sys
from cardhub.cli.main import main
words = sys.argv[1:]
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
while words:
    end = words.index(",")
    sys.argv[1:], words = words[:end], words[end + 1:]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def modules_loaded_by(*commands: str) -> list[set[str]]:
    """Return the modules that a new process has imported before and after each command."""
    words = [word for command in commands for word in (*command.split(), ",")]
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True, input=""
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("[")]
    return [set(json.loads(line)) for line in lines]


def until(process: "subprocess.Popen[str]", text: str) -> str:
    """Return the output of a process, up to and including a text."""
    assert process.stdout is not None
    read = ""
    while not read.endswith(text):
        letter = process.stdout.read(1)
        assert letter, f"ended without {text!r}: {read}"
        read += letter
    return read


def test_commands_import_only_what_they_need() -> None:
    """They answer quickly, and a broken game cannot break them.

    Before the commands there is no room below them, and `cardhub --help` reads its list from a
    table; no other command imports a game or a screen, and plain play imports no screen.
    """
    begun, helped, *others, played = modules_loaded_by(
        "--help", "games", "--version", "play --help", "play gargon --seed 1"
    )
    assert "cardhub.cli.main" in begun
    assert not {name for name in begun if name.startswith(("cardhub.lab.match", "numpy", "scipy"))}
    rooms = {".".join(name.split(".")[:2]) for name in helped}
    assert {f"cardhub.{room}" for room in ("bots", "lab", "play", "view")} & rooms == set()
    for loaded in (helped, *others):
        assert {"textual", "cardhub_gargon"} & {name.partition(".")[0] for name in loaded} == set()
    assert "cardhub_gargon" in played
    assert "textual" not in played


@pytest.mark.skipif(os.name != "posix", reason="records are locked the POSIX way")
def test_a_game_is_played_in_one_terminal_and_goes_on_after_it_is_killed(
    start: Start, run: Run, tmp_path: Path
) -> None:
    """All actions before `kill -9` are in the record, which two processes would damage."""
    path = tmp_path / "game.jsonl"
    with start(*ZOE, path) as process:
        assert process.stdin is not None
        until(process, "Zoe> ")
        assert_refused(run, path)
        process.stdin.write("1\n")
        process.stdin.flush()
        output = until(process, "Zoe> ")
        process.kill()
    laid = output.partition("Zoe lays ")[2].partition("\n")[0]
    assert [line["action"] for _, line in read_record(path).lines] == [f"lay {laid}"]
    resumed = run("resume", path, typed="1\n" * 300)
    assert resumed.exit_code == 0
    assert read_record(path).is_finished


def assert_refused(run: Run, path: Path) -> None:
    """Assert that a game which is being played elsewhere cannot be resumed."""
    second = run("resume", path, typed="1\n")
    assert second.exit_code == 1
    assert f"{path}: this game is being played in another terminal" in second.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
def test_a_signal_ends_a_game_with_its_own_exit_code_and_it_can_be_resumed(
    start: Start, run: Run, tmp_path: Path
) -> None:
    """The game is saved, and stderr says how to go on; no traceback."""
    path = tmp_path / "game.jsonl"
    codes = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGHUP: 129}
    words: tuple[str | Path, ...] = (*ZOE, path)
    for number, code in codes.items():
        with start(*words) as process:
            until(process, "Zoe> ")
            assert_refused(run, path)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
        assert process.returncode == code
        assert "Continue with: cardhub resume" in err
        assert "Traceback" not in err
        words = ("resume", path)


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


def test_a_terminal_without_unicode_still_shows_the_table(tmp_path: Path) -> None:
    """ASCII characters are used if stdout cannot encode others."""
    words = [*ZOE, str(tmp_path / "game.jsonl")]
    done = CliRunner(charset="ascii").invoke(cli, words, input="1\n", prog_name="cardhub")
    assert done.exit_code == 0
    assert "Your turn, Zoe" in done.stdout
    # `G?` is an unseen card; a `?` alone would stand for a character that ASCII lacks.
    assert not re.search(r"(?<![A-Z])\?", done.stdout)


@pytest.mark.skipif(os.name != "posix", reason="the shell closes streams the POSIX way")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_one_without_content(tmp_path: Path, closed: str) -> None:
    path = tmp_path / "game.jsonl"
    words = ("play", "kuhn", "--seat", "Zoe=random", "--seed", "1", "--record", str(path))
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
