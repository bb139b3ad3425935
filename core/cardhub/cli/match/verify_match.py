"""`cardhub match verify`: check the files of a match against its log."""

from dataclasses import asdict
from pathlib import Path

import click

from cardhub.analysis import analyse
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import print_json
from cardhub.cli.root import registry_of, warn
from cardhub.match.log.log_reader import RESULT
from cardhub.match.run.executors import make_executor
from cardhub.match.run.runner import RunOptions
from cardhub.match.verify.verifier import VerifyResult
from cardhub.match.verify.verifier import verify as check
from cardhub.report.report_files import changed_reports, written_result


class ShareType(click.ParamType[float]):
    """Share from 0 to 1: `5%` or `0.05`."""

    name = "share"

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the share, from 0 to 1."""
        text = str(value)
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            share = -1
        if not 0 <= share <= 1:
            self.fail(f"invalid share {text!r}: use 5% or 0.05", param, ctx)
        return share


@click.command(epilog="The exit code is 1 if anything is wrong.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path), help="A match's folder.")
@click.option(
    "--rerun",
    type=ShareType(),
    default="0",
    metavar="SHARE",
    help="Have the bots play this share of the games again: 5%, 0.05.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="How many processes play those games.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def verify(ctx: click.Context, folder: Path, rerun: float, workers: int, as_json: bool) -> None:
    """Check the log, result and reports of a match.

    All games are replayed from the log, and the result is computed again.
    """
    how = RunOptions(make_executor(workers), 2 * workers, analyse=analyse)
    found = check(folder, registry_of(ctx), rerun, how)
    _check_reports(folder, found)
    if as_json:
        print_json(asdict(found) | {"is_fine": found.is_fine})
    else:
        _tell(found)
    ctx.exit(0 if found.is_fine else FAULT)


def _check_reports(folder: Path, found: VerifyResult) -> None:
    """Check the existing reports, if log and result have no problems."""
    if not found.is_fine or not (folder / RESULT).exists():
        found.notes.append("the reports were not checked: log or result is incomplete or wrong")
        return
    for path in changed_reports(folder, written_result(folder)):
        told = f"{path}: not what follows from {RESULT}; fix: cardhub match report {folder}"
        # Other versions of cardhub may write other reports.
        (found.notes if found.is_other_version else found.problems).append(told)


def _tell(found: VerifyResult) -> None:
    for problem in found.problems:
        echo(problem)
    warn(*found.notes)
    again = f", {found.played_again} played again" if found.played_again else ""
    left = f", {found.left_out} not played again: they need the clock" if found.left_out else ""
    verdict = "Nothing wrong was found" if found.is_fine else f"{len(found.problems)} problems"
    echo(f"{verdict} in {found.games} games{again}{left}.")
