"""`cardhub match verify`: check the files of a match against its log."""

from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from cardhub.base.errors import MatchError
from cardhub.base.files import is_file
from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import print_json
from cardhub.cli.params import AS_JSON, ParsedType, number_option
from cardhub.cli.root import registry_of, warn
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.exploit.exploit_schema import EXPLOIT
from cardhub.lab.analysis.model_figures import MODELS
from cardhub.lab.analysis.review.review_file import read_review
from cardhub.lab.analysis.review.review_schema import REVIEW
from cardhub.lab.bundle.crate import unpacked
from cardhub.lab.match.log.log_reader import RESULT
from cardhub.lab.match.log.result_file import has_no_statistics
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions
from cardhub.lab.match.verifier import VerifyResult
from cardhub.lab.match.verifier import verify as check
from cardhub.lab.report.report_files import changed_reports, written_result
from cardhub.lab.report.resources import RESOURCES
from cardhub.plugins.registry import for_referee


def _parse_share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        # A value out of range, because one message covers all invalid values.
        share = -1
    if not 0 <= share <= 1:
        raise ValueError(f"invalid share {text!r}: use 5% or 0.05")
    return share


@click.command(epilog="The exit code is 1 if anything is wrong.")
@click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="A match's folder, or its bundle.",
)
@click.option(
    "--rerun",
    type=ParsedType("share", _parse_share),
    default="0",
    metavar="SHARE",
    help="Play this share of the games again with the bots: 5% or 0.05.",
)
@number_option("--workers", "Number of processes that play these games.", default=1)
@AS_JSON
@click.pass_context
def verify(ctx: click.Context, folder: Path, rerun: float, workers: int, as_json: bool) -> None:
    """Check the log, result and reports of a match.

    All games are replayed from the log, and the result is computed again. Pages of games are
    compared with their digests in games/pages.json; with --rerun they are rendered again.
    """
    with _opened(folder) as files:
        checks = _checked(ctx, files, rerun, workers)
    if as_json:
        print_json(asdict(checks) | {"is_fine": checks.is_fine})
    else:
        _print_verdict(checks)
    ctx.exit(0 if checks.is_fine else FAULT)


@contextmanager
def _opened(folder: Path) -> Iterator[Path]:
    """Yield the folder of a match; in a bundle, programs and files of bots stand beside it."""
    if not is_file(folder):
        yield folder
        return
    with unpacked(folder) as files, chdir(files):
        yield files


def _checked(ctx: click.Context, folder: Path, rerun: float, workers: int) -> VerifyResult:
    # Two games per worker in flight: one is played while the result of another is compared.
    options = RunOptions(make_executor(workers), 2 * workers, analyse=analyse)
    checks = check(folder, registry_of(ctx), rerun, options)
    _check_reports(ctx, folder, checks, is_rendered=rerun > 0)
    checks.notes.extend(_review_notes(folder))
    for name in (EXPLOIT, MODELS, RESOURCES):
        if (folder / name).exists():
            checks.notes.append(f"{name} was not verified: its figures are not part of the log")
    return checks


def _check_reports(
    ctx: click.Context, folder: Path, checks: VerifyResult, *, is_rendered: bool
) -> None:
    """Check the existing reports if log and result have no problems."""
    if not checks.is_fine or not (folder / RESULT).exists():
        checks.notes.append("the reports were not checked: log or result is incomplete or wrong")
        return
    if has_no_statistics(folder / RESULT):
        return  # there are no reports without statistics
    result, registry = written_result(folder), for_referee(registry_of(ctx))
    for path in changed_reports(folder, result, registry, is_rendered=is_rendered):
        message = f"{path}: does not agree with {RESULT}; fix: cardhub match report {folder}"
        # Reports of another version of cardhub may differ without being wrong.
        (checks.notes if checks.is_other_version else checks.problems).append(message)


def _review_notes(folder: Path) -> list[str]:
    """Return notes on `review.jsonl`, which is not part of the match."""
    try:
        review = read_review(folder)
    except MatchError as error:
        return [str(error)]
    # Verifying its ratings would repeat all searches.
    return [f"{REVIEW} was not verified: its ratings are not part of the log"] if review else []


def _print_verdict(checks: VerifyResult) -> None:
    for problem in checks.problems:
        echo(problem)
    warn(*checks.notes)
    again = f", {checks.played_again} played again" if checks.played_again else ""
    left_out = ""
    if checks.left_out:
        left_out = (
            f", {checks.left_out} not played again because their bots use the clock or are missing"
        )
    verdict = (
        "Nothing wrong was found" if checks.is_fine else amount(len(checks.problems), "problem")
    )
    echo(f"{verdict} in {amount(checks.games, 'game')}{again}{left_out}.")
