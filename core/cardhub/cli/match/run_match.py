"""`cardhub match FILE` and `report`: play a match or continue it, and write its reports.

The exit codes 0, 1 and 2 of `cardhub match FILE` are verdicts; errors have other codes.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import IO, Any

import click
from typing_extensions import override

from cardhub.base.errors import BotError, CardhubError, MatchError
from cardhub.base.errors.quoting import describe_exception, printable
from cardhub.base.writing import amount, number, percent
from cardhub.bots.language.spending import SpendingMeter
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import (
    ABSENT,
    HUNG_UP,
    INTERRUPTED,
    TERMINATED,
    BotFailure,
    Failure,
    UnplayedFailure,
    no_verdict,
)
from cardhub.cli.match.live_display import LiveState, can_draw, drawn_live
from cardhub.cli.match.live_page import page_server
from cardhub.cli.match.match_games import FOLDER
from cardhub.cli.match.match_line import (
    BLOCKS,
    MATCH_FILE,
    SCHEDULES,
    SEED,
    LineOptions,
    PlannedMatch,
    plan_words,
)
from cardhub.cli.match.model_costs import meter_of, print_costs
from cardhub.cli.match.summary import print_summary
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    PORT_TYPE,
    QUIET,
    ParsedType,
    cluster_option,
    folder_option,
    json_option,
    number_option,
    workers_option,
)
from cardhub.cli.root import registry_of, warn
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.model_figures import write_models
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.match.blocks import count_games
from cardhub.lab.match.log.known_matches import KnownMatch, remember_match
from cardhub.lab.match.log.log_reader import RESULT, TEAMS, has_finished, read_json
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import ReadOptions
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.cluster import make_cluster, threads_of
from cardhub.lab.match.run.executors import AHEAD, MakeExecutor, make_executor
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.preflight import start_bots
from cardhub.lab.match.run.run_secrets import read_key
from cardhub.lab.match.run.runner import RunOptions
from cardhub.lab.match.run.runner import run as run_match
from cardhub.lab.match.secret import DRAWN, SALT, has_third_party_bots, read_salt, revealed_in
from cardhub.lab.report.report_files import result_in, write_reports, written_result
from cardhub.lab.report.resources import write_resources
from cardhub.lab.report.team_results import write_team_results
from cardhub.lab.report.view.game_view import exploit_columns
from cardhub.lab.report.view.listings import MOST_PAGES
from cardhub.plugins.registry import PluginRegistry, for_referee
from cardhub.plugins.third_party import plugin_error

CODES = """\b
Exit codes:
  0    the match is over; with a test: the first bot is better
  1    with a test: the first bot is not better
  2    with a test: undecided
  3    a bot's program is at fault before the first game
  4    anything else: a usage error, an invalid match file, a damaged log,
       a full disk, a fault of a plugin or of cardhub itself
  5    the match is over, but a bot was absent; with a test: its verdict
  129  the terminal was closed; the same command continues the match
  130  interrupted (Ctrl-C); the same command continues the match
  143  terminated; the same command continues the match"""
# Maximum length of the message of an unexpected exception.
MAX_MESSAGE = 500


class VerdictCommand(click.Command):
    """Command whose callback returns the exit code of a verdict; other errors exit with 3 or 4."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with no_verdict():
            return super().parse_args(ctx, args)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        try:
            with no_verdict():
                code = super().invoke(ctx)
        except (click.UsageError, BrokenPipeError):  # handled by the root command
            raise
        except BaseException as error:
            if is_exit(error):
                raise
            # Any other exception too: Python's own exit code 1 would be a verdict.
            raise _failure(error, ctx) from error
        ctx.exit(code)


def is_exit(error: BaseException) -> bool:
    """Return whether an exception is a regular exit: after --help, or after a signal."""
    if isinstance(error, KeyboardInterrupt):
        return True
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code == 0
    codes = HUNG_UP, INTERRUPTED, TERMINATED
    return isinstance(error, SystemExit) and error.code in codes


def _failure(error: BaseException, ctx: click.Context) -> Failure:
    if isinstance(error, BotError):
        return BotFailure(error)
    if isinstance(error, CardhubError):
        return UnplayedFailure(error)
    if isinstance(error, OSError) and error.errno is not None:
        where = error.filename or "the output"
        return UnplayedFailure(CardhubError(f"{where}: {os.strerror(error.errno)}"))
    culprit = registry_of(ctx).culprit(error)
    message = f"fault: {describe_exception(error)}"
    if culprit is not None:
        message = str(plugin_error(culprit, "failed in a match", error))
    # One line for scripts and logs of schedulers; the traceback goes into a file.
    line = printable(message)[:MAX_MESSAGE]
    return UnplayedFailure(CardhubError(f"{line}; {_save_traceback(error)}"))


