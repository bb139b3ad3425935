"""The page on the command line is complete."""

import re
from collections.abc import Iterator

import click
import pytest
from tests.kit.paths import ROOT

from cardhub.cli.lazy import LazyGroup
from cardhub.cli.main import cli

PAGE = (ROOT / "docs" / "cli.md").read_text("utf-8")
ROW = re.compile(r"^\| `([^`]+)` \| .* \| (.*)\|$", re.MULTILINE)


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names, without the commands of plugins."""
    context = click.Context(group)
    names = group.lazy if isinstance(group, LazyGroup) else group.list_commands(context)
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands(cli))


def typed(name: str) -> str:
    """Return a command's words as people type them; `match run` may be typed `match`."""
    return name.removesuffix(" run")


def rows() -> dict[str, str]:
    """Return the options in the table, by command; arguments are in capitals."""
    options_of = {}
    for synopsis, options in ROW.findall(PAGE):
        words = [word for word in synopsis.split() if word.islower() and word[0].isalpha()]
        options_of[" ".join(words)] = options
    return options_of


def test_every_command_is_in_the_table() -> None:
    """The table and the help are in the same order."""
    assert list(rows()) == [typed(name) for name in ALL]


@pytest.mark.parametrize("name", ALL)
def test_the_row_of_a_command_has_its_options(name: str) -> None:
    """All options but `--help` are in the row, in the order of the help."""
    # Hidden ones are for processes that cardhub starts itself.
    options = (p for p in ALL[name].params if isinstance(p, click.Option) and not p.hidden)
    long = [word for option in options for word in option.opts if word.startswith("--")]
    assert rows()[typed(name)].split() == [f"`{word}`" for word in long]


def test_every_exit_code_of_the_help_is_listed() -> None:
    assert isinstance(cli.epilog, str)
    codes = re.findall(r"^  (\d+) ", cli.epilog, re.MULTILINE)
    assert len(codes) > 5
    assert [code for code in codes if f"\n| {code} | " not in PAGE] == []


def test_every_variable_of_the_environment_is_listed() -> None:
    variables = {
        option.envvar
        for command in (cli, *ALL.values())
        for option in command.params
        if option.envvar
    }
    assert variables >= {"CARDHUB_THEME", "CARDHUB_PLUGINS_DIR"}
    assert [name for name in variables if f"\n| `{name}` | " not in PAGE] == []
