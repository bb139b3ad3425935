"""`cardhub bot check`: check a bot, or a team as its contest would, and print a report."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import click

from cardhub.base.errors import BotError, BotFaultError, OptionError, PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import amount
from cardhub.bots import FILE, parse_spec
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import ProgressCounter, check_facts, print_checks, print_json, print_result
from cardhub.cli.params import AS_JSON, GAME, number_option, seed_option
from cardhub.cli.root import registry_of
from cardhub.lab.match.match_spec import Match, Team
from cardhub.lab.match.matchfile.reader import ReadOptions, read_match
from cardhub.lab.match.run.preflight import sandbox_of
from cardhub.lab.match.teams.team_build import TeamError, builder_of
from cardhub.play.setup import close
from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import BotReport, Finding, check_spec
from cardhub.testing.bot_checks.bot_findings import CHECKS
from cardhub.testing.bot_checks.bot_suite import entry_of, is_program
from cardhub.testing.grading.check_process import check_submission


def _bot_names(registry: PluginRegistry) -> list[str]:
    # Levels are bots too; which ones depends on the game.
    names = set(LEVELS)
    for game in registry.game_names():
        # The bots of a broken game are unknown; `cardhub plugins` reports the error.
        with suppress(PluginError):
            names |= registry.bots_for(game).keys()
    return sorted(names)


def _complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in _bot_names(registry_of(ctx)) if name.startswith(incomplete)]


class TeamCheck(NamedTuple):
    """The check of a team in one game; a class in a Python file has only `problems`."""

    game: str
    problems: tuple[str, ...]
    report: BotReport | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.problems


class BuiltTeam(NamedTuple):
    """A team with its program, and the match and sandbox for which it is built."""

    match: Match
    team: Team
    sandbox: Sandbox | None


def build_team(folder: Path, file: Path, registry: PluginRegistry) -> BuiltTeam:
    """Build the team of a folder; raises TeamError if it would be absent, or MatchError."""
    match = read_match(file, registry, ReadOptions(team=folder))
    sandbox = sandbox_of(match, match.default_folder)
    team = next(entrant.team for entrant in match.entrants if entrant.team)
    return BuiltTeam(match, builder_of(match, sandbox).built(team), sandbox)


def check_team(
    built: BuiltTeam, registry: PluginRegistry, positions: int, seed: int
) -> Iterator[TeamCheck]:
    """Yield the check of a team in each game of the match; raises BotError."""
    games = dict.fromkeys(contest.game for contest in built.match.contests)
    program = built.team.program
    spec = parse_spec(program)
    if spec.name == FILE.name:
        for game in games:
            checked = check_submission(
                registry.directories, Path(spec.rest), game, positions, seed, built.sandbox
            )
            yield TeamCheck(game, checked.problems)
        return
    with closing(find_plugins(registry.directories, built.sandbox, third_party=())) as own:
        for game in games:
            report = check_spec(own, program, game, positions=positions, seed=seed)
            problems = tuple(f"{finding.check}: {finding.problem}" for finding in report.findings)
            yield TeamCheck(game, problems, report)


def absent_facts(folder: Path, reason: str, details: str) -> dict[str, Any]:
    """Return the facts of a team that cannot play."""
    return {"team": str(folder), "passed": False, "absent": reason, "details": details}


@click.command()
@click.argument(
    "spec",
    metavar="BOT",
    shell_complete=_complete,
    help="A bot: rule, ismcts:200, 'cmd:node my_bot.js'. With --match, a folder.",
)
@click.option(
    "--game",
    "games",
    type=GAME,
    multiple=True,
    help="Check the bot in this game; can be repeated. Default: all games that it plays.",
)
@number_option("--positions", "Number of positions in each game.", default=200)
@seed_option()
@click.option("--clock", is_flag=True, help="The bot uses the clock: do not ask it again.")
@click.option(
    "--match",
    "match_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Build and check the team in the folder BOT as this match file would have it play.",
)
@AS_JSON
@click.pass_context
def check(
    ctx: click.Context,
    spec: str,
    games: tuple[str, ...],
    positions: int,
    seed: int,
    clock: bool,
    match_file: Path | None,
    as_json: bool,
) -> None:
    """Check a bot for faults.

    The bot plays one seat in random games. Then it is asked again in the same games, and in
    others that its seat cannot distinguish from them. The exit code is 1 if a check fails.
    """
    registry = registry_of(ctx)
    if match_file is not None:
        if games or clock:
            raise click.UsageError("--match is mutually exclusive with --game and --clock")
        _check_team(ctx, Path(spec), match_file, (positions, seed), as_json=as_json)
        return
    reports = []
    # Printed game by game: checking a slow bot in all games takes minutes.
    for game in _games_to_check(registry, spec, games):
        counter = ProgressCounter(f"{game}: asked {{}} times")
        report = check_spec(
            registry, spec, game, positions=positions, seed=seed, clock=clock, watch=counter
        )
        counter.clear()
        reports.append(report)
        if not as_json:
            _print_report(report)
    _print_verdict(ctx, spec, reports, as_json=as_json)


def _print_verdict(
    ctx: click.Context, spec: str, reports: Sequence[BotReport], *, as_json: bool
) -> None:
    """Print the verdict of all games, and exit with 1 if a check failed."""
    passed = all(report.passed for report in reports)
    if as_json:
        print_json({"bot": spec, "passed": passed, "games": [_facts(r) for r in reports]})
    else:
        failed = "; ".join(
            f"{finding.check} in {r.game}" for r in reports for finding in r.findings
        )
        checked = ", ".join(report.game for report in reports)
        echo(f"Failed: {failed}." if failed else f"Nothing wrong was found in {checked}.")
    if not passed:
        ctx.exit(FAULT)


def _check_team(
    ctx: click.Context, folder: Path, file: Path, numbers: tuple[int, int], *, as_json: bool
) -> None:
    """Check the team of a folder; `numbers`: the positions in each game, and the seed."""
    registry = registry_of(ctx)
    try:
        built = build_team(folder, file, registry)
    except TeamError as error:
        if as_json:
            print_json(absent_facts(folder, str(error), error.details))
        else:
            echo(error.details)
            echo(f"It would be absent: {error}.")
        ctx.exit(FAULT)
    checks = []
    for checked in check_team(built, registry, *numbers):
        checks.append(checked)
        if not as_json:
            _print_team_check(checked)
    passed = all(checked.passed for checked in checks)
    if as_json:
        games = [_facts(c.report) if c.report else _plain_facts(c) for c in checks]
        print_json({"team": str(folder), "passed": passed, "absent": None, "games": games})
    elif passed:
        echo(f"Nothing wrong was found in {', '.join(c.game for c in checks)}.")
    if not passed:
        ctx.exit(FAULT)


def _print_team_check(checked: TeamCheck) -> None:
    if checked.report:
        _print_report(checked.report)
        return
    for problem in checked.problems:
        print_result("", f"{checked.game}: {problem}")


def _plain_facts(checked: TeamCheck) -> dict[str, Any]:
    return {"game": checked.game, "passed": checked.passed, "problems": list(checked.problems)}


def _games_to_check(registry: PluginRegistry, spec: str, named: Sequence[str]) -> list[str]:
    """Return the named games, or all that a bot plays; raises UsageError if it plays none."""
    if not named:
        return _games_of(registry, spec)
    for game in named:
        registry.game(game)  # outside `try`: a broken game is not a usage error
        try:
            registry.settings_of(spec, game)
        except PluginError as error:
            raise click.UsageError(str(error)) from error
    return list(dict.fromkeys(named))


def _games_of(registry: PluginRegistry, spec: str) -> list[str]:
    games, refusals = [], []
    for game in registry.game_names():
        try:
            registry.settings_of(spec, game)
            if not is_program(entry_of(registry, spec, game)) or _accepts(registry, spec, game):
                games.append(game)
        except BotFaultError:
            return [game]  # a failed handshake fails in all games: one check reports it
        except OptionError as error:
            refusals.append(str(error))  # a model plays one game
        except PluginError:
            continue
    if not games:
        reason = (*refusals, _no_games(parse_spec(spec).name, _bot_names(registry)))[0]
        raise click.UsageError("\n".join([reason, *registry.warnings()]))
    return games


def _accepts(registry: PluginRegistry, spec: str, game: str) -> bool:
    """Return whether a program accepts a game in its handshake; raises BotFaultError."""
    try:
        # A program does not declare its games in its entry: the handshake has to be tried.
        close(registry.make_bot(spec, game, Random(0)))
    except BotFaultError:
        raise
    except BotError:
        return False
    return True


def _no_games(name: str, known: list[str]) -> str:
    if name in known:
        return f"bot {name!r} plays none of the installed games"
    names = ", ".join(known)
    return f"no installed game has a bot {name!r}.{did_you_mean(name, known)} Bots: {names}"


def _print_report(report: BotReport) -> None:
    times = ""
    if report.seconds:
        typical, slowest = _time(median(report.seconds)), _time(max(report.seconds))
        times = f"; {typical} for an answer, at most {slowest}"
    positions, games = amount(report.positions, "position"), amount(report.games, "game")
    echo(f"{report.game}: {positions} in {games}{times}")
    print_checks(report, CHECKS, _print_finding)
    echo()


def _print_finding(finding: Finding) -> None:
    times = f" ({finding.count} times, first here)" if finding.count > 1 else ""
    print_result("", finding.problem + times)
    print_result("", f"expected: {finding.expected}")
    if finding.location:
        print_result("", f"where: {finding.location}")


def _facts(report: BotReport) -> dict[str, Any]:
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


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
