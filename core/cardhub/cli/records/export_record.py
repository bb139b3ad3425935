"""`cardhub export`: write a recorded game in another format."""

from pathlib import Path

import click

from cardhub.base.errors import PluginError
from cardhub.cli.console import print_file
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import (
    RECORD,
    VIEWER,
    ParsedType,
    Words,
    json_option,
    list_option,
    new_file_option,
)
from cardhub.cli.records.access import (
    choose_viewer,
    warn_changed,
    warn_damaged,
    write_new,
)
from cardhub.cli.root import registry_of, warn
from cardhub.play.host.opening import recorded_game
from cardhub.play.host.replays.viewpoints import viewer_name
from cardhub.play.records.formats import go_through
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record
from cardhub.plugins.loading import export_text


def _format_words(ctx: click.Context, incomplete: str) -> Words:
    return {exporter.name: exporter.summary for exporter, _ in registry_of(ctx).exporters()}


@click.command()
@click.argument(
    "form",
    metavar="[FORMAT]",
    type=ParsedType("format", str, _format_words),
    required=False,
    help="The name of a format.",
)
@click.argument("file", type=RECORD, required=False, help="A record.")
@VIEWER
@new_file_option("--out", "Write to this new file. Default: standard output.", metavar="FILE")
@list_option("listing", "List the formats instead.")
@json_option("Print that list as JSON.")
@click.pass_context
def export(
    ctx: click.Context,
    form: str | None,
    file: Path | None,
    who: str | None,
    out: Path | None,
    listing: bool,
    as_json: bool,
) -> None:
    """Write a recorded game in another format.

    With --as, the output has only the information of this viewer. Default: as `cardhub replay`.
    """
    if listing or as_json:
        _list_formats(ctx, as_json)
        return
    if form is None or file is None:
        raise click.UsageError(
            "missing FORMAT and FILE; `cardhub export --list` lists the formats", ctx
        )
    text = _exported(ctx, form, file, who)
    if out is None:
        print_file(text)
    else:
        write_new(out, text)


def _exported(ctx: click.Context, form: str, file: Path, who: str | None) -> str:
    registry = registry_of(ctx)
    try:
        exporter, declared = registry.exporters().get(form)
    except PluginError as error:
        raise click.UsageError(str(error), ctx) from error
    record = warn_damaged(read_record(file))
    name = record.header.game
    if not exporter.suits(name):
        games = ", ".join(exporter.games or ())
        raise click.UsageError(f"format {form!r} is for {games}, not for {name}", ctx)
    # Before the exporter runs: it never receives more than the viewer may see.
    game = recorded_game(registry, record)
    warn_changed(game, record)
    viewer = choose_viewer(game, record, who)
    called = viewer_name(record.players, viewer)
    referee = open_record(game, record)
    return export_text(exporter, declared, go_through(record, referee, viewer, called))


def _list_formats(ctx: click.Context, as_json: bool) -> None:
    catalogue = registry_of(ctx).exporters()
    if as_json:
        keys = ("name", "summary", "games", "from", "version")
        facts = [(e.name, e.summary, e.games, d.distribution, d.version) for e, d in catalogue]
        print_json([dict(zip(keys, row, strict=True)) for row in facts])
    else:
        rows = [
            (e.name, ", ".join(e.games or ["any game"]), d.origin, e.summary) for e, d in catalogue
        ]
        print_table(("format", "for", "from", ""), rows)
    warn(*registry_of(ctx).warnings(), *catalogue.clashes())
