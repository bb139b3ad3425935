"""`cardhub match bundle`: write one zip with which others verify, cite and repeat a match."""

from pathlib import Path

import click

from cardhub.base.files import replace_bytes
from cardhub.cli.console import echo
from cardhub.cli.match.match_games import FOLDER
from cardhub.cli.params import new_file_option
from cardhub.cli.root import registry_of
from cardhub.lab.bundle.bundle import MATCH_FILE, BundleOptions, build_bundle


@click.command(epilog="The page docs/run-a-contest.md has an example.")
@FOLDER
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The match file. Default: match.yaml in DIR, or the file of this name above `runs`.",
)
@new_file_option("--out", "The zip. Default: DIR.zip.", metavar="FILE")
@click.option(
    "--sources",
    multiple=True,
    metavar="BOT",
    help="Include the sources of this bot, if its authors agree; can be repeated.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="PACKAGE",
    help="Leave out the wheel of this package; can be repeated.",
)
@click.option(
    "--lock",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A lock file (pylock.toml) of this environment. Default: pip writes one.",
)
@click.pass_context
def bundle(
    ctx: click.Context,
    folder: Path,
    file: Path | None,
    out: Path | None,
    sources: tuple[str, ...],
    without: tuple[str, ...],
    lock: Path | None,
) -> None:
    """Write one file with which others verify, cite and repeat a match.

    cardhub match bundle runs/contest --sources ann

    The zip is an RO-Crate, which Zenodo takes. It has the log, results and reports, the match file
    with the secret of its deals, wheels of the games, and a lock file of all libraries.
    `cardhub match verify FILE.zip` checks it.
    """
    options = BundleOptions(sources, frozenset(without), lock)
    if file is None:
        inside = folder / MATCH_FILE  # else where `cardhub match` was given it
        file = inside if inside.exists() else folder.absolute().parents[1] / f"{folder.name}.yaml"
    data = build_bundle(folder, file, registry_of(ctx), options)
    target = out or folder.with_name(f"{folder.absolute().name}.zip")
    replace_bytes(target, data)
    echo(f"Bundle: {target}")
