"""`cardhub bot check DIR --match FILE`: check a team's folder as the match would play it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.bots import FILE, parse_spec
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.lab.match.match_spec import Match, Team
from cardhub.lab.match.matchfile.reader import ReadOptions, read_match
from cardhub.lab.match.run.preflight import sandbox_of
from cardhub.lab.match.teams.team_build import builder_of
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import BotReport, check_spec
from cardhub.testing.grading.check_process import check_submission


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
    return {"team": str(folder), "passed": False, "absent": reason, "details": details, "games": []}
