"""`cardhub new`: create the package of a new game."""

import shlex
from pathlib import Path

import click

from cardhub.cli.console import echo
from cardhub.cli.root import registry_of
from cardhub.errors import AuthoringError

CONTENTS = {
    "cards.yaml": "the cards",
    "game.py": "the rules and the display",
    "rules.md": "the rules for players",
    "match.yaml": "a match of two bots",
    "README.md": "what to do next",
}
"""Descriptions of files; files without one are not listed."""


@click.command()
@click.argument("name", help="Name of the game and of its package.")
@click.option(
    "--dir",
    "where",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Parent of the new folder (default: the current directory).",
)
@click.pass_context
def new(ctx: click.Context, name: str, where: Path) -> None:
    """Create a small working game that you can edit.

    It is a package in a new folder: cards, rules, a page of rules and tests. Existing files are
    never overwritten.
    """
    from cardhub.authoring import check_name, write_package

    try:
        check_name(name, registry_of(ctx).game_names())
    except AuthoringError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'NAME'") from error
    if (where / name).exists():
        message = f"{where / name} exists already; nothing is ever overwritten"
        raise click.BadParameter(message, ctx, param_hint="'NAME'")
    written = write_package(name, where)
    _tell(name, written.folder, written.files)


def _tell(name: str, folder: Path, files: tuple[Path, ...]) -> None:
    told = {folder / file: _content(file) for file in files}
    width = max(len(str(path)) for path, content in told.items() if content)
    for path, content in told.items():
        if content:
            echo(f"{path!s:{width}}  {content}")
    place = shlex.quote(click.format_filename(folder))
    echo(f"\nNext:\n  pip install -e {place}\n  cardhub check {name}\n  cardhub play {name}")


def _content(file: Path) -> str:
    return (
        "all checks, in one line" if file.stem.startswith("test_") else CONTENTS.get(file.name, "")
    )
