"""`cardhub bot check`: what is wrong with a bot."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from random import Random
from statistics import median
from typing import Any

import click

from cardhub.bots import parse_spec
from cardhub.cli.check_output import (
    FAILED,
    OK,
    SKIPPED,
    Counter,
    amount,
    check_facts,
    print_result,
    result,
)
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.listing import print_json
from cardhub.cli.params import GameType
from cardhub.cli.root import registry_of
from cardhub.errors import BotError, BotFaultError, PluginError
from cardhub.errors.suggestions import did_you_mean
from cardhub.play.setup import close
from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.registry import PluginRegistry
from cardhub.testing import BotReport, Finding, check_spec
from cardhub.testing.bot_checks.bot_findings import CHECKS
from cardhub.testing.bot_checks.bot_suite import entry_of, is_program


def bot_names(registry: PluginRegistry) -> list[str]:
    """Return the names of all bots and levels, without those of broken games."""
    names = set(LEVELS)
    for game in registry.game_names():
        with suppress(PluginError):
            names |= registry.bots_for(game).keys()
    return sorted(names)


def _complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in bot_names(registry_of(ctx)) if name.startswith(incomplete)]


@click.command()
@click.argument(
    "spec",
    metavar="BOT",
    shell_complete=_complete,
    help="A bot: rule, ismcts:200, 'cmd:node my_bot.js'.",
)
@click.option(
    "--game",
    "games",
    type=GameType(),
    multiple=True,
    help="A game to check it in; several can be given. Otherwise all that it plays.",
)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="At how many positions of each game it is asked.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@click.option("--clock", is_flag=True, help="The bot uses the clock: do not ask it again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    spec: str,
    games: tuple[str, ...],
    positions: int,
    seed: int,
    clock: bool,
    as_json: bool,
) -> None:
    """Check a bot for faults.

    The bot plays one seat in random games. Then it is asked again in the same games, and in
    others that its seat cannot distinguish from them. The exit code is 1 if a check fails.
    """
    registry = registry_of(ctx)
    reports = []
    for game in _games(registry, spec, games):
        counter = Counter(f"{game}: asked {{}} times")
        report = check_spec(
            registry, spec, game, positions=positions, seed=seed, clock=clock, watch=counter
        )
        counter.clear()
        reports.append(report)
        if not as_json:
            print_report(report)
    passed = all(report.passed for report in reports)
    if as_json:
        print_json({"bot": spec, "passed": passed, "games": [facts(r) for r in reports]})
    else:
        print_verdict(reports)
    if not passed:
        ctx.exit(FAULT)


def _games(registry: PluginRegistry, spec: str, named: Sequence[str]) -> list[str]:
    """Return the games to check a bot in; a usage error if it cannot play there.

    Without any named these are all that it plays.
    """
    if not named:
        return _played(registry, spec)
    for game in named:
        registry.game(game)  # a broken game is no fault of the command line
        try:
            registry.settings_of(spec, game)
        except PluginError as error:
            raise click.UsageError(str(error)) from error
    return list(dict.fromkeys(named))


def _played(registry: PluginRegistry, spec: str) -> list[str]:
    """Return the games that a bot plays, leaving out broken ones.

    A program that cannot even be greeted is checked in one game, which will tell.
    """
    played = []
    for game in registry.game_names():
        try:
            registry.settings_of(spec, game)
            is_any = not is_program(entry_of(registry, spec, game))
            if is_any or _is_accepted(registry, spec, game):
                played.append(game)
        except BotFaultError:
            return [game]
        except PluginError:
            continue
    if not played:
        unknown = _unknown(parse_spec(spec).name, bot_names(registry))
        raise click.UsageError("\n".join([unknown, *registry.warnings()]))
    return played


def _is_accepted(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a program says that it plays a game; raises BotFaultError."""
    try:
        close(registry.make_bot(spec, game, Random(0)))
    except BotFaultError:
        raise
    except BotError:
        return False
    return True


def _unknown(name: str, known: list[str]) -> str:
    if name in known:
        return f"bot {name!r} plays none of the installed games"
    there_are = ", ".join(known)
    return f"no installed game has a bot {name!r}.{did_you_mean(name, known)} Bots: {there_are}"


def print_report(report: BotReport) -> None:
    """Print what the checks came to in one game."""
    echo(f"{report.game}: {_amount(report)}")
    for found in report.findings:
        print_result(FAILED, f"{found.check}: {CHECKS[found.check]}")
        for text in _told(found):
            print_result("", text)
    passed = [check for check in CHECKS if result(report, check) == OK]
    if passed:
        print_result(OK, ", ".join(passed))
    for why, checks in groupby(report.skipped, key=lambda check: report.skipped[check]):
        print_result(SKIPPED, f"{', '.join(checks)}: {why}")
    echo()


def print_verdict(reports: Sequence[BotReport]) -> None:
    """Print what all of it came to."""
    failed = [f"{found.check} in {r.game}" for r in reports for found in r.findings]
    games = ", ".join(report.game for report in reports)
    if failed:
        echo(f"Failed: {'; '.join(failed)}.")
    else:
        echo(f"Nothing wrong was found in {games}.")


def facts(report: BotReport) -> dict[str, Any]:
    """Return a report for programs."""
    seconds = report.seconds
    return {
        "game": report.game,
        "passed": report.passed,
        "games": report.games,
        "positions": report.positions,
        "median_seconds": median(seconds) if seconds else None,
        "slowest_seconds": max(seconds, default=None),
        "checks": [check_facts(report, check) for check in CHECKS],
    }


def _told(found: Finding) -> Iterator[str]:
    yield found.what + (f" ({found.count} times, first here)" if found.count > 1 else "")
    yield f"expected: {found.expected}"
    if found.place:
        yield f"where: {found.place}"


def _amount(report: BotReport) -> str:
    asked = f"{amount(report.positions, 'position')} in {amount(report.games, 'game')}"
    if not report.seconds:
        return asked
    times = f"{_time(median(report.seconds))} for an answer, at most {_time(max(report.seconds))}"
    return f"{asked}; {times}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
