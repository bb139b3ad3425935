"""`cardhub export`: recorded games in other formats."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
PLUGIN = """
from cardhub import Exporter, hookimpl

@hookimpl
def register_exporters():
    return [Exporter("odd", "is odd", {function}{more})]
"""


def test_a_transcript_tells_the_whole_game(run: Run, record: Path) -> None:
    """The same sentences as the replay, and the result."""
    result = run("export", "text", record)
    assert (result.exit_code, result.stderr) == (0, "")
    replayed = [
        line for line in run("replay", record).stdout.splitlines() if line[:4].strip().isdigit()
    ]
    exported = [line for line in result.stdout.splitlines() if line[:4].strip().isdigit()]
    assert exported == replayed
    assert result.stdout.startswith("Gargon, seed 1\nAt the table: Zoe (random), ")
    assert "\nResult:\n  1. " in result.stdout


def test_a_table_has_a_line_for_each_event(run: Run, record: Path) -> None:
    rows = list(csv.DictReader(run("export", "csv", record).stdout.splitlines()))
    actions = [json.loads(line)["action"] for line in record.read_text("utf-8").splitlines()[1:-1]]
    assert [row["action"] for row in rows if row["kind"] == "action"] == actions
    assert [int(row["number"]) for row in rows] == list(range(len(rows)))
    assert {row["player"] for row in rows[:-1]} == {"Zoe", "Anna", "Bob"}


def test_a_player_gets_what_that_player_saw(run: Run, left: Path) -> None:
    mine, all_cards = (
        run("export", "csv", left, "--as", "Zoe"),
        run("export", "csv", left, "--as", "all"),
    )
    assert mine.exit_code == 0
    assert (all_cards.exit_code, all_cards.stdout) == (2, "")
    assert "the view of all is still secret" in all_cards.stderr
    text = run("export", "text", left).stdout
    assert "seed" not in text
    assert "As seen by: Zoe\n" in text
    assert "The game is not over yet.\n" in text


def test_a_file_is_written_whole_and_never_over_another(
    run: Run, record: Path, tmp_path: Path
) -> None:
    out = tmp_path / "told.txt"
    assert run("export", "text", record, "--out", out).stdout == ""
    assert out.read_text("utf-8") == run("export", "text", record).stdout
    again = run("export", "csv", record, "--out", out)
    assert (again.exit_code, again.stdout) == (1, "")
    assert f"{out} exists already" in again.stderr
    assert run("export", "csv", record, "--out", tmp_path / "no" / "x").exit_code == 1


def test_formats_are_listed_with_their_plugins(run: Run) -> None:
    assert run("export", "--list", samples=True).stdout.splitlines()[0].split() == [
        "format",
        "for",
        "from",
    ]
    formats = {
        exporter["name"]: exporter
        for exporter in json.loads(run("export", "--json", samples=True).stdout)
    }
    assert formats["text"]["from"] == "cardhub"
    assert formats["tally"]["summary"] == "how often each player acted"


def test_a_format_of_a_plugin_is_a_format_like_any_other(run: Run, record: Path) -> None:
    """It gets the game as its viewer may know it, and returns text."""
    exported = run("export", "tally", record, samples=True).stdout
    assert [line.split()[0] for line in exported.splitlines()] == ["Zoe", "Anna", "Bob"]


def test_a_mistyped_format_gets_the_nearest_name(run: Run, record: Path) -> None:
    result = run("export", "txt", record)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "unknown format 'txt'. Did you mean 'text'? Known: csv, text" in result.stderr
    assert "cardhub export --list" in run("export", "text").stderr


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("lambda game: 5", "failed in its format 'odd': it returned 5, not text or pieces of it"),
        ("lambda game: ['a', 5]", "failed in its format 'odd': a piece of it is 5, not text"),
        ("lambda game: 1 / 0", "failed in its format 'odd': ZeroDivisionError"),
        ("lambda game: (1 / 0 for _ in 'a')", "failed in its format 'odd': ZeroDivisionError"),
    ],
)
def test_an_exporter_that_fails_writes_nothing(
    run: Run, record: Path, tmp_path: Path, function: str, reason: str
) -> None:
    """Exit code 1, the plugin's name, the cause; the other formats are not touched."""
    (tmp_path / "odd.py").write_text(PLUGIN.format(function=function, more=""))
    out = tmp_path / "out"
    result = run("--plugins-dir", tmp_path, "export", "odd", record, "--out", out)
    assert (result.exit_code, result.stdout, out.exists()) == (1, "", False)
    assert f"plugin 'odd' of {tmp_path} {reason}" in result.stderr
    assert run("--plugins-dir", tmp_path, "export", "text", record).exit_code == 0


def test_a_format_for_another_game_says_for_which(run: Run, record: Path, tmp_path: Path) -> None:
    """The message names the game, as for bots of another game."""
    source = PLUGIN.format(function="lambda game: ''", more=", games=('bridge',)")
    (tmp_path / "odd.py").write_text(source)
    result = run("--plugins-dir", tmp_path, "export", "odd", record)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "format 'odd' is for bridge, not for gargon" in result.stderr


def test_a_record_that_does_not_replay_is_named_with_its_line(run: Run, record: Path) -> None:
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join([lines[0], *lines[2:]]), "utf-8")
    result = run("export", "text", record)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"Error: {record}:4: 'lay V4' is not legal here" in result.stderr
