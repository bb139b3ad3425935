"""Common to all commands: help, typos, exit codes, plugins."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from cardhub.cli.lazy import LazyGroup
from cardhub.cli.main import cli

Run = Callable[..., Result]


def test_help_names_the_commands_and_the_exit_codes(run: Run) -> None:
    """Who writes a script finds the exit codes where the commands are."""
    result = run("--help")
    assert result.exit_code == 0
    commands = ("play", "resume", "replay", "games", "rules", "bot", "plugins")
    assert [name for name in commands if f"\n  {name} " not in result.stdout] == []
    assert "3    a bot misbehaved" in result.stdout


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert "cardhub, version " in run("--version").stdout


def test_a_mistyped_command_gets_the_nearest_name(run: Run) -> None:
    """Empty stdout, the hint on stderr, exit code 2."""
    result = run("rulse")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Did you mean 'rules'?" in result.stderr


def test_a_mistyped_command_of_a_group_gets_the_nearest_name(run: Run) -> None:
    """Although its commands are imported only when they are asked for."""
    assert "Did you mean 'list'?" in run("bot", "lst").stderr


def lazy_commands(group: click.Command | None) -> Iterator[tuple[str, str, click.Command]]:
    """Yield name, listed summary and command of all commands in groups."""
    assert isinstance(group, LazyGroup)
    ctx = click.Context(group)
    for name, (_, summary) in group.lazy.items():
        command = group.get_command(ctx, name)
        assert command is not None
        yield name, summary, command
        if isinstance(command, LazyGroup):
            yield from lazy_commands(command)


def test_the_summary_of_a_command_is_the_first_sentence_of_its_help() -> None:
    """Groups list commands from a table, without importing them."""
    for name, summary, command in lazy_commands(cli):
        assert command.name == name
        assert " ".join((command.help or "").split()).startswith(summary)


def test_a_mistyped_command_of_a_plugin_gets_its_name(run: Run) -> None:
    """Commands of plugins are commands like any other."""
    assert "Did you mean 'count'?" in run("coutn", samples=True).stderr


@pytest.mark.parametrize("command", ["play", "rules", "bot list"])
def test_a_mistyped_game_gets_the_nearest_name(run: Run, command: str) -> None:
    """Every command that takes a game says which there are."""
    result = run(*command.split(), "gargn")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "unknown game 'gargn'. Did you mean 'gargon'? Installed: " in result.stderr


def test_a_plugin_adds_commands_but_replaces_none(run: Run) -> None:
    """The one whose name is taken is left out with a warning."""
    result = run("--help", samples=True)
    assert "count " in result.stdout
    assert "command 'play' of plugin 'extras'" in result.stderr
    assert "is ignored: the name belongs to cardhub" in result.stderr
    counted = run("count", samples=True)
    assert counted.exit_code == 0
    assert counted.stdout.endswith(" games\n")


def test_the_plugins_directory_can_come_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CARDHUB_PLUGINS_DIR is --plugins-dir for a whole session."""
    (tmp_path / "odd.py").write_text('"""An odd game."""')
    monkeypatch.setenv("CARDHUB_PLUGINS_DIR", str(tmp_path))
    assert "An odd game." in run("games").stdout


@pytest.mark.skipif(os.name != "posix", reason="there is no such device")
@pytest.mark.parametrize("words", ["games", "--help", "nonsense"])
def test_a_plugins_directory_that_is_none_is_an_error_in_one_line(run: Run, words: str) -> None:
    result = run("--plugins-dir", "/dev/null", words)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: cannot read the plugins directory /dev/null: ")


def test_a_broken_game_is_the_plugins_fault(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("1 / 0")
    result = run("--plugins-dir", tmp_path, "rules", "odd")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "plugin 'odd' of " in result.stderr
    assert "ZeroDivisionError" in result.stderr


def completed(*words: str, incomplete: str) -> list[str]:
    """Return the completions after these words."""
    shell = ShellComplete(cli, {}, "cardhub", "_CARDHUB_COMPLETE")
    return [item.value for item in shell.get_completions(list(words), incomplete)]


def test_shells_complete_games_options_bots_and_commands() -> None:
    assert completed("play", incomplete="garg") == ["gargon"]
    assert completed("play", "gargon", "--set", incomplete="open") == ["open_winnings="]
    assert completed("play", "gargon", "--seat", incomplete="Bob=r") == ["Bob=random", "Bob=rule"]
    assert completed("bot", "check", incomplete="ru") == ["rule"]
    assert completed(incomplete="re") == ["resume", "replay"]
    assert completed("play", "gargon", incomplete="--pl") == ["--players", "--plain"]


def test_shells_complete_saved_games(run: Run, home: Path) -> None:
    """Records are offered first, other files are left to the shell."""
    run("play", "gargon", "--seed", "5", typed="")
    saved = [str(path) for path in (home / "games").iterdir()]
    assert len(saved) == 1
    start = str(home / "games")
    assert completed("replay", incomplete=start) == [*saved, start]
