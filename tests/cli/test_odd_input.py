"""Odd values on the command line: a message and an exit code, never a traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.view.text.glyphs import cells

Run = Callable[..., Result]
LONG = "9" * 300


def test_a_seed_of_any_length_is_saved(run: Run, home: Path) -> None:
    """The name of the file holds only its beginning."""
    result = run("play", "gargon", "--seed", LONG, typed="")
    assert result.exit_code == 0
    assert f"Gargon, seed {LONG}\n" in result.stdout
    (path,) = (home / "games").iterdir()
    assert len(path.name) < 100
    assert run("resume", typed="").exit_code == 0


def test_a_record_whose_name_is_too_long_is_refused(run: Run) -> None:
    result = run("play", "gargon", "--record", LONG, typed="")
    assert result.exit_code == 1
    assert f"{LONG} cannot be written: File name too long" in result.stderr


@pytest.mark.parametrize("command", ["resume", "replay"])
def test_a_file_that_cannot_be_looked_for_is_a_usage_error(run: Run, command: str) -> None:
    result = run(command, f"x{LONG}")
    assert result.exit_code == 2
    assert f"there is no file 'x{LONG}'" in result.stderr


@pytest.mark.parametrize("pace", ["nan", "inf", "1e30", "-1"])
def test_an_endless_pace_is_a_usage_error(run: Run, home: Path, pace: str) -> None:
    result = run("play", "gargon", "--seat", "Zoe=random", "--pace", pace)
    assert result.exit_code == 2
    assert "Invalid value for '--pace'" in result.stderr
    assert not home.exists()


def test_names_in_wide_characters_keep_the_columns(run: Run, tmp_path: Path) -> None:
    """A Chinese character takes up two cells of a terminal."""
    words = ("--seat", "名前=random", "--seat", "Zoe=random", "--players", "3")
    shown = run("play", "gargon", *words, "--seed", "1", "--record", tmp_path / "g.jsonl").stdout
    rows = shown.partition("\nResult: ")[2].splitlines()[1:4]
    assert [row[:4] for row in rows] == ["  1.", "  2.", "  3."]
    assert len({cells(row) for row in rows}) == 1


def test_a_saved_game_that_has_gone_is_a_warning(run: Run, home: Path) -> None:
    """A link that leads nowhere does not keep the others from being resumed."""
    run("play", "gargon", "--seed", "1", typed="")
    (home / "games" / "gone.jsonl").symlink_to(home / "nowhere")
    listed = run("resume", "--list")
    assert listed.exit_code == 0
    assert "Gargon" in listed.stdout
    assert "gone.jsonl cannot be read" in listed.stderr
    assert run("resume", typed="").exit_code == 0
