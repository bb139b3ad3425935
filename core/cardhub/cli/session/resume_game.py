"""`cardhub resume`: continue a saved game."""

from dataclasses import replace
from pathlib import Path

import click

from cardhub.base.errors import RecordError
from cardhub.cli.params import json_option, list_option
from cardhub.cli.records.access import (
    ALLOW,
    as_recorded_option,
    refuse_programs,
    run_as_recorded,
    warn_damaged,
)
from cardhub.cli.records.saved_listing import UNFINISHED, print_saved
from cardhub.cli.root import registry_of, warn
from cardhub.cli.session.front_end import (
    FrontEnd,
    check_hint,
    front_end_options,
    play_hosted,
    table_opener,
)
from cardhub.play.host.saved.editions import AS_RECORDED, WITH_CHANGES, Editions
from cardhub.play.host.saved.saved_list import SavedGame, list_saved
from cardhub.play.host.saved.saves import check_saves, home
from cardhub.play.records.reading import Record


@click.command()
@click.argument(
    "file",
    type=UNFINISHED,
    required=False,
    help="A record, or its number in --list. Default: the game played last.",
)
@list_option("as_list", "List the unfinished games instead.")
@json_option("Print that list as JSON.")
@click.option(
    ALLOW,
    "may_start",
    is_flag=True,
    help="Start the programs that FILE names as bots, even if it is not among the saved games.",
)
@as_recorded_option()
@click.option(
    WITH_CHANGES,
    "with_changes",
    is_flag=True,
    help="If the game has changed since, go on with its present cards and rules; the record notes "
    "it.",
)
@front_end_options
@click.pass_context
def resume(
    ctx: click.Context,
    file: Path | None,
    as_list: bool,
    as_json: bool,
    may_start: bool,
    as_recorded: bool,
    with_changes: bool,
    front_end: FrontEnd,
) -> None:
    """Continue an unfinished game.

    Without FILE, it is the one played last.
    """
    if file is None:
        check_saves()
    if as_list or as_json:
        unfinished = list_saved(finished=False)
        print_saved(unfinished, as_json=as_json, none="There are no unfinished games.")
        return
    path = file or _newest().path
    registry = registry_of(ctx)
    if as_recorded and with_changes:
        raise click.UsageError(f"{AS_RECORDED} and {WITH_CHANGES} are mutually exclusive", ctx)
    if as_recorded:
        run_as_recorded(ctx, registry, path)

    def admit(record: Record) -> Record:
        check_hint(registry, front_end, record.header.game)
        warn_damaged(record)
        if not may_start:
            refuse_programs(registry, record)
        return record

    opener = table_opener(registry, front_end)
    opener = replace(opener, editions=Editions(accepts_changes=with_changes, report=warn))
    host = opener.resume(path, front_end.hint, admit)
    play_hosted(host, front_end)


def _newest() -> SavedGame:
    for entry in list_saved(finished=False):
        if isinstance(entry, SavedGame):
            return entry
        warn(str(entry))
    raise RecordError(f"there is no unfinished game in {home() / 'games'}")
