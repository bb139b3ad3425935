"""The results of a match of teams: a folder for each team, and one for everybody.

A team gets its own faults, what its program wrote to stderr, and its games as its seat saw them.
The public folder has no commands and no sources, and can be verified without any program.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from cardhub.base.files import replace_text
from cardhub.lab.analysis.exploit.exploit_schema import EXPLOIT
from cardhub.lab.analysis.review.review_schema import REVIEW
from cardhub.lab.match.log.game_page import PAGES
from cardhub.lab.match.log.log_reader import (
    GAMES,
    RESULT,
    TEAMS,
    explained,
    fault_path,
    read_games,
    read_json,
)
from cardhub.lab.match.log.run_records import RUNS
from cardhub.lab.match.log.transcript import record_of, record_text
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.report_files import HTML, MARKDOWN, PARTNERS, RATINGS
from cardhub.lab.report.resources import RESOURCES
from cardhub.play.records.redaction import redact_game, why_not_redacted
from cardhub.play.records.replaying import open_record
from cardhub.plugins.registry import PluginRegistry

# The folder for everybody, within the folder of a match, and its files.
PUBLIC = "public"
PUBLISHED = (
    *(GAMES, RESULT, RUNS, HTML, MARKDOWN, RATINGS),
    *(PARTNERS, RESOURCES, EXPLOIT, REVIEW, PAGES),
)
# Maximum number of games that a team gets as records; games with its faults come first.
MOST_RECORDS = 100
# The file with the reason why a team is absent, and what its build or program wrote.
ABSENT = "absent.txt"


def write_team_results(folder: Path, match: Match, registry: PluginRegistry) -> Path:
    """Write the folders of all teams and the public one, and return it; raises MatchError."""
    with explained(folder):
        for team, details in match.absent_details.items():
            path = folder / TEAMS / team / ABSENT
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, f"{match.absent[team]}\n\n{details}\n")
        games = _own_games(folder, match)
        for team, results in games.items():
            _write_team(folder, team, results, match, registry)
        return _write_public(folder)


def _own_games(folder: Path, match: Match) -> dict[str, list[GameResult]]:
    """Return the games that each team gets, with its faults first; none of an absent team."""
    games: dict[str, list[GameResult]] = {
        team: [] for team in match.teams if team not in match.absent
    }
    for _, result in read_games(folder):
        for team in games.keys() & set(result.seats):
            games[team].append(result)
    return {
        team: sorted(results, key=lambda result: not _own_faults(result, team))[:MOST_RECORDS]
        for team, results in games.items()
    }


def _own_faults(result: GameResult, team: str) -> list[int]:
    return [note.seat for note in result.faults if note.bot == team]


def _write_team(
    folder: Path,
    team: str,
    results: Sequence[GameResult],
    match: Match,
    registry: PluginRegistry,
) -> None:
    own = folder / TEAMS / team
    for part in ("faults", "games"):
        shutil.rmtree(own / part, ignore_errors=True)
        (own / part).mkdir(parents=True)
    for result in results:
        for seat in _own_faults(result, team):
            path = fault_path(folder, result.id, seat)
            # Without the command, which has paths of this machine.
            fault = {**read_json(path), "bot": match.entrant(team).use}
            text = json.dumps(fault, indent=1, sort_keys=True)
            replace_text(own / "faults" / path.name, f"{text}\n")
        for seat, text in _records(result, team, match, registry):
            replace_text(own / "games" / f"{result.id}-{seat}.jsonl", text)


def _records(
    result: GameResult, team: str, match: Match, registry: PluginRegistry
) -> Iterator[tuple[int, str]]:
    """Yield the record of a game for each seat of a team, with what the seat saw."""
    game = registry.game(match.contest(result.contest).game)
    seats = [seat for seat, bot in enumerate(result.seats) if bot == team]
    # A whole record is no secret, because the log has all cards.
    if why_not_redacted(game):
        yield from ((seat, record_text(match, result, game)) for seat in seats)
        return
    referee = open_record(game, record_of(match, result, game, Path(f"{result.id}.jsonl")))
    yield from ((seat, redact_game(referee, seat)) for seat in seats)


def _write_public(folder: Path) -> Path:
    public = folder / PUBLIC
    shutil.rmtree(public, ignore_errors=True)
    public.mkdir()
    for name in PUBLISHED:
        if (folder / name).is_dir():
            shutil.copytree(folder / name, public / name)
        elif (folder / name).exists():
            shutil.copyfile(folder / name, public / name)
    return public
