"""`cardhub resume`: continue a saved game."""

from pathlib import Path
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import RECORD
from cardhub.cli.records.access import ALLOW, recorded_game, refuse_programs, warn_damaged
from cardhub.cli.root import registry_of, warn
from cardhub.cli.session.front_end import FrontEnd, front_end_options, open_front_end, play_saved
from cardhub.errors import RecordError
from cardhub.files import reserve
from cardhub.host.saves import home, unfinished
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.recording import BUSY
from cardhub.play.records.replaying import resume as resume_record
from cardhub.play.seeds import is_drawn


@click.command()
@click.argument(
    "file", type=RECORD, required=False, help="A record. Default: the game played last."
)
@click.option("--list", "as_list", is_flag=True, help="List the unfinished games instead.")
@click.option("--json", "as_json", is_flag=True, help="Print that list as JSON.")
@click.option(
    ALLOW,
    "may_start",
    is_flag=True,
    help="Start the programs that FILE names as bots, even if it is not among the saved games.",
)
@front_end_options
@click.pass_context
def resume(
    ctx: click.Context,
    file: Path | None,
    as_list: bool,
    as_json: bool,
    may_start: bool,
    front_end: FrontEnd,
) -> None:
    """Continue an unfinished game.

    Without FILE, it is the one played last.
    """
    if as_list or as_json:
        _list_unfinished(as_json)
        return
    path = file or _newest().path
    registry = registry_of(ctx)
    # Reserved before it is read: another process may be appending to it.
    with reserve(path, BUSY):
        record = warn_damaged(read_record(path))
        if not may_start:
            refuse_programs(registry, record)
        referee = resume_record(recorded_game(registry, record), record)
        with open_front_end(registry, referee, front_end) as play:
            referee.proceed()
            play_saved(referee, play, path)


def _newest() -> Record:
    for found in unfinished():
        if isinstance(found, Record):
            return found
        warn(str(found))
    raise RecordError(f"there is no unfinished game in {home() / 'games'}")


def _list_unfinished(as_json: bool) -> None:
    found = list(unfinished())
    facts = [_facts(record) for record in found if isinstance(record, Record)]
    if as_json:
        # A list without games is JSON too: scripts read `[]`.
        print_json(facts)
    elif facts:
        rows = [(f["game"], ", ".join(f["players"]), str(f["actions"]), f["file"]) for f in facts]
        print_table(("game", "players", "actions", "file"), rows)
    else:
        echo("There is no unfinished game.", err=True)
    warn(*(str(error) for error in found if isinstance(error, RecordError)))


def _facts(record: Record) -> dict[str, Any]:
    seed = record.header.seed or 0
    return {
        "game": record.header.game,
        "players": [player.name for player in record.header.players],
        "seed": None if is_drawn(seed) else seed,  # the deal could be computed from a drawn one
        "actions": sum("action" in line for _, line in record.lines),
        "file": str(record.path),
    }
