"""`cardhub bot repro`: a bot's fault once more."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from cardhub.bots import Bot
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import BOT
from cardhub.cli.listing import print_json
from cardhub.cli.params import RecordType
from cardhub.cli.records.access import programs_of
from cardhub.cli.root import registry_of, warn
from cardhub.errors import BotFaultError
from cardhub.match.log.lookup import generator_of
from cardhub.play.fault_report import (
    Reproduction,
    RetryResult,
    ask_again,
    generator_from,
    read_reproduction,
)
from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player
from cardhub.plugins.registry import PluginRegistry

FAULT_TAG = re.compile(r"\.fault[0-9]*\.json$")
"""What the name of a fault file has in the place of its record's `.jsonl`."""
FRESH = (
    "the bot gets a fresh generator, with which it may choose otherwise; "
    "fix: name the whole record with --record"
)


@click.command(epilog="The exit code is 3 if the bot is at fault again, 0 if it is not.")
@click.argument("file", type=RecordType(), help="What was written when the bot was at fault.")
@click.option("--bot", "spec", metavar="BOT", help="Ask this bot instead of that in the file.")
@click.option(
    "--record",
    type=RecordType(),
    help="The whole record of that game, if it does not lie beside the file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def repro(
    ctx: click.Context, file: Path, spec: str | None, record: Path | None, as_json: bool
) -> None:
    """Ask a bot again at the decision in which it was at fault.

    It sees what it saw in that game, from its first decision on, and gets the same generator. Where
    the seed of that game was chosen, the generator is not in FILE, as the deal could be found by
    it; then it comes from the whole record, or from the match in whose folder FILE lies.
    """
    registry, reproduction = registry_of(ctx), read_reproduction(file)
    if reproduction.generator is None:
        reproduction = replace(reproduction, generator=_generator(file, reproduction, record))
    if reproduction.generator is None:
        warn(FRESH)
    header = reproduction.as_record(file).header
    name, spec = header.game, spec or reproduction.bot
    game = registry.game(name)
    for command in programs_of(registry, name, (Player("", spec),)):
        echo(f"Starting: {command}", err=True)
    again = ask_again(game, reproduction, file, partial(_make, registry, spec, name))
    if as_json:
        print_json(_facts(reproduction, again, spec))
    else:
        echo("\n".join(_told(reproduction, again, spec)))
    ctx.exit(BOT if again.fault else 0)


def _generator(file: Path, reproduction: Reproduction, record: Path | None) -> str | None:
    """Return what seeded the bot's generator, if it can be found; raises RecordError."""
    beside = file.with_name(FAULT_TAG.sub(".jsonl", file.name))
    if record is None and (beside == file or not beside.is_file()):
        return generator_of(file)
    return generator_from(read_record(record or beside), reproduction)


def _make(registry: PluginRegistry, spec: str, game: str, rng: Random) -> Bot:
    return registry.make_bot(spec, game, rng)


def _told(before: Reproduction, again: RetryResult, spec: str) -> list[str]:
    where = f"decision {again.decisions} of {spec} at seat {before.seat}"
    lines = [f"Then ({before.fault}), in {where}: {before.message}"]
    if again.changed:
        lines.append(f"It chose otherwise in {again.changed} of the decisions before.")
    if again.fault is None:
        return [*lines, f"Now: it chooses {again.chosen}. The fault does not show again."]
    now = f"Now ({again.fault.fault}), in decision {again.asked}: {again.fault}"
    return [*lines, now, *_details(again.fault), _verdict(before, again)]


def _verdict(before: Reproduction, again: RetryResult) -> str:
    fault = again.fault.fault if again.fault else ""
    if again.is_last and fault == before.fault:
        return "The fault shows again."
    return "It fails again" + ("" if again.is_last else ", earlier") + f": {fault}."


def _details(fault: BotFaultError) -> list[str]:
    """Return the traceback, or what a program wrote last, unless the message holds it."""
    return [] if fault.details in str(fault) else [fault.details.rstrip()]


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
    told = again.fault
    return {"fault": told.fault, "message": str(told), "details": told.details}
