"""Commands of plugins: their names, errors and imports."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result

from cardhub.cli.main import cli

Run = Callable[..., Result]
COMMAND = '''
import click
from cardhub import hookimpl

@hookimpl
def register_commands(cli):
    @cli.command()
    def {name}():
        """Say {name}."""
        {body}
'''


def write(folder: Path, plugin: str, name: str, body: str = "click.echo('done')") -> None:
    """Write a plugin with one command."""
    (folder / f"{plugin}.py").write_text(COMMAND.format(name=name, body=body))


def test_a_command_may_be_a_group_with_commands_of_its_own(run: Run, tmp_path: Path) -> None:
    """Groups, options and arguments work as for any click command."""
    body = "    @cli.group()\n    def tourney(): pass\n    @tourney.command()\n"
    source = COMMAND.format(name="x", body="").partition("    @cli")[0] + body
    (tmp_path / "odd.py").write_text(source + "    def start(): click.echo('go')\n")
    assert run("--plugins-dir", tmp_path, "tourney", "start").stdout == "go\n"


def test_a_name_that_two_plugins_claim_belongs_to_neither(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "one", "greet")
    write(tmp_path, "two", "greet")
    write(tmp_path, "three", "leave")
    helped = run("--plugins-dir", tmp_path, "--help")
    claim = "command 'greet' is claimed twice: by plugin 'one' of "
    assert f"Warning: {claim}" in helped.stderr
    assert "Say greet" not in helped.stdout
    assert "Say leave" in helped.stdout
    named = run("--plugins-dir", tmp_path, "greet")
    assert (named.exit_code, named.stdout) == (1, "")
    assert f"Error: {claim}" in named.stderr
    assert run("--plugins-dir", tmp_path, "leave").stdout == "done\n"


def test_a_shipped_command_is_not_replaced(run: Run, tmp_path: Path) -> None:
    """It works as ever, and without a word about the plugin that wants its name."""
    write(tmp_path, "odd", "games")
    result = run("--plugins-dir", tmp_path, "games")
    assert "gargon" in result.stdout
    assert result.stderr == ""


def test_a_command_that_raises_is_the_plugins_fault(run: Run, tmp_path: Path) -> None:
    """No traceback, but the plugin, the exception and its position."""
    write(tmp_path, "odd", "divide", "1 / 0")
    result = run("--plugins-dir", tmp_path, "divide")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: plugin 'odd' of {tmp_path} failed in its command")
    assert (
        f"'divide': ZeroDivisionError: division by zero ({tmp_path / 'odd.py'}:10)" in result.stderr
    )


def test_errors_that_a_command_reports_itself_stay_unchanged(run: Run, tmp_path: Path) -> None:
    """Its own exit codes and click's errors pass."""
    write(tmp_path, "odd", "stop", "raise SystemExit(7)")
    write(tmp_path, "even", "refuse", "raise click.UsageError('not so')")
    assert run("--plugins-dir", tmp_path, "stop").exit_code == 7
    refused = run("--plugins-dir", tmp_path, "refuse")
    assert (refused.exit_code, "Error: not so" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("added", "reason"),
    [
        ("cli.add_command(print, 'print')", "<built-in function print> as 'print', which is no"),
        ("cli.add_command(5)", "failed in register_commands: AttributeError"),
        ("cli.add_command(click.Command('a b'))", "invalid command name 'a b'"),
    ],
)
def test_what_is_no_command_is_refused(run: Run, tmp_path: Path, added: str, reason: str) -> None:
    source = COMMAND.partition("    @cli")[0] + f"    {added}\n"
    (tmp_path / "odd.py").write_text(source)
    result = run("--plugins-dir", tmp_path, "--help")
    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: plugin 'odd' of ")
    assert reason in result.stderr
    assert "\n  play " in result.stdout


def test_plugins_without_commands_are_not_imported_for_help(run: Run, tmp_path: Path) -> None:
    """However long a plugin of bots takes to load: its source says that it has no command."""
    source = (
        "from cardhub import hookimpl\nraise SystemExit(9)\n@hookimpl\ndef register_bots(): ...\n"
    )
    (tmp_path / "slow.py").write_text(source)
    write(tmp_path, "quick", "greet")
    for words in (["--help"], ["greet"], ["games"]):
        result = run("--plugins-dir", tmp_path, *words)
        assert (result.exit_code, result.stderr) == (0, "")


def test_a_shell_that_completes_a_line_sees_no_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would be written across the prompt."""
    write(tmp_path, "one", "greet")
    write(tmp_path, "two", "greet")
    write(tmp_path, "three", "leave")
    monkeypatch.setenv("CARDHUB_PLUGINS_DIR", str(tmp_path))
    shell = ShellComplete(cli, {}, "cardhub", "_CARDHUB_COMPLETE")
    assert [item.value for item in shell.get_completions([], "lea")] == ["learn", "league", "leave"]
    assert capsys.readouterr().err == ""


def test_a_plugin_can_be_left_out_by_its_name(run: Run, tmp_path: Path) -> None:
    """A name that no plugin has is an error with a suggestion; other commands are not affected."""
    (tmp_path / "stuck.py").write_text("raise SystemExit(9)  # register_commands")
    assert "plugin 'stuck'" in run("--plugins-dir", tmp_path, "plugins").stderr
    without = run("--no-plugin", "stuck", "--plugins-dir", tmp_path, "plugins")
    assert (without.exit_code, without.stderr) == (0, "")
    assert "stuck" not in without.stdout
    assert "CARDHUB_NO_PLUGIN" not in os.environ
    misspelt = run("--plugins-dir", tmp_path, "--no-plugin", "stcuk", "plugins")
    assert misspelt.exit_code == 2
    assert "there is no plugin 'stcuk'. Did you mean 'stuck'?" in misspelt.stderr
