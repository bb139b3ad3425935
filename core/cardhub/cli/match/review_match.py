"""`cardhub match review`: rate the decisions of the bots of a match."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click
from msgspec import to_builtins

from cardhub.base.errors import MatchError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import listed
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.match.match_games import FOLDER
from cardhub.cli.match.run_match import reports_with_progress
from cardhub.cli.match.summary import print_mistakes
from cardhub.cli.output import ProgressCounter, print_json
from cardhub.cli.params import AS_JSON, BOT, number_option, seconds_option, workers_option
from cardhub.cli.root import registry_of, warn
from cardhub.cli.session.front_end import checked_bot
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.review.review_run import (
    ReviewOptions,
    ReviewPlan,
    ReviewRequest,
    plan_review,
    reviewed_contests,
    run_review,
)
from cardhub.lab.analysis.review.review_schema import REVIEW
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.report.game_pages import page_list
from cardhub.lab.report.report_files import HTML, result_in
from cardhub.plugins.registry import PluginRegistry

# Number of decisions in flight per worker.
AHEAD = 2


@click.command(
    epilog="The same command continues an interrupted review; more --seconds add ratings."
)
@FOLDER
@click.option("--bot", "bots", multiple=True, metavar="BOT", help="Only this bot of the match.")
@click.option(
    "--game", "contests", multiple=True, metavar="GAME", help="Only this game of the match."
)
@click.option(
    "--with",
    "reviewer",
    type=BOT,
    default="",
    metavar="SPEC",
    help="The search that rates. Default: the exact solution of a small game; in others ismcts "
    "with 1000 iterations, or with 4 times as many as the bots.",
)
@number_option(
    "--games",
    "Number of seats, in a random sample of games, for each bot in each game.",
    "seats",
    least=0,
    default=4,
)
@number_option(
    "--worst",
    "Review the N worst losses of each bot, too; they do not count in means.",
    least=0,
    default=0,
)
@number_option(
    "--decisions",
    "Number of decisions of each bot in each game that are rated again, and listed.",
    "mistakes",
    least=0,
    default=5,
)
@seconds_option("Stop after this time.")
@workers_option(
    "Number of processes; ratings do not depend on it. Default: one for each processor."
)
@click.option("--tables", is_flag=True, help="Print the whole table of each decision.")
@click.option("--fresh", is_flag=True, help="Discard an existing review.")
@AS_JSON
@click.pass_context
def review(
    ctx: click.Context,
    folder: Path,
    bots: tuple[str, ...],
    contests: tuple[str, ...],
    reviewer: str,
    seats: int,
    worst: int,
    mistakes: int,
    seconds: float | None,
    workers: int | None,
    tables: bool,
    fresh: bool,
    as_json: bool,
) -> None:
    """List the decisions in which bots lost most, as rated by a stronger search.

    It rates every decision with more than one legal action in a sample of games, by what the
    seat had seen. Small games are solved, so that losses are exact. In other games independent
    searches rate the worst decisions again, and the list has the losses by those searches.
    """
    request = ReviewRequest(bots, contests, reviewer, seats, worst, mistakes)
    match, registry = match_in(folder), registry_of(ctx)
    _check_request(match, registry, request)
    plan = plan_review(folder, registry, request)
    left_out = [c.id for c in match.contests if c.id not in plan.header.contests]
    if left_out and not contests:
        warn(f"no determinizations, so not reviewed: {listed(left_out)}")
    options = _options(workers or processors(), seconds, is_fresh=fresh)
    _run(folder, plan, registry.directories, options)
    results = reviews_in(folder, match.rating.level)
    if results is None:
        raise MatchError(f"{folder / REVIEW} is missing: it was removed in the meantime")
    page = _updated_report(folder, registry)
    if as_json:
        print_json(to_builtins(results))
        return
    print_mistakes(results, folder, has_tables=tables)
    if page is not None:
        echo(f"\nReport: {page}")


def _options(workers: int, seconds: float | None, *, is_fresh: bool) -> ReviewOptions:
    ahead = AHEAD * workers if workers > 1 else 1
    return ReviewOptions(make_executor(workers), ahead, seconds, is_fresh=is_fresh)


def _run(
    folder: Path, plan: ReviewPlan, directories: tuple[Path, ...], options: ReviewOptions
) -> None:
    progress = ProgressCounter("{}: {} of {}")
    try:
        run_review(folder, plan, directories, replace(options, on_progress=progress))
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            echo(f"\nInterrupted: {folder / REVIEW} has the ratings so far.", err=True)
        raise
    finally:
        progress.clear()


def _updated_report(folder: Path, registry: PluginRegistry) -> Path | None:
    """Write the reports again with a section on the review, and return the path of the page.

    Return None if the match has no reports, or if they cannot be written.
    """
    if not (folder / HTML).exists():
        return None
    try:
        result = result_in(folder, registry)
        return reports_with_progress(folder, result, registry, page_list(folder).most)[0]
    except MatchError as error:
        # An earlier version played the match; the review itself is complete.
        warn(f"the reports were not updated: {error}")
        return None


def _check_request(match: Match, registry: PluginRegistry, request: ReviewRequest) -> None:
    _check_names("bot", request.bots, [entrant.id for entrant in match.entrants])
    _check_names("game", request.contests, [contest.id for contest in match.contests])
    spec = request.reviewer
    for name in reviewed_contests(match, registry, request) if spec else ():
        checked_bot(registry, f"--with {spec}", spec, match.contest(name).game)


def _check_names(kind: str, names: tuple[str, ...], known_names: list[str]) -> None:
    for name in names:
        if name not in known_names:
            raise click.UsageError(
                f"the match has no {kind} {name!r}.{did_you_mean(name, known_names)}"
            )