def _save_traceback(error: BaseException) -> str:
    """Write the traceback of an exception to a new file, and return a message with its path."""
    try:
        with NamedTemporaryFile(
            "w",
            prefix="cardhub-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",  # the message of an exception may hold lone surrogates
        ) as file:
            file.writelines(format_exception(error))
    except OSError as unwritten:
        return f"its traceback cannot be written: {unwritten.strerror}"
    return f"traceback: {file.name}"


def reports_with_progress(
    folder: Path,
    result: MatchResult,
    registry: PluginRegistry,
    most_pages: int,
    *,
    is_shown: bool = True,
) -> list[Path]:
    """Write the reports of a match and return their paths; raises MatchError."""
    progress = ProgressCounter("Pages of games: {} of {}")
    try:
        on_page = progress if is_shown else None
        return write_reports(folder, result, registry, most_pages, on_page)
    finally:
        progress.clear()


def print_exploits(folder: Path, registry: PluginRegistry) -> None:
    """Compute the exploitability of the bots, write `exploit.json`, and print a table per game."""
    # Imported only now: numpy and the solvers load slowly.
    from cardhub.lab.analysis.exploit.exploit_run import ExploitPlan, write_exploits

    counter = ProgressCounter("{} {}")
    try:
        exploits = write_exploits(folder, registry, ExploitPlan(), counter)
    finally:
        counter.clear()
    for game, column in exploit_columns(exploits).items():
        echo(f"{game}:")
        print_table(("bot", column.head.lower()), list(column.cells.items()))
        for note in column.notes:
            echo(note)
        echo()


def _parse_salt(text: str) -> str:
    if not SALT.accepts(text):
        raise ValueError(f"{text!r} is not {SALT.description}")
    return text


def _parse_pages(text: str) -> int:
    if text == "none":
        return 0
    if not text.isdecimal():
        raise ValueError(f"invalid number of pages {text!r}: use an integer or none")
    return int(text)


# Number of pages of games: `40` or `none`.
PAGES_TYPE = ParsedType("pages", _parse_pages)
PAGES = click.option(
    "--pages",
    type=PAGES_TYPE,
    default=MOST_PAGES,
    show_default=True,
    metavar="N|none",
    help="Maximum number of games that get pages.",
)


# Printed at the start of a match with a secret.
DRAWN_DEALS = (
    "The deals of this match follow from its seed and a secret, so another run of {} has other "
    "deals. The report has the command that repeats this match. To play without a secret: "
    "--salt none"
)


NOT_DRAWN = "--key is for matches with a drawn secret\nfix: add --salt drawn, or leave out --key"
OPEN_KEY = (
    "programs and third-party bots without a sandbox can read the key in {}\n"
    "fix: add --sandbox, or give the key through a pipe: --key -"
)


# Printed at the start of a match: the difference that it finds in this share of cases.
FINDS = (
    "With {} a bot whose true score is {} is found to be better in {} of matches, if games vary as "
    "much as tosses of a coin. To measure how much they vary: cardhub match plan {}"
)
POWER, EVEN_SCORE = 0.8, 0.5


# Printed if a match pauses because of its limit of tokens.
SPENT = (
    "The models have used the {} of this match, which has paused. fix: give a higher limit with "
    "--tokens or --dollars; the same command then continues it"
)


# Printed at the start of a match of games and bots on the command line.
MATCH_WRITTEN = "Match file: {} (seed {}, {})"


