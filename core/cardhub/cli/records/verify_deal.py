"""`cardhub verify`: check that the deal of a game is the one that its record commits to."""

from pathlib import Path

import click

from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.params import RECORD
from cardhub.cli.root import registry_of
from cardhub.play.records.reading import read_record
from cardhub.play.records.verification import verify_record, verify_redacted


@click.command(epilog="The exit code is 1 if anything is wrong or cannot be checked.")
@click.argument("record", type=RECORD, help="The whole record of a game that is over.")
@click.argument(
    "redacted",
    type=RECORD,
    nargs=-1,
    help="Redacted records of the same game, handed out earlier.",
)
@click.pass_context
def verify(ctx: click.Context, record: Path, redacted: tuple[Path, ...]) -> None:
    """Check that a game was played with the deal that its record commits to.

    Unless the seed was chosen, a record begins with a commitment to the seed and ends with the
    seed. The deal and the outcomes of chance are computed from it again. REDACTED records must have
    the same commitment, and the same cards where they show them.
    """
    # All problems are reported, not just the first: they show what was changed.
    whole = read_record(record)
    game = registry_of(ctx).game(whole.header.game)
    problems = list(verify_record(game, whole))
    for path in redacted:
        problems += verify_redacted(game, whole, read_record(path))
    for problem in problems:
        echo(problem)
    if not problems:
        also = f", also in {len(redacted)} redacted records" if redacted else ""
        echo(f"The deal is the one committed to before the first card was seen{also}.")
    ctx.exit(FAULT if problems else 0)
