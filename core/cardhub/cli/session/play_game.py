"""`cardhub play`: play a new game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from cardhub.base.errors import SeatingError
from cardhub.base.errors.quoting import printable
from cardhub.cli.params import GAME, SEAT, SEED, SETTINGS, new_file_option, players_option
from cardhub.cli.records.access import is_own, programs_of, warn_damaged
from cardhub.cli.records.saved_listing import SAVED
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import (
    FrontEnd,
    check_hint,
    checked_bot,
    front_end_options,
    play_hosted,
    table_opener,
)
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.play.host.opening import NewGame, moved_on
from cardhub.play.host.saved.preferences import load_preferences
from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player, seat_players
from cardhub.plugins.bot_index import LEVELS
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


EXAMPLES = """\b
Examples:
  cardhub play gamon --level hard
  cardhub play gargon --players 5 --set open_winnings=true
  cardhub play gargon --seat Anna=human --seat Bob=human --seat Chris=rule"""


@click.command(epilog=EXAMPLES)
@click.argument("game", type=GAME, required=False, help="The name of a game.")
@players_option()
@click.option(
    "--seat",
    "seats",
    type=SEAT,
    multiple=True,
    help="Assign a player to the next seat: NAME=human or NAME=BOT. Bots take the other seats. "
    "`cardhub bot list GAME` lists bots.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    help="Strength of the bots in seats not assigned with --seat; each level usually beats the one "
    "before it.",
)
@SETTINGS
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Random seed: a whole number, or a seed drawn for an earlier game. Default: a drawn seed "
    "that cannot be guessed.",
)
@new_file_option("--record", "Save the game in this new file, not among the saved games.")
@click.option(
    "--same-deal",
    "deal_of",
    type=SAVED,
    metavar="FILE",
    help="Play the deal of a finished game again, with every player one seat further. FILE is a "
    "record, or its number in `cardhub replay`.",
)
@click.option("--no-hints", is_flag=True, help="Give no hints and take no action back.")
@front_end_options
@click.pass_context
def play(
    ctx: click.Context,
    game: str | None,
    players: int | None,
    seats: tuple[Player, ...],
    level: str | None,
    settings: tuple[tuple[str, str], ...],
    seed: Seed | None,
    record: Path | None,
    deal_of: Path | None,
    no_hints: bool,
    front_end: FrontEnd,
) -> None:
    """Play a game against bots.

    You are Anna in the first seat unless --seat says otherwise. On the screen, ? explains the keys.
    The game is saved after every action; `cardhub resume` continues it.
    """
    registry = registry_of(ctx)
    # Checked before the bots are created, which may take long.
    if record is not None and _exists(record):
        message = f"{record} exists already; a record is never overwritten"
        raise click.BadParameter(message, ctx, param_hint="'--record'")
    helps = not no_hints and load_preferences().helps
    if deal_of is not None:
        refuse_decided(ctx)
        new = same_deal(registry, deal_of, record, front_end.hint, helps=helps)
    elif game is None:
        games = registry.games().items()
        lines = [f"  cardhub play {name}  {d.summarize()}".rstrip() for name, d in games]
        which_game = "\n".join(["which game?", *lines]) if lines else "no game is installed"
        raise click.UsageError(which_game, ctx)
    else:
        seated = _all_players(registry, registry.game(game), seats, players, level)
        options = dict(settings)
        new = NewGame(game, seated, options, seed, record, front_end.hint, helps=helps)
    check_hint(registry, front_end, new.game)
    play_hosted(table_opener(registry, front_end).start(new), front_end)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False  # writing the record reports the error


def _all_players(
    registry: PluginRegistry,
    game: Game[Any],
    given: Sequence[Player],
    players: int | None,
    level: str | None,
) -> list[Player]:
    """Return the players in order of seats; raises SeatingError, or UsageError for a bot."""
    if level is not None:
        checked_bot(registry, f"--level {level}", level, game.name)
    # --seat may name more players than the default number of seats.
    seats = players or max(game.seats.default, len(given))
    if seats not in game.seats:
        raise SeatingError(f"{game.title} is for {game.seats} players, not for {seats}")
    for player in given:
        if not player.is_human:
            checked_bot(registry, f"--seat {player.name}={player.kind}", player.kind, game.name)
    liked = load_preferences()
    default_bot = level or registry.default_bot(game.name)
    return seat_players(given, seats, default_bot, (liked.name, *liked.bot_names))
