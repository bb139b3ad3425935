"""`cardhub resume`: going on with a game."""

from pathlib import Path
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import RecordType
from cardhub.cli.records.access import ALLOW, recorded_game, refuse_programs, warn_damaged
from cardhub.cli.root import registry_of, warn
from cardhub.cli.session.front_end import Front, front_options, play_on, sitting
from cardhub.cli.session.saves import home, unfinished
from cardhub.errors import RecordError
from cardhub.files import reserve
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.recording import BUSY
from cardhub.play.records.replaying import resume as go_on
from cardhub.play.seeds import is_drawn


@click.command()
@click.argument(
    "file", type=RecordType(), required=False, help="A record; else the game played last."
)
@click.option("--list", "as_list", is_flag=True, help="List the games that can go on instead.")
@click.option("--json", "as_json", is_flag=True, help="Print that list as JSON.")
@click.option(
    ALLOW,
    "may_start",
    is_flag=True,
    help="Start the programs that FILE names as bots, though it is not among the saved games.",
)
@front_options
@click.pass_context
def resume(
    ctx: click.Context,
    file: Path | None,
    as_list: bool,
    as_json: bool,
    may_start: bool,
    front: Front,
) -> None:
    """Continue an unfinished game.

    Without FILE, it is the one played last.
    """
    if as_list or as_json:
        _list_unfinished(as_json)
        return
    path = file or _newest().path
    registry = registry_of(ctx)
    with reserve(path, BUSY):
        record = warn_damaged(read_record(path))
        if not may_start:
            refuse_programs(registry, record)
        referee = go_on(recorded_game(registry, record), record)
        with sitting(registry, referee, front) as play:
            referee.proceed()
            play_on(referee, play, path)


def _newest() -> Record:
    for found in unfinished():
        if isinstance(found, Record):
            return found
        warn(str(found))
    raise RecordError(f"there is no unfinished game in {home() / 'games'}")


def _list_unfinished(as_json: bool) -> None:
    found = list(unfinished())
    games = [each for each in found if isinstance(each, Record)]
    if as_json:
        print_json([_facts(game) for game in games])
    elif games:
        facts = [_facts(game) for game in games]
        rows = [(f["game"], ", ".join(f["players"]), str(f["actions"]), f["file"]) for f in facts]
        print_table(("game", "players", "actions", "file"), rows)
    else:
        echo("There is no unfinished game.", err=True)
    warn(*(str(each) for each in found if isinstance(each, RecordError)))


def _facts(record: Record) -> dict[str, Any]:
    seed = record.header.seed or 0
    return {
        "game": record.header.game,
        "players": [player.name for player in record.header.players],
        "seed": None if is_drawn(seed) else seed,  # it would tell the deal
        "actions": sum("action" in line for _, line in record.lines),
        "file": str(record.path),
    }
