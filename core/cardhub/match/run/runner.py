"""Running a match: from where its log ends to its own end."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cardhub.errors import MatchError
from cardhub.match.blocks import Block, Games
from cardhub.match.log.match_log import GAMES, Log, header_of, open_log, read_games, reserved
from cardhub.match.log.result_file import (
    Analyse,
    forget_result,
    no_statistics,
    result_of,
    write_result,
)
from cardhub.match.provenance import clocked, versions_of
from cardhub.match.run.confinement import confined
from cardhub.match.run.dispatcher import Crew
from cardhub.match.run.executors import InProcess, MakeExecutor
from cardhub.match.run.match_state import Course
from cardhub.match.run.signals import Interrupted, Interrupts, breakable
from cardhub.match.secret import forget_secret, keep_secret, with_secret
from cardhub.match.spec import Match
from cardhub.match.task import GameResult, Played, Timing
from cardhub.plugins.registry import PluginRegistry


class Watcher(Protocol):
    """Whoever looks on while a match is played, such as a live display."""

    def begin(self, course: Course) -> None:
        """See the course of the match before its first game."""
        ...

    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        """See a finished block; games are missing from it if somebody was withdrawn."""
        ...

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See a game that was taken; `timing` is None if it was in the log already."""
        ...

    def wait(self) -> None:
        """Do something else; called several times a second while a game is waited for."""
        ...


class Nobody:
    """A Watcher that does not care."""

    def begin(self, course: Course) -> None:
        """See Watcher."""

    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        """See Watcher."""

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher."""

    def wait(self) -> None:
        """See Watcher."""


@dataclass(frozen=True)
class Running:
    """How a match is run; nothing of it changes what is played.

    `ahead` is how many games may be under way at a time; of short games, how many handfuls.
    """

    make: MakeExecutor = InProcess
    ahead: int = 1
    watcher: Watcher = field(default_factory=Nobody)
    analyse: Analyse = no_statistics


ALONE = Running()


def run(match: Match, registry: PluginRegistry, folder: Path, how: Running = ALONE) -> Course:
    """Play a match, or what is left of it, and return its course.

    Every block is in the log of `folder` before the next one is taken. `result.json` is written at
    the end, and when a signal or an error ends the run: one that has a handler, such as Ctrl-C, is
    given to that at a moment at which nothing can be lost. Raises MatchError.
    """
    unsure, versions = clocked(match, registry), versions_of(match, registry)
    apart = confined(match, registry, folder)
    with reserved(folder):
        match = with_secret(match, folder)
        with open_log(folder, header_of(match, versions)) as log:
            games = Games(match, registry.directories, apart)
            return _run(match, games, log, unsure, how)


def _run(match: Match, games: Games, log: Log, unsure: list[str], how: Running) -> Course:
    folder = log.folder
    course = caught_up(match, games, folder, how.watcher)
    if match.salt is not None and not course.is_over:
        keep_secret(folder, match.salt)
    with Interrupts() as signals:
        try:
            _play(course, log, how, signals)
        finally:
            with nullcontext() if signals.have_come else breakable():
                if log.is_behind:  # left in the midst of a block, which the log has nothing of
                    course = caught_up(match, games, folder, Nobody())
                write_result(folder, result_of(match, course, folder, unsure, how.analyse))
    forget_secret(folder)
    return course


def caught_up(match: Match, games: Games, folder: Path, watcher: Watcher) -> Course:
    """Return the course of a match with all games of its log taken.

    Raises MatchError at the first line that is not the game that comes next.
    """
    course = Course(match, games, watcher.block)
    watcher.begin(course)
    for number, result in read_games(folder):
        try:
            course.take(result)
        except MatchError as error:
            raise MatchError(f"{folder / GAMES}:{number}: {error}") from error
        watcher.game(result, None)
    return course


def _play(course: Course, log: Log, how: Running, signals: Interrupts) -> None:
    if not course.is_over:
        forget_result(log.folder)  # what it says will not be true any more

    def tick() -> None:
        signals.pass_on()
        how.watcher.wait()

    dropped: list[Played] = []  # their deals may be played again until the match is over
    with Crew(how.make, tick, how.ahead) as crew:
        try:
            while tasks := course.upcoming(crew.reach):
                dropped += crew.want(tasks)
                _take(course, log, crew.result(tasks[0]), how.watcher)
                signals.pass_on()
        except (Interrupted, KeyboardInterrupt, SystemExit):
            while (tasks := course.upcoming(1)) and crew.is_played(tasks[0]):
                _take(course, log, crew.result(tasks[0]), how.watcher)
            raise
        for played in (*dropped, *crew.want(())):
            log.set_aside(played)


def _take(course: Course, log: Log, played: Played, watcher: Watcher) -> None:
    log.hold(played)
    course.take(played.result)
    if _may_be_shown(course, played.result):
        log.commit()
    watcher.game(played.result, played.timing)


def _may_be_shown(course: Course, result: GameResult) -> bool:
    """Return whether the cards of the last game may be read: none that is left to play has them.

    Other groups of bots follow on the same deal. Without a secret that is no reason to wait, as the
    deal follows from the match file.
    """
    if not course.is_between_blocks:
        return False
    coming = course.upcoming(1)
    return not (coming and coming[0].is_salted and coming[0].seed == result.seed)
