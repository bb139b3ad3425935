"""`cardhub tune`: find the values of a bot's options that win most, and test them on new deals."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import msgspec

from cardhub.base.writing import amount, count
from cardhub.bots.processes.launch import processors
from cardhub.bots.spec import parse_spec
from cardhub.cli.console import echo
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    AS_JSON,
    BOT,
    GAME,
    QUIET,
    SETTINGS,
    folder_option,
    number_option,
    players_option,
    seed_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.lab.match_folder import Match, run_match
from cardhub.lab.report import number_format as fmt
from cardhub.lab.tune.tuning import TuneRequest, Tuning, read_option
from cardhub.model.game.initial_state import resolve_options

GAMES, BLOCKS = 20_000, 200
# The folder of the match that tests the result, within the folder of the tuning.
TEST = "test"
VERDICTS = {
    "better": "It is better.",
    "worse": "It is worse.",
    "equal": "They are about equal.",
    "open": "The test does not show which is better.",
}


@click.command(epilog="The same command continues an interrupted tuning.")
@click.argument("game", metavar="GAME", type=GAME, help="A game.")
@click.argument("bot", metavar="BOT", type=BOT, help="A bot with options that are whole numbers.")
@click.option(
    "--option",
    "names",
    metavar="NAME[=LOW..HIGH]",
    multiple=True,
    required=True,
    help="An option to tune, and its range; may be given several times.",
)
@number_option("--games", "Games of the tuning.", "games", default=GAMES)
@number_option("--blocks", "Deals of the test against the bot as it was.", default=BLOCKS)
@players_option(least=2)
@SETTINGS
@seed_option()
@folder_option("Folder for the tuning and its test. Default: tuning/BOT in GAME.")
@workers_option("Number of processes. Default: one for each processor.")
@QUIET
@AS_JSON
@click.pass_context
def tune(
    ctx: click.Context,
    game: str,
    bot: str,
    names: tuple[str, ...],
    games: int,
    blocks: int,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: int,
    out: Path | None,
    workers: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find the values of a bot's options that win most.

    Two variants of the bot play each other on equal deals, and all values move towards those of the
    better one. The result then plays a match against the bot as it was, on new deals. Tune only
    bots that you trust, because they play in cardhub's own processes.
    """
    registry = registry_of(ctx)
    rules = registry.game(game)
    seats = players or rules.seats.default
    values = dict(resolve_options(rules, dict(settings), seats).items())
    options = tuple(read_option(registry, game, bot, name) for name in names)
    request = TuneRequest(game, seats, values, bot, options, games, seed)
    folder = out or Path("tuning", f"{parse_spec(bot).name}-{game}")
    number = workers or processors()
    tuning = Tuning(request, folder, registry)
    _play(tuning, number, is_shown=not quiet)
    content, plugins = tuning.test(blocks), registry.directories
    test = run_match(content, folder / TEST, workers=number, plugins=plugins)
    page = test.write_report()
    if as_json:
        print_json(_facts(tuning, test))
    elif not quiet:
        _print(tuning, test, page)


def _play(tuning: Tuning, workers: int, *, is_shown: bool) -> None:
    counter = ProgressCounter("{} of {} games: {}")

    def show() -> None:
        if is_shown:
            values = ", ".join(f"{name} {value}" for name, value in tuning.values.items())
            counter(count(tuning.games), count(tuning.request.games), values)

    try:
        tuning.play(workers, show)
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            echo("\nInterrupted. The same command continues.", err=True)
        raise
    finally:
        counter.clear()


def _facts(tuning: Tuning, test: Match) -> dict[str, Any]:
    (pair,) = test.pairs()
    return {
        "bot": tuning.request.spec(tuning.values),
        "values": tuning.values,
        "games": tuning.games,
        "verdict": pair.verdict,
        "score": msgspec.to_builtins(pair.score),
    }


def _print(tuning: Tuning, test: Match, page: Path) -> None:
    request, values = tuning.request, tuning.values
    echo(f"{request.bot} in {request.game}, tuned in {amount(tuning.games, 'game')}")
    rows = [(o.name, str(o.start), str(values[o.name])) for o in request.options]
    print_table(("option", ">before", ">tuned"), rows)
    (pair,) = test.pairs()
    deals = amount(pair.blocks, "new deal")
    score = fmt.value(pair.score) + fmt.bracketed(fmt.span(pair.score))
    echo(f"Score of the tuned bot on {deals}: {score}. {VERDICTS[pair.verdict]}")
    echo(f"Report: {page}")
    echo(f"The bot: {shlex.quote(request.spec(values))}")
