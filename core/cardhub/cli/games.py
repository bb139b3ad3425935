"""`cardhub games`: what can be played."""

import click

from cardhub.cli.console import echo
from cardhub.cli.listing import print_json, print_table
from cardhub.cli.root import registry_of, warn
from cardhub.plugins.declaration import GAMES


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def games(ctx: click.Context, as_json: bool) -> None:
    """List the installed games."""
    list_games(ctx, as_json)


def list_games(ctx: click.Context, as_json: bool = False) -> None:
    """Print the games, read from what is installed without importing them; then collections."""
    registry = registry_of(ctx)
    declared = registry.declared(GAMES)
    if as_json:
        print_json(
            [
                {
                    "name": d.name,
                    "summary": d.summarize(),
                    "from": d.distribution,
                    "version": d.version,
                }
                for d in declared
            ]
        )
    elif declared:
        rows = [(d.name, d.origin, d.summarize()) for d in declared]
        for collection, plugin in registry.collections():
            rows.append((f"{collection.name}:...", plugin.declared.origin, collection.summary))
        print_table(("game", "from", ""), rows)
    else:
        echo("No game is installed.", err=True)
    warn(*registry.clashes())
