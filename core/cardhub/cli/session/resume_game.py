"""`cardhub resume`: continue a saved game."""

from pathlib import Path

import click

from cardhub.cli.records.access import ALLOW, recorded_game, refuse_programs, warn_damaged
from cardhub.cli.records.saved_listing import UNFINISHED, print_saved
from cardhub.cli.root import registry_of, warn
from cardhub.cli.session.front_end import FrontEnd, front_end_options, open_front_end, play_saved
from cardhub.errors import RecordError
from cardhub.files import reserve
from cardhub.host.saved.saved_list import SavedGame, list_saved
from cardhub.host.saved.saves import home
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import BUSY
from cardhub.play.records.replaying import resume as resume_record


@click.command()
@click.argument(
    "file",
    type=UNFINISHED,
    required=False,
    help="A record, or its number in --list. Default: the game played last.",
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
        unfinished = list_saved(finished=False)
        print_saved(unfinished, as_json=as_json, none="There is no unfinished game.")
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


def _newest() -> SavedGame:
    for found in list_saved(finished=False):
        if isinstance(found, SavedGame):
            return found
        warn(str(found))
    raise RecordError(f"there is no unfinished game in {home() / 'games'}")
