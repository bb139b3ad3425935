"""Playing a study: an exact number of deals, or as many as a time allows."""

from collections.abc import Callable, Sequence
from math import fsum
from pathlib import Path
from typing import NamedTuple

from typing_extensions import override

from cardhub.base.errors import MatchError
from cardhub.base.writing import amount
from cardhub.lab.match.blocks import count_games
from cardhub.lab.match.run.executors import AHEAD
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.study.comparison import DealShifts, write_shifts
from cardhub.lab.study.game_trace import trace_all
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_request import (
    LADDER,
    PLAIN,
    SEARCH,
    StudyPart,
    StudyRequest,
    prepare,
    read_part,
    write_study,
)
from cardhub.lab.study.study_schema import StudyResult
from cardhub.plugins.registry import PluginRegistry

# The parts' shares of the time of a study; a missing part leaves its share to the others.
SHARES = {PLAIN: 0.25, SEARCH: 0.55, LADDER: 0.2}
# With so many deals the score of a seat is known to about ±1.5 %: more time tells little more.
MOST_DEALS = 5000


class PlayedStudy(NamedTuple):
    """The result of a study, and its shifts by deal.

    `is_interrupted`: Ctrl-C ended it, so it has the deals until then.
    """

    result: StudyResult
    shifts: DealShifts
    is_interrupted: bool


def run_study(
    folder: Path, request: StudyRequest, registry: PluginRegistry, options: StudyOptions
) -> PlayedStudy:
    """Play a study in a folder, and write and return its figures.

    After Ctrl-C they are the figures of the deals so far; KeyboardInterrupt is raised if there is
    none. Raises CardhubError.
    """
    is_interrupted = False
    open_request = request.with_deals(dict.fromkeys(request.deals_by_part, MOST_DEALS))
    wanted = request if options.seconds is None else open_request
    try:
        if options.is_played and options.seconds is not None:
            _play_within(options.seconds, prepare(folder, wanted, registry), registry, options)
        if options.seconds is not None:
            wanted = played_request(folder, wanted, registry)
        if options.is_played:
            replays = _ReplayTime(registry.directories, 1, options.clock)
            for part in prepare(folder, wanted, registry):
                _play(part, registry, options, _PartWatcher(part, options, replays, None))
    except KeyboardInterrupt:
        is_interrupted = True
        wanted = played_request(folder, wanted, registry)
        if not any(wanted.deals_by_part.values()):
            raise
    result, shifts = study_of(wanted, prepare(folder, wanted, registry), registry, options)
    write_shifts(folder, shifts)
    write_study(folder, result)
    return PlayedStudy(result, shifts, is_interrupted)


def played_request(folder: Path, request: StudyRequest, registry: PluginRegistry) -> StudyRequest:
    """Return the request with the deals in its folder, at most its own; raises CardhubError."""
    parts = prepare(folder, request, registry)
    return request.with_deals({part.folder.name: read_part(part).deals for part in parts})


def _play_within(
    seconds: float, parts: Sequence[StudyPart], registry: PluginRegistry, options: StudyOptions
) -> None:
    """Play deals of all parts, at least one of each, so that about `seconds` pass.

    They include the time to replay the games for the figures.
    """
    begun = options.clock()
    replays = _ReplayTime(registry.directories, max(1, options.ahead // AHEAD), options.clock)
    for number, part in enumerate(parts):
        shares = [SHARES[later.folder.name] for later in parts[number:]]
        remaining = max(0.0, seconds - (options.clock() - begun) - replays.due)
        limit = remaining * shares[0] / fsum(shares)
        _play(part, registry, options, _PartWatcher(part, options, replays, limit))


def _play(
    part: StudyPart, registry: PluginRegistry, options: StudyOptions, watcher: "_PartWatcher"
) -> None:
    run_options = RunOptions(options.make, options.ahead, watcher, is_enough=watcher.is_enough)
    try:
        run(part.match, registry, part.folder, run_options)
    except MatchError as error:
        folder = part.folder.parent
        fix = (
            "fix: --no-play studies the deals so far; with another --out, "
            f"--with {folder} compares new deals with them"
        )
        raise MatchError(f"{error}\n{fix}") from error


class _ReplayTime:
    """Estimates the time to replay the games of this run, from one replay in this process."""

    def __init__(
        self, directories: tuple[Path, ...], workers: int, clock: Callable[[], float]
    ) -> None:
        self._directories, self._workers, self._clock = directories, workers, clock
        self._games = 0
        self._seconds: float | None = None

    @property
    def due(self) -> float:
        """Seconds until all these games are replayed."""
        return (self._seconds or 0.0) * self._games

    def add(self, part: StudyPart, result: GameResult) -> None:
        """Add a game; games of the ladder are not replayed."""
        if part.folder.name == LADDER or result.end != "over" or result.faults:
            return
        self._games += 1
        if self._seconds is None:
            # The first replay also loads the game.
            trace_all(part.match, (result,), self._directories)
            begun = self._clock()
            trace_all(part.match, (result,), self._directories)
            self._seconds = (self._clock() - begun) / self._workers


class _PartWatcher(Watcher):
    """Reports the games of a part, and says when they and their replays have taken `limit`."""

    def __init__(
        self, part: StudyPart, options: StudyOptions, replays: _ReplayTime, limit: float | None
    ) -> None:
        self._part, self._options, self._limit = part, options, limit
        self._total = count_games(part.match)
        self._games = 0
        self._replays, self._due_before = replays, replays.due
        self._begun = options.clock()

    @override
    def begin(self, state: MatchState) -> None:
        self._games = 0

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._games += 1
        if timing is None:  # a game of an earlier run
            return
        if self._limit is not None:
            self._replays.add(self._part, result)
        if self._limit is None:
            progress = f"{self._games} of {self._total} games"
        else:
            games = amount(self._games, "game")
            progress = f"{games}, {self._seconds():.0f} of {self._limit:.0f} s"
        self._options.on_played(str(self._part.folder), progress)

    def is_enough(self, deal: int) -> bool:
        """Return whether the time of the part is over."""
        return self._limit is not None and self._seconds() >= self._limit

    def _seconds(self) -> float:
        return self._options.clock() - self._begun + self._replays.due - self._due_before
