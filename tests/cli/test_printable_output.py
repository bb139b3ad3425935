"""Control characters of records, plugins and file names are escaped on a terminal."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.base.errors.quoting import UNSAFE

Run = Callable[..., Result]

PLUGIN = '''
"""Listed \\x9b2J as \\x1b]0;owned\\x07 it is."""
import click
from cardhub import BotEntry, Exporter, Theme, hookimpl

EVIL = "\\x1b[2J\\u202e\\x9bx"

@hookimpl
def register_bots():
    return [BotEntry("odd", f"A bot {EVIL}", lambda rng: None)]

@hookimpl
def register_commands(cli):
    @cli.group(name="oddities", help=f"Commands {EVIL}", short_help=f"Short {EVIL}")
    def oddities():
        pass

    @oddities.command(help=f"Inner {EVIL}")
    @click.option("--x", help=EVIL)
    def inner(x):
        raise ValueError(f"raised {EVIL}")

@hookimpl
def register_themes():
    return [Theme("odd", f"A theme {EVIL}", "#123456")]

@hookimpl
def register_exporters():
    return [Exporter("odd", f"A format {EVIL}", lambda game: EVIL)]
'''


def raw(result: Result) -> list[str]:
    """Return the characters of an output that a terminal would obey."""
    return UNSAFE.findall(re.sub("[\n]", "", result.stdout + result.stderr))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a plugins directory whose name and plugin hold control characters."""
    folder = tmp_path / "plug\x1b[2Jins"
    folder.mkdir()
    (folder / "odd.py").write_text(PLUGIN, "utf-8")
    (folder / "broken.py").write_text("raise ValueError('\\x1b[2J\\x9b')", "utf-8")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "games",
        "plugins",
        "plugins --json",
        "bot list",
        "bot list --json",
        "themes",
        "export --list",
        "export --list --json",
        "oddities --help",
        "oddities inner --help",
        "oddities inner",
        "oddities inner --\x1b[2J",
        "\x1b[2J",
        "play \x1b[2J",
        "replay \x1b[2J",
        "rules gargon \x1b[2J",
    ],
)
def test_no_listing_help_or_error_prints_control_characters(
    run: Run, folder: Path, words: str
) -> None:
    result = run("--plugins-dir", folder, *words.split())
    assert "Traceback" not in result.output
    assert raw(result) == []
    if words.endswith("--json"):
        json.loads(result.stdout)


def test_a_record_named_oddly_is_told_of_printably(run: Run, tmp_path: Path) -> None:
    """Where it was saved, and that it cannot be read."""
    path = tmp_path / "game\x1b[2J.jsonl"
    played = run("play", "gargon", "--seat", "Zoe=random", "--seed", "1", "--record", path)
    assert played.exit_code == 0
    assert raw(played) == []
    path.write_text('{"cardhub_record": "\\u001b[2J\\u202e"}\n')
    assert raw(run("replay", path)) == []


def test_an_exporter_writes_what_it_wants_to_a_file_but_not_to_a_terminal(
    run: Run, record: Path, folder: Path
) -> None:
    """A format may need any character; a pipe gets it unchanged."""
    assert "\x1b[2J" in run("--plugins-dir", folder, "export", "odd", record).stdout


def test_a_stream_without_unicode_shows_every_text(folder: Path) -> None:
    """No output ends in an encoding error."""
    done = subprocess.run(
        [sys.executable, "-m", "cardhub", "--plugins-dir", folder, "rules", "\u202e\udcff孙"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.returncode == 2
    assert b"unknown game" in done.stderr


def test_warnings_of_python_are_printable(tmp_path: Path) -> None:
    """They quote the warning and the source lines of a plugin."""
    source = "import warnings\nwarnings.warn('\\x1b[2J\\x9b', UserWarning)\n"
    (tmp_path / "warner.py").write_text(source, "utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "always", "-m", "cardhub", "--plugins-dir", tmp_path, "plugins"],
        capture_output=True,
        check=True,
    )
    assert r"UserWarning: \x1b[2J\x9b" in done.stderr.decode("utf-8")
    assert UNSAFE.findall(done.stderr.decode("utf-8").replace("\n", "")) == []
