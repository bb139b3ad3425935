"""`cardhub play --same-deal`: the deal of a finished game again, with the seats moved on."""

from pathlib import Path

import click

from cardhub.base.errors.printable import printable
from cardhub.cli.records.access import is_own, programs_of, warn_damaged
from cardhub.play.host.opening import NewGame, moved_on
from cardhub.play.records.reading import read_record
from cardhub.plugins.registry import PluginRegistry

# Options that the record decides, by their parameters.
DECIDED = {
    "game": "GAME",
    "players": "--players",
    "seats": "--seat",
    "level": "--level",
    "settings": "--set",
    "seed": "--seed",
}


def same_deal(
    registry: PluginRegistry, path: Path, record: Path | None, hint: str | None, *, helps: bool
) -> NewGame:
    """Return the game of a record with the same deal and every player one seat further.

    Raises RecordError for an invalid record, and UsageError for one whose deal is not public, or
    that names programs and is not a saved game.
    """
    source = warn_damaged(read_record(path))
    header = source.header
    programs = [*programs_of(registry, header.game, source.players)]
    if programs and not is_own(path):
        raise click.UsageError(
            f"{path}:1: the game would start a program or load a file: "
            f"{printable(', '.join(programs))}\n"
            f"fix: name the players with --seat, and the deal with --seed {header.seed}"
        )
    if header.seed is None:
        raise click.UsageError(f"{path} contains only what one player saw, without the seed")
    if not source.is_finished:
        raise click.UsageError(
            f"the game of {path} is not over: its deal is still secret. "
            "fix: finish it with `cardhub resume`"
        )
    players = moved_on(source.players)
    return NewGame(header.game, players, header.options, header.seed, record, hint, helps)


def refuse_decided(ctx: click.Context) -> None:
    """Raise UsageError if an option was given that the record of --same-deal decides."""
    for parameter, option in DECIDED.items():
        if ctx.params.get(parameter):
            raise click.UsageError(f"--same-deal and {option} are mutually exclusive", ctx)
