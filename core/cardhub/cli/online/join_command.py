"""The command `cardhub join`: play or watch at a table of a server."""

from typing import TYPE_CHECKING

import click

from cardhub.base.errors import RemoteError, SeatingError
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.session.front_end import FrontEnd, remote_options
from cardhub.cli.session.painter import check_glyphs, choose_glyphs
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.seating import check_player_name
from cardhub.view.text.glyphs import Glyphs

if TYPE_CHECKING:
    from cardhub.online.remote.table_address import TableAddress

EXAMPLES = """\b
Examples:
  cardhub join http://192.168.1.20:8000/t/jx4m2a5f7q3c6d7e --name Anna
  cardhub join 'https://cards.example/t/jx4m2a5f7q3c6d7e#seat=TOKEN' --plain"""


@click.command(epilog=EXAMPLES)
@click.argument("url", help="The link to the table, as its owner shares it.")
@click.option("--name", metavar="NAME", help="Take a free seat under this name.")
@click.option(
    "--seat", type=click.IntRange(1, 100), metavar="N", help="Take this seat, counted from 1."
)
@remote_options
@click.pass_context
def join(
    ctx: click.Context, url: str, name: str | None, seat: int | None, front_end: FrontEnd
) -> None:
    """Play or watch at a table of a server.

    The game need not be installed here. The same command leads back to the same seat.
    """
    # Imported here, because `--help` must work without the extra that it needs.
    from cardhub.online.remote.table_address import parse_address

    try:
        address = parse_address(url)
        if name is not None:
            check_player_name(name)
    except (RemoteError, SeatingError) as error:
        raise click.UsageError(str(error), ctx) from error
    if seat is not None and name is None:
        raise click.UsageError("--seat needs a name. fix: add --name NAME", ctx)
    code = _join(address, name, None if seat is None else seat - 1, front_end)
    if code:
        ctx.exit(code)


def _join(address: "TableAddress", name: str | None, seat: int | None, front_end: FrontEnd) -> int:
    """Run a table until the person leaves; return the exit code."""
    try:
        if front_end.is_plain:
            return _join_in_text(
                address,
                name,
                seat,
                choose_glyphs(front_end.glyphs),
                plays_forced=front_end.preferences.plays_forced,
            )
        from cardhub.tui.online.run_join import run_join  # imports Textual

        return run_join(
            address,
            name,
            seat,
            glyphs=check_glyphs(front_end.glyphs),
            theme=front_end.theme,
            preferences=front_end.preferences,
        )
    except KeyboardInterrupt:
        echo(err=True)  # otherwise the shell prints its prompt on the line of ^C
        return INTERRUPTED


def _join_in_text(
    address: "TableAddress",
    name: str | None,
    seat: int | None,
    glyphs: Glyphs,
    *,
    plays_forced: bool,
) -> int:
    from cardhub.cli.online.online_text import OnlineText
    from cardhub.online.remote.table_client import connect_in_thread, open_table

    scheduler = BlockingScheduler()
    client = open_table(address, scheduler, name=name, seat=seat)
    text = OnlineText(client, address, scheduler, glyphs, plays_forced=plays_forced)
    connect_in_thread(client)
    try:
        text.play()
    finally:
        client.leave()
    return 0
