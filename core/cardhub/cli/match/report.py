"""`cardhub match report`: the reports of a match, finished or not."""

from pathlib import Path

import click

from cardhub.cli.console import echo
from cardhub.cli.match.single_game import FOLDER
from cardhub.cli.root import registry_of


@click.command()
@FOLDER
@click.option("--open", "is_opened", is_flag=True, help="Show the page in a browser.")
@click.pass_context
def report(ctx: click.Context, folder: Path, is_opened: bool) -> None:
    """Write the reports of a match, as far as it has been played."""
    from cardhub.report.report_files import result_in, write_reports

    paths = write_reports(folder, result_in(folder, registry_of(ctx)))
    for path in paths:
        echo(path)
    if is_opened:
        click.launch(str(paths[0]))
