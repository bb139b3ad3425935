"""`cardhub match show` and `match repro`: single games of a match."""

from pathlib import Path

import click

from cardhub.cli.bot_repro import repro as repro_file
from cardhub.cli.console import echo
from cardhub.cli.replay import replay
from cardhub.cli.root import registry_of
from cardhub.errors import RecordError

FOLDER = click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path), help="A match's folder."
)
GAME = click.argument("game", help="The id of a game, or a unique prefix of it.")


@click.command()
@FOLDER
@GAME
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the record to this new file, and do not show it.",
)
@click.option("--as", "who", metavar="NAME", help="Viewer: a player's name, `spectator` or `all`.")
@click.pass_context
def show(ctx: click.Context, folder: Path, game: str, record: Path | None, who: str | None) -> None:
    """Show a game of a match, or write its record."""
    from cardhub.match.log.lookup import find_game, match_in
    from cardhub.match.log.transcript import record_text

    match, found = match_in(folder), find_game(folder, game)
    rules = registry_of(ctx).game(match.contest(found.contest).game)
    path = record or folder / "records" / f"{found.id}.jsonl"
    _write(path, record_text(match, found, rules), is_new=record is not None)
    echo(f"{rules.title}, deal {found.deal}: {path}", err=True)
    if record is None:
        ctx.invoke(replay, file=path, who=who, first=0)


@click.command(epilog="The exit code is 3 if the bot is at fault again, 0 if it is not.")
@FOLDER
@GAME
@click.option("--seat", type=int, metavar="N", help="The seat that was at fault; else the first.")
@click.option("--bot", "spec", metavar="BOT", help="Ask this bot instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def repro(
    ctx: click.Context, folder: Path, game: str, seat: int | None, spec: str | None, as_json: bool
) -> None:
    """Ask a bot again at the decision in which it was at fault."""
    from cardhub.match.log.lookup import fault_of, find_game

    path = fault_of(folder, find_game(folder, game), seat)
    ctx.invoke(repro_file, file=path, spec=spec, record=None, as_json=as_json)


def _write(path: Path, text: str, *, is_new: bool) -> None:
    """Write a record; one in the match's own folder is replaced by equal bytes."""
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x" if is_new else "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise RecordError(f"{path} exists already: a record is never overwritten") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}") from error
