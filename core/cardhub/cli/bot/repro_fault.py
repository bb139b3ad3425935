"""`cardhub bot repro`: repeat the request in which a bot was at fault."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import BOT
from cardhub.cli.output import print_json
from cardhub.cli.params import AS_JSON, RECORD
from cardhub.cli.records.access import programs_of
from cardhub.cli.root import registry_of, warn
from cardhub.lab.match.log.lookup import generator_of
from cardhub.play.fault_report import (
    Reproduction,
    RetryResult,
    ask_again,
    generator_from,
    read_reproduction,
)
from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player

# Suffix of a fault file; its record has the suffix `.jsonl` instead.
FAULT_TAG = re.compile(r"\.fault[0-9]*\.json$")
NEW_GENERATOR = (
    "the bot gets a new random generator, so it may choose differently; "
    "fix: name the whole record with --record"
)


@click.command(epilog="The exit code is 3 if the bot is at fault again, 0 if it is not.")
@click.argument("file", type=RECORD, help="A fault file.")
@click.option("--bot", "spec", metavar="BOT", help="Ask this bot instead of the one in the file.")
@click.option(
    "--record",
    type=RECORD,
    help="The whole record of that game. Default: the record beside the file.",
)
@AS_JSON
@click.pass_context
def repro(
    ctx: click.Context, file: Path, spec: str | None, record: Path | None, as_json: bool
) -> None:
    """Ask a bot again at the decision in which it was at fault.

    It gets the same observations as in that game, from its first decision on, and the same random
    numbers. If the seed of the game was chosen, FILE does not contain the bot's seed, since the
    deal could be computed from it. Then it comes from the whole record, or from the match in whose
    folder FILE is.
    """
    registry, reproduction = registry_of(ctx), read_reproduction(file)
    # Fault files of games with a chosen seed omit it: the deal could be computed from it.
    if reproduction.generator is None:
        reproduction = replace(reproduction, generator=_generator(file, reproduction, record))
    if reproduction.generator is None:
        warn(NEW_GENERATOR)
    header = reproduction.as_record(file).header
    name, spec = header.game, spec or reproduction.bot
    game = registry.game(name)
    # A fault file may come from another person: the program is shown before it starts.
    for command in programs_of(registry, name, (Player("", spec),)):
        echo(f"Starting: {command}", err=True)
    again = ask_again(game, reproduction, file, partial(registry.make_bot, spec, name))
    if as_json:
        print_json(_facts(reproduction, again, spec))
    else:
        echo("\n".join(_summary(reproduction, again, spec)))
    ctx.exit(BOT if again.fault else 0)


def _generator(file: Path, reproduction: Reproduction, record: Path | None) -> str | None:
    """Return the seed of the bot's generator, or None if it is unknown; raises RecordError."""
    record_path = file.with_name(FAULT_TAG.sub(".jsonl", file.name))
    if record is None and (record_path == file or not record_path.is_file()):
        return generator_of(file)
    return generator_from(read_record(record or record_path), reproduction)


def _summary(before: Reproduction, again: RetryResult, spec: str) -> list[str]:
    where = f"decision {again.decisions} of {spec} at seat {before.seat}"
    lines = [f"Then ({before.fault}), in {where}: {before.message}"]
    if again.changed:
        lines.append(
            f"Before that decision it chose another action {amount(again.changed, 'time')}."
        )
    if again.fault is None:
        return [*lines, f"Now: it chooses {again.chosen}. The fault is not reproduced."]
    now = f"Now ({again.fault.fault}), in decision {again.asked}: {again.fault}"
    lines.append(now)
    # The message of a fault may contain its details: a traceback, or a program's last lines.
    if again.fault.details not in now:
        lines.append(again.fault.details.rstrip())
    return [*lines, _verdict(before, again)]


def _verdict(before: Reproduction, again: RetryResult) -> str:
    fault = again.fault.fault if again.fault else ""
    if again.is_last and fault == before.fault:
        return "The fault is reproduced."
    return "It is at fault again" + ("" if again.is_last else ", earlier") + f": {fault}."


def _facts(before: Reproduction, again: RetryResult, spec: str) -> dict[str, Any]:
    return {
        "bot": spec,
        "seat": before.seat,
        "decisions": again.decisions,
        "before": {"fault": before.fault, "message": before.message},
        "now": _fault(again),
        "chosen": again.chosen or None,
        "asked": again.asked,
        "changed": again.changed,
    }


def _fault(again: RetryResult) -> dict[str, Any] | None:
    if again.fault is None:
        return None
    fault = again.fault
    return {"fault": fault.fault, "message": str(fault), "details": fault.details}
