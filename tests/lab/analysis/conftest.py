"""Logs of matches, written without playing them, in the order of the schedule."""

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
import pytest
from tests.lab.match.results import invented_result

from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.schema import Statistics
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_writer import header_of, log_line
from cardhub.lab.match.match_spec import Match, canonical
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.seat_scores import final_places
from cardhub.lab.match.task import FaultNote, GameResult, GameTask
from cardhub.model.table.scoring import Scoring
from cardhub.plugins.registry import find_plugins

Scores = Callable[[GameTask], Sequence[int]]
Faulty = Callable[[GameTask], Collection[int]]
Data = dict[str, Any]
Analysed = Callable[..., Data]


def as_data(statistics: Statistics) -> Data:
    """Return statistics as they are in `result.json`."""
    data: Data = msgspec.json.decode(msgspec.json.encode(statistics))
    return data


def nobody(task: GameTask) -> Collection[int]:
    """Return no seats: no bot is at fault."""
    return ()


def match_file(
    bots: Sequence[str],
    games: str = "[{game: kuhn, score: rank}]",
    blocks: int = 10,
    more: str = "",
    draws: int = 100,
) -> str:
    """Return a match file with random bots of such names."""
    rating = "" if "rating:" in more else f"rating: {{bootstrap: {draws}}}"
    entrants = ", ".join(f"{{id: {bot}, use: random}}" for bot in bots)
    schedule = "" if "schedule:" in more else f"schedule: {{blocks: {blocks}}}"
    lines = [
        "cardhub_match: 1",
        "name: cup",
        "salt: none",
        "seed: 5",
        f"bots: [{entrants}]",
        f"games: {games}",
    ]
    return "\n".join([*lines, schedule, rating, dedent(more), ""])


def outcome(task: GameTask, scores: Sequence[int], faulty: Collection[int]) -> GameResult:
    """Return a game that ended with such scores, or by faults at such seats."""
    absent = tuple(seat for seat, who in enumerate(task.seats) if who.is_absent)
    has_ended = not faulty or len(task.seats) > 2
    out = {*absent, *faulty}
    scoring = Scoring(tuple(range(len(scores))))
    return invented_result(
        task,
        cards=(f"deal {task.deal}",),
        end="over" if has_ended else "fault",
        steps=1,
        scores=tuple(map(int, scores)),
        places=final_places(scores, out, scoring, has_ended=has_ended),
        faults=tuple(FaultNote(seat, task.seats[seat].bot, "illegal", 0) for seat in faulty),
    )


@pytest.fixture
def cup() -> Callable[..., str]:
    """Return the function that makes match files."""
    return match_file


@pytest.fixture
def analysed(tmp_path: Path) -> Analysed:
    """Return a function that writes a log by a match file, and returns its statistics.

    `scores` gives the scores of each game by seat, `faulty` the seats at fault; after `most` games
    the match is broken off.
    """

    def run(text: str, scores: Scores, faulty: Faulty = nobody, most: int | None = None) -> Data:
        (tmp_path / "cup.yaml").write_text(text, "utf-8")
        match = read_match(tmp_path / "cup.yaml", find_plugins())
        write_log(match, tmp_path, scores, faulty, most)
        return as_data(analyse(match, tmp_path))

    return run


def write_log(
    match: Match, folder: Path, scores: Scores, faulty: Faulty = nobody, most: int | None = None
) -> None:
    """Write the log of a match."""
    course = MatchState(match, Games(match))
    lines = [canonical(header_of(match, {}))]
    upcoming = iter(lambda: course.upcoming(1), [])
    for (task,) in islice(upcoming, most):
        result = outcome(task, scores(task), faulty(task))
        course.record(result)
        lines.append(log_line(result))
    (folder / "games.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
