"""The page on the command line is complete."""

import re
from collections.abc import Iterator

import click
import pytest
from tests.kit.paths import ROOT

from cardhub.cli.lazy import LazyGroup
from cardhub.cli.main import cli

DOCS = ROOT / "docs"
PAGE = (DOCS / "cli.md").read_text("utf-8")
PAGES = PAGE + "".join(
    (DOCS / f"{page}.md").read_text("utf-8")
    for page in ("match-folder", "fair-matches", "find-mistakes")
)


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names; those of plugins are left out."""
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


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_in_the_table(name: str) -> None:
    """As it is typed; a match is run without saying so."""
    typed = name.removesuffix(" run")
    assert re.search(rf"^\| `{typed}( |`)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", ALL)
def test_every_option_is_explained(name: str) -> None:
    """Here, or where matches are."""
    # Hidden ones are for processes that cardhub starts itself.
    options = (p for p in ALL[name].params if isinstance(p, click.Option) and not p.hidden)
    long = [word for option in options for word in option.opts if word.startswith("--")]
    assert [word for word in long if not re.search(rf"`{word}[ `|]", PAGES)] == []


def test_every_exit_code_of_the_help_is_listed() -> None:
    """With the same words, so that neither of them is forgotten."""
    assert isinstance(cli.epilog, str)
    codes = re.findall(r"^  (\d+) ", cli.epilog, re.MULTILINE)
    assert len(codes) > 5
    assert [code for code in codes if f"\n| {code} | " not in PAGE] == []


def test_every_variable_of_the_environment_is_listed() -> None:
    """Those that options read."""
    variables = {
        option.envvar
        for command in (cli, *ALL.values())
        for option in command.params
        if option.envvar
    }
    assert variables >= {"CARDHUB_THEME", "CARDHUB_PLUGINS_DIR"}
    assert [name for name in variables if f"\n| `{name}` | " not in PAGE] == []