@click.command(cls=VerdictCommand, epilog=CODES)
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="FILE | GAME[,GAME]... BOT BOT...",
    help="A match file; or games and bots, of which the command writes a match file.",
)
@number_option("--blocks", f"Number of blocks of games and bots. Default: {BLOCKS}.")
@click.option("--seed", type=int, metavar="N", help=f"Seed of games and bots. Default: {SEED}.")
@click.option(
    "--less-luck", is_flag=True, help="Take luck out of the scores: `variance: aivat` in the file."
)
@click.option(
    "--schedule",
    type=click.Choice(SCHEDULES),
    help="Who meets whom. Default: every bot meets every other.",
)
@workers_option("Number of processes. Default: as in the file, else one for each processor.")
@cluster_option("Play on the workers of this Dask cluster: tcp://HOST:8786.")
@folder_option("Folder for the results. Default: as in the file, else runs/NAME.")
@number_option("--tokens", "Pause once language models have read and written N tokens.")
@click.option(
    "--dollars",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Pause once language models have cost N dollars, at the prices of --prices.",
)
@click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Prices of language models, in dollars for a million tokens.",
)
@click.option(
    "--estimate",
    "is_estimate",
    is_flag=True,
    help="Only estimate what language models will read, write and cost.",
)
@click.option(
    "--salt",
    type=ParsedType("salt", _parse_salt),
    metavar="none|drawn|HEX",
    help="Secret from which the deals are derived: none, drawn at the start, or given.",
)
@click.option(
    "--key",
    "key_file",
    type=click.File(),
    metavar="FILE",
    help="File with 64 hexadecimal digits, or - for standard input: drawn secrets follow from it.",
)
@click.option(
    "--isolate",
    type=click.Choice(["auto", "yes", "no"]),
    help="Bots that run in separate processes; auto: all but cardhub's own.",
)
@click.option(
    "--sandbox",
    is_flag=True,
    help="Run these bots and programs without access to network and files (bwrap).",
)
@click.option(
    "--strict",
    "is_strict",
    is_flag=True,
    help="Refuse a match with a bot that cannot play here; else the others play without it.",
)
@click.option(
    "--serve",
    "port",
    type=PORT_TYPE,
    metavar="PORT",
    help="Show the running match to browsers on this machine; 0 for any free port.",
)
@PAGES
@json_option("Print the result as JSON.")
@QUIET
@click.pass_context
def run(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    workers: int | None,
    cluster: str | None,
    out: Path | None,
    is_strict: bool,
    pages: int,
    as_json: bool,
    quiet: bool,
    is_estimate: bool,
    key_file: IO[str] | None,
    port: int | None,
    **given: Any,
) -> int:
    """Play the match of FILE or of games and bots, or continue it.

    cardhub match gamon,garner rule ismcts:100 --blocks 50
    """
    # Read the match before any write, because an invalid one must leave no folder behind.
    reading = ReadOptions(given["isolate"], given["sandbox"], out, is_strict)
    line = LineOptions(*(given.pop(key) for key in LineOptions._fields))
    plan = plan_words(ctx, words, line, reading)
    file, folder, registry = plan.file, plan.folder, registry_of(ctx)
    match = start_bots(_with_options(plan.match, **given), registry, folder, is_strict=is_strict)
    warn(*(f"{bot} is absent: {reason}" for bot, reason in match.absent.items()))
    meter = meter_of(match, folder, registry)
    options = _options(ctx, match, meter, (workers, cluster), key_file)
    plan.write_file()
    remember_match(KnownMatch(folder.absolute(), file.absolute(), count_games(match)))
    if is_estimate or not quiet:
        _print_start(ctx, match, file, folder, meter)
    if is_estimate:
        return 0
    state = _run(ctx, match, folder, options, meter, port, is_shown=not quiet)
    _show(ctx, match, plan, pages, as_json=as_json, is_quiet=quiet)
    return _exit_code(state, match)


def _options(
    ctx: click.Context,
    match: Match,
    meter: SpendingMeter,
    where: tuple[int | None, str | None],
    key_file: IO[str] | None,
) -> RunOptions:
    """Return how the match is run; `where`: --workers and --cluster. Raises MatchError."""
    workers, cluster = where
    if workers and cluster:
        raise click.UsageError("--workers and --cluster are mutually exclusive", ctx)
    make, ahead = _cluster(ctx, match, cluster) if cluster else _here(workers or match.workers)
    key = _read_key(key_file, match, registry_of(ctx)) if key_file else None
    return RunOptions(make, ahead, analyse=analyse, is_enough=lambda _: meter.is_spent(), key=key)


def _read_key(file: IO[str], match: Match, registry: PluginRegistry) -> bytes:
    """Return the operator's key, unless bots could read it; raises MatchError."""
    if match.salt != DRAWN:
        raise MatchError(NOT_DRAWN)
    is_open = not match.sandbox and has_third_party_bots(match, registry)
    # Standard input has a name that is no path.
    if is_open and Path(file.name).is_file():
        raise MatchError(OPEN_KEY.format(file.name))
    return read_key(file.read().strip())


def _exit_code(state: MatchState, match: Match) -> int:
    if state.test:
        return state.test.verdict.exit_code
    return ABSENT if match.absent else 0


def _with_options(match: Match, salt: str | None, **given: Any) -> Match:
    """Return the match with the options of the command line, as far as they are given."""
    if salt is not None:
        match = replace(match, salt=read_salt(salt))
    return replace(match, **{key: value for key, value in given.items() if value})


def _print_start(
    ctx: click.Context, match: Match, file: Path, folder: Path, meter: SpendingMeter
) -> None:
    if file == folder / MATCH_FILE:
        blocks = amount(match.order.blocks, "block")
        echo(MATCH_WRITTEN.format(file, match.seed, blocks), err=True)
    if match.salt is not None and revealed_in(folder) is None:
        echo(DRAWN_DEALS.format(file), err=True)
    if not has_finished(folder):
        _print_power(match, file)
    print_costs(match, registry_of(ctx), folder, meter)


