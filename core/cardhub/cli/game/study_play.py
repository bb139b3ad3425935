"""Playing of a study, with its progress on a terminal."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.cli.console import echo
from cardhub.cli.match.run_match import AHEAD
from cardhub.cli.output import ProgressCounter
from cardhub.lab.match.blocks import count_games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_folder import prepare, write_study
from cardhub.lab.study.study_request import StudyRequest
from cardhub.lab.study.study_schema import StudyResult
from cardhub.plugins.registry import PluginRegistry


@dataclass(frozen=True, slots=True)
class PlannedStudy:
    """A study to play: its folder and request."""

    folder: Path
    request: StudyRequest


class _Progress(Watcher):
    """Counts the games of a match on a terminal."""

    def __init__(self, name: str, match: Match) -> None:
        self._counter = ProgressCounter("{}: {} of {} games")
        self._name, self._done, self._total = name, 0, count_games(match)

    def begin(self, state: MatchState) -> None:
        self._done = 0

    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._done += 1
        if timing is not None:
            self._counter(self._name, self._done, self._total)

    def clear(self) -> None:
        """Erase the line."""
        self._counter.clear()


def play_and_study(
    each: PlannedStudy, registry: PluginRegistry, workers: int, *, is_played: bool
) -> StudyResult:
    """Play a study, or with `is_played` false only read its logs; write and return its figures.

    Raises CardhubError.
    """
    parts = prepare(each.folder, each.request, registry)
    make, ahead = make_executor(workers), AHEAD * workers if workers > 1 else 1
    for folder, match in parts if is_played else ():
        watcher = _Progress(str(folder), match)
        try:
            run(match, registry, folder, RunOptions(make, ahead, watcher))
        except MatchError as error:
            fix = "fix: --no-play studies the games so far"
            raise MatchError(f"{error}\n{fix}") from error
        except KeyboardInterrupt:
            with suppress(OSError):  # the terminal may be closed
                told = f"\nInterrupted: {each.folder} has the games so far. "
                echo(f"{told}The same command continues; --no-play studies them.", err=True)
            raise
        finally:
            watcher.clear()
    progress = ProgressCounter("games replayed: {} of {}")
    try:
        result = study_of(each.request, parts, registry, StudyOptions(make, ahead, progress))
    finally:
        progress.clear()
    write_study(each.folder, result)
    return result