def _print_power(match: Match, file: Path) -> None:
    """Print which differences the match will find, where that can be said beforehand."""
    # Imported only now: numpy loads slowly.
    from cardhub.lab.analysis.planning import assumed_scatter

    scatter = assumed_scatter(match)
    effect = scatter and scatter.effect_for(match.order.blocks, POWER, match.rating.level)
    if effect and effect < EVEN_SCORE:
        score, blocks = number(EVEN_SCORE + effect, 2), amount(match.order.blocks, "block")
        echo(FINDS.format(blocks, score, percent(POWER), file), err=True)


@contextmanager
def _watched(
    match: Match, options: RunOptions, meter: SpendingMeter, port: int | None, *, is_shown: bool
) -> Iterator[RunOptions]:
    """Yield the options of a run that is shown on stderr and, with a port, to browsers."""
    is_drawn = is_shown and can_draw()
    if not is_drawn and port is None:
        yield options
        return
    live_state = LiveState(match, meter=meter)
    with ExitStack() as stack:
        if port is not None:
            echo(f"Page: {stack.enter_context(page_server(live_state, port))}", err=True)
        if is_drawn:
            stack.enter_context(drawn_live(live_state))
        yield replace(options, watcher=live_state)


def _run(
    ctx: click.Context,
    match: Match,
    folder: Path,
    options: RunOptions,
    meter: SpendingMeter,
    port: int | None,
    *,
    is_shown: bool,
) -> MatchState:
    if meter.is_spent() and not has_finished(folder):
        raise MatchError(SPENT.format(meter.limit))
    try:
        with _watched(match, options, meter, port, is_shown=is_shown) as watched:
            state = run_match(match, registry_of(ctx), folder, watched)
        if not state.is_over:
            echo(SPENT.format(meter.limit), err=True)
        write_models(folder, meter.prices)
        return state
    except (KeyboardInterrupt, SystemExit) as error:
        if not is_exit(error):  # a plugin raised SystemExit
            raise
        message = f"\nInterrupted: {folder} has the games so far. The same command continues."
        with suppress(OSError):  # the terminal may be closed
            echo(message, err=True)
        # Reports of an unfinished match cover the games so far.
        with suppress(OSError, CardhubError):  # without a game there is no result
            write_models(folder, meter.prices)
            if match.limits is not None:
                write_resources(folder)
            # Without pages of games, because they would delay the interruption.
            write_reports(folder, written_result(folder))
        raise


def _show(
    ctx: click.Context,
    match: Match,
    plan: PlannedMatch,
    pages: int,
    *,
    as_json: bool,
    is_quiet: bool,
) -> None:
    """Write the reports and what teams get, and print the result."""
    folder = plan.folder
    if match.limits is not None:
        write_resources(folder)  # the reports read it
    page = reports_with_progress(
        folder, written_result(folder), registry_of(ctx), pages, is_shown=not is_quiet
    )[0]
    public = None
    if match.teams and has_finished(folder):
        public = write_team_results(folder, match, registry_of(ctx))
    if as_json:
        print_json(read_json(folder / RESULT))
    elif not is_quiet:
        print_summary(written_result(folder), folder, str(plan.file))
        echo(f"Report: {page}")
        if public:
            echo(f"For everybody: {public}; for each team: {folder / TEAMS}")


def _here(workers: int | None) -> tuple[MakeExecutor, int]:
    """Return a factory of local executors, and the number of games in flight."""
    number = workers or processors()
    # With one worker this process plays, one game at a time.
    return make_executor(number), AHEAD * number if number > 1 else 1


def _cluster(ctx: click.Context, match: Match, address: str) -> tuple[MakeExecutor, int]:
    versions = versions_of(match, for_referee(registry_of(ctx)))
    return make_cluster(address, match, versions), AHEAD * threads_of(address)


@click.command()
@FOLDER
@PAGES
@click.option(
    "--exploit",
    "with_exploits",
    is_flag=True,
    help="Compute the exploitability of the bots in small games, as a column of the ratings.",
)
@click.pass_context
def report(ctx: click.Context, folder: Path, pages: int, with_exploits: bool) -> None:
    """Write the reports of a match, finished or not.

    Games behind the figures get pages in the folder `games`.
    """
    registry = registry_of(ctx)
    result = result_in(folder, registry)
    if with_exploits:
        print_exploits(folder, registry)
    paths = reports_with_progress(folder, result, registry, pages)
    for path in paths:
        echo(path)
