"""Run all checks of a game on random games, collect their findings, and report them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import inf
from pathlib import Path
from time import monotonic, process_time
from traceback import walk_tb
from typing import Any

import msgspec

from cardhub.base.errors import CardhubError, DeterminizationError
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.errors.source_lines import CORE_FOLDER, SourceLine, raising_line
from cardhub.bots.deadline import deadlines, record_signals
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.testing.checking import (
    CheckRunner,
    ConformanceError,
    FaultyLine,
    UnfinishedError,
    error_line,
    run_limited,
    run_or_raise,
)
from cardhub.testing.coverage import Coverage, rounds
from cardhub.testing.game_checks.contract import PAGE, PROMISES, Promise
from cardhub.testing.game_checks.determinization_bias import check_guesses
from cardhub.testing.game_checks.display_checks.comparisons import Comparison
from cardhub.testing.game_checks.display_checks.table_plan import check_plan, check_room
from cardhub.testing.game_checks.playout_checks import check_goal, check_playout, check_teams
from cardhub.testing.game_checks.record_checks import CUTS, check_golden, check_record
from cardhub.testing.game_checks.report_schema import Fault, FaultyPosition
from cardhub.testing.game_checks.slips.check_slips import check_source
from cardhub.testing.game_checks.state_checks import (
    check_deal_is_blind,
    check_deal_is_fair,
    check_lesson,
    check_options,
    check_rules_page,
)
from cardhub.testing.location import Location, trace
from cardhub.testing.random_play import Position, Trial, changed_options, default_trial
from cardhub.testing.rule_examples.run_examples import check_examples
from cardhub.testing.speeds import Speed, measure

# The folder of the checks.
CHECKS_FOLDER = str(Path(__file__).parents[1] / "_")[:-1]
# The suite stops after as many games that an error of the rules ended.
MOST_FAULTY_GAMES = 3

# The most games of check_guesses with the default number of players.
GUESS_GAMES = 150
# Its games for each round of random games, and with other numbers of players.
FEWER_GUESS_GAMES = 50

# Thoroughly checked positions of a game, and determinizations of each per viewer: with default
# options, with changed ones, and in later rounds.
MANY, SOME, FEW = (3, 2), (2, 2), (1, 1)


# The part of a suite's time that random games get; the rest is for checks that come after them.
PLAY_SHARE = 0.75
# The part of a suite's time that one check gets, as processor time; and without such a time.
CHECK_SHARE, MOST_SECONDS = 0.25, 60.0
# A check that can end early does so after this part of its time.
EARLY = 0.8


class SuiteClock:
    """The clock of a suite: when its present part ends, and how long each check may take.

    `check_seconds` is the processor time of each check. Without `seconds` the suite does not end by
    the clock.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.part_ends = self._ends = inf if seconds is None else monotonic() + seconds
        self.check_seconds = MOST_SECONDS if seconds is None else seconds * CHECK_SHARE

    @property
    def is_limited(self) -> bool:
        """Whether the suite ends by the clock."""
        return self._ends < inf

    @property
    def is_over(self) -> bool:
        """Whether the present part has ended."""
        return monotonic() >= self.part_ends

    def begin_part(self, share: float) -> None:
        """Begin a part that lasts for a share of the time that is left."""
        now = monotonic()
        self.part_ends = now + (self._ends - now) * share

    def early_end(self) -> Callable[[], bool]:
        """Return a function that says whether a check that begins now should end early."""
        now, used = monotonic(), process_time()
        ends, most = now + (self.part_ends - now) * EARLY, used + self.check_seconds * EARLY
        return lambda: monotonic() >= ends or process_time() >= most


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game fulfils the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    run_suite(game, SuiteClock(), games, seed, run_or_raise, Coverage(game))


def run_suite(
    game: Game[Any],
    clock: SuiteClock,
    most: int,
    seed: int,
    run: CheckRunner,
    coverage: Coverage,
    watch: Callable[[int], None] = lambda played: None,
) -> None:
    """Run all checks; see check_game. `watch` is called with the number of played games.

    There are `most` rounds of random games, or as many as fit a clock that is limited: the same
    games, except that these end after any game.
    """
    if why := why_no_determinizations(game):
        raise DeterminizationError(why)
    with deadlines():
        clock.begin_part(PLAY_SHARE)
        faulty = 0
        every = rounds(game, seed)
        limited = every if clock.is_limited else islice(every, most)
        for number, trial in enumerate(chain.from_iterable(limited)):
            # Rules that fail in every game would give the same finding for hundreds of them.
            if number and (clock.is_over or faulty == MOST_FAULTY_GAMES):
                break
            is_sound = check_trial(game, trial, run, coverage, is_first=not trial.round)
            watch(number + 1)
            faulty += not is_sound
        for others, check in ((3, check_goal), (2, check_room), (1, check_plan)):
            clock.begin_part(1 / (1 + others))
            run(check, game, default_trial(game, game.seats.default, seed))
        _check_all_guesses(game, clock, most, seed, run)


def check_trial(
    game: Game[S],
    trial: Trial,
    run: CheckRunner,
    coverage: Coverage | None = None,
    *,
    is_first: bool,
) -> bool:
    """Check one random game; of the first with its options also the deal and a record."""
    is_default = not changed_options(game, trial)
    samples, draws = (MANY if is_default else SOME) if is_first else FEW
    if is_first:
        check_deals(game, trial, run)
    is_sound = check_playout(
        game, trial, samples, draws, run, coverage, closely=is_first and is_default
    )
    # A record takes as long as ten games, so each kind of trial has one only.
    if is_first:
        run(check_record, game, trial, CUTS if is_default else 1)
    return is_sound


def check_deals(game: Game[S], trial: Trial, run: CheckRunner = run_or_raise) -> None:
    """Check the teams and the deal of a trial."""
    run(check_teams, game, trial)
    run(check_deal_is_fair, game, trial)
    run(check_deal_is_blind, game, trial)


def _check_all_guesses(
    game: Game[Any], clock: SuiteClock, rounds_played: int, seed: int, run: CheckRunner
) -> None:
    games = GUESS_GAMES
    if not clock.is_limited:
        games = min(games, rounds_played * FEWER_GUESS_GAMES)
    others = [n for n in range(game.seats.low, game.seats.high + 1) if n != game.seats.default]
    if not clock.is_limited and rounds_played == 1:
        others = []
    for number, seats in enumerate([game.seats.default, *others]):
        clock.begin_part(1 / (1 + len(others) - number))
        most = FEWER_GUESS_GAMES if number else games
        run(check_guesses, game, default_trial(game, seats, seed), most, clock.early_end())


# The subject of a check; None for the game itself.
Subject = Trial | Position[Any] | Comparison[Any] | None

# Checks of every step: without them no game goes on, so only the clock of the suite ends them.
STEPS = (
    "rules",
    "seat",
    "cards",
    "legal",
    "apply",
    "clone",
    "shuffles",
    "scores",
    "ranges",
    "weights",
)
# How often a check may find a call that does not return until it is not run any more.
MOST_LATE = 3
# The part of the time of a call that it gets once a call has not returned.
LATER = 0.1
# What to do about a fault of a check itself.
OWN_REMEDY = (
    "report this to the developers of cardhub, unless a method of the game returns another type "
    "of value than the contract names"
)
# The part of a suite's time in which speeds are measured, and the most seconds for each of them.
SPEED_SHARE, SPEED_SECONDS = 0.02, 0.3


@dataclass(frozen=True, slots=True)
class GameFinding:
    """A violation of the contract: its first occurrence, and the number of all.

    `record` are the lines of a record up to the location, none if no record could be written.
    `source_lines` are lines of the game, the most likely ones first.
    `is_own_fault`: the check itself failed, which need not be a fault of the game.
    """

    check: str
    game: str
    problem: str
    location: Location | None = None
    record: tuple[str, ...] = ()
    count: int = 1
    source_lines: tuple[FaultyLine, ...] = ()
    is_own_fault: bool = False

    @property
    def promise(self) -> Promise:
        """The requirement that the check tests."""
        return PROMISES[self.check]

    @property
    def remedy(self) -> str:
        """What to do: meet the requirement, unless the check itself failed."""
        return OWN_REMEDY if self.is_own_fault else self.promise.remedy

    @property
    def again(self) -> str:
        """The command that reproduces the finding."""
        if self.location is None:
            return f"cardhub check {self.game}"
        # The choices of a directed game depend on all games before it.
        rounds = self.location.rounds
        return (
            f"cardhub check {self.game} --seed {self.location.seed + 1 - rounds} --games {rounds}"
        )

    def lines(self) -> list[str]:
        """Return the lines of the finding as strings, one fact per line."""
        often = f" ({self.count} times, first here)" if self.count > 1 else ""
        where = [f"where: {self.location.brief()}"] if self.location else []
        section = f"contract: {self.promise.section!r} in {PAGE}"
        fix = f"fix: {self.remedy}"
        return [self.problem + often, fix, section, *where, f"reproduce: {self.again}"]

    def __str__(self) -> str:
        text = "".join(f"\n  {line}" for line in self.lines())
        return f"{self.check}: {self.promise.sentence}{text}"

    @property
    def fault(self) -> Fault:
        """The finding as a part of a report."""
        place = None
        if self.location:
            place = msgspec.convert(self.location.facts(), FaultyPosition)
        return Fault(
            self.problem,
            self.remedy,
            self.promise.section,
            self.count,
            self.source_lines,
            place,
            self.again,
        )

    def facts(self) -> dict[str, Any]:
        """Return the finding as a dict of JSON values."""
        facts: dict[str, Any] = msgspec.to_builtins(self.fault)
        return facts


@dataclass(frozen=True, slots=True)
class GameReport:
    """Results of all checks of a game.

    There is one finding per failed check; `skipped` has reasons by check. `games` and `records`
    count the random games and the replayed records. `speed` is only measured without findings.
    `unreached` are sentences about parts of the game that no random game reached.
    """

    game: str
    games: int
    records: int
    speed: Speed | None
    findings: tuple[GameFinding, ...]
    skipped: Mapping[str, str]
    unreached: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the report has no findings."""
        return not self.findings

    def finding(self, check: str) -> GameFinding | None:
        """Return the finding of a check, or None if it passed or was skipped."""
        return next((finding for finding in self.findings if finding.check == check), None)


def inspect_game(
    game: Game[Any],
    *,
    games: int = 2,
    seconds: float | None = None,
    seed: int = 0,
    records: Path | None = None,
    is_measured: bool = True,
    watch: Callable[[int], None] = lambda played: None,
) -> GameReport:
    """Run all checks of a game, also after failures, and return the findings.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed, or in the same order as many as there is time for. The first of each are
    uniformly random, later ones are directed at rare actions. Then replays the records in the
    folder `records`. `seconds` are for all of it. `is_measured` says whether speeds are measured,
    which takes a second. `watch` is called with the number of played games.
    """
    findings = GameFindings(game, SuiteClock(seconds and seconds * (1 - 4 * SPEED_SHARE)))
    is_sound = findings(check_source, game, None)
    for check in (check_rules_page, check_examples, check_lesson):
        findings(check, game, None)
    # Without valid defaults no random game can be set up; with a slip its faults would hide it.
    if findings(check_options, game, None) and is_sound:
        findings.run_suite(games, seed, watch)
    paths = sorted(records.glob("*.jsonl")) if records else []
    for path in paths:
        findings(check_golden, game, None, path)
    if not paths:
        findings.skipped["golden"] = f"there is no record in {records or 'a folder for them'}"
    speed_seconds = min(SPEED_SECONDS, (seconds or inf) * SPEED_SHARE)
    return GameReport(
        game.name,
        findings.games,
        len(paths),
        measure(game, seed, speed_seconds) if is_measured and not findings.by_check else None,
        findings.root_causes(),
        findings.inconclusive() | findings.skipped,
        findings.coverage.unreached() if findings.games else (),
    )


class GameFindings:
    """A CheckRunner that collects findings instead of raising the exception of the first one.

    A check whose time is over is not run any more, and all others are.
    """

    def __init__(self, game: Game[Any], clock: SuiteClock | None = None) -> None:
        self.games = 0
        self.by_check: dict[str, GameFinding] = {}
        self.skipped: dict[str, str] = {}
        self.coverage = Coverage(game)
        self._game = game
        self._clock = clock or SuiteClock()
        # No check is called "end" or "time": playing a random game raises them.
        self._made = {"time", "end"}
        self._used, self._nested = defaultdict[str, float](float), 0.0
        self._late = Counter[str]()
        self._is_cut_short = False
        self._received: list[int] | None = None

    def __call__(
        self, check: Callable[..., object], game: Game[Any], subject: Any, *more: Any
    ) -> bool:
        """Run a check; return True also if it has no result."""
        name = check.__name__.removeprefix("check_")
        # Its failure would only be a consequence, and hide the cause among many findings.
        if self.by_check.keys() & PROMISES[name].after or not self._has_time(name):
            return True
        began, nested = process_time(), self._nested
        try:
            return self._run(name, check, game, subject, *more)
        finally:
            used = process_time() - began
            # Without the checks within it, which have times of their own.
            self._used[name] += used - (self._nested - nested)
            self._nested = nested + used

    def run_suite(self, rounds: int, seed: int, watch: Callable[[int], None]) -> None:
        """Run the checks on random games: so many rounds, or as many as fit the clock."""

        def count(played: int) -> None:
            self.games = played
            watch(played)

        with record_signals() as self._received:
            run_suite(self._game, self._clock, rounds, seed, self, self.coverage, count)
        self._received = None

    def root_causes(self) -> tuple[GameFinding, ...]:
        """Return the findings that no other finding explains, basic ones first."""
        return tuple(
            self.by_check[c] for c in PROMISES if c in self.by_check and not self._causes(c)
        )

    def inconclusive(self) -> dict[str, str]:
        """Return a dict from the checks without a result to the reasons."""
        reasons = {}
        for check in PROMISES:
            causes = self._causes(check)
            if causes:
                reasons[check] = f"not checked because {causes[0]} failed"
            elif self._late[check] and check not in self.by_check:
                reasons[check] = "not checked because time failed"
            elif check not in self._made and check not in self.by_check:
                reasons[check] = self._why_without_result(check)
        return reasons

    def _run(
        self,
        name: str,
        check: Callable[..., object],
        game: Game[Any],
        subject: Any,
        *more: Any,
    ) -> bool:
        received = self._received
        seconds = inf if name in STEPS else self._clock.check_seconds - self._used[name]
        part = LATER if "time" in self.by_check else 1.0
        ends = self._clock.part_ends
        try:
            # Nested checks and the checks of a suite share one recording, which takes longer than
            # many.
            with record_signals() if received is None else nullcontext(received) as received:
                run_limited(check, game, subject, *more, part=part, seconds=seconds, ends=ends)
        except UnfinishedError:
            self._is_cut_short |= self._clock.is_over
            return True
        except ConformanceError as error:
            self._late[name] += error.check == "time"
            self._made.add(name)
            self._add(error.check, error.problem, subject, error.lines or _raised_by(error))
        except (Exception, SystemExit) as error:  # third-party rules may raise anything
            if received:  # SIGTERM to this program, not a fault of the game
                raise
            self._made.add(name)
            if line := check_line(error):
                problem = f"cardhub's own check fails: {describe_exception(error)} ({line})"
                self._add(name, problem, subject, (), is_own_fault=True)
            else:
                self._add(name, f"it fails: {error_line(error)}", subject, _raised_by(error))
        else:
            self._made.add(name)
            return True
        return False

    def _has_time(self, name: str) -> bool:
        if self._clock.is_over:
            self._is_cut_short = True
            return False
        is_spent = name not in STEPS and self._used[name] >= self._clock.check_seconds
        return not is_spent and self._late[name] < MOST_LATE

    def _why_without_result(self, check: str) -> str:
        if self._used[check] >= self._clock.check_seconds:
            seconds = self._clock.check_seconds
            return f"{seconds:g} seconds of processor time were not enough for it"
        return "there was no time for it" if self._is_cut_short else "no game reached it"

    def _causes(self, check: str) -> list[str]:
        return [cause for cause in PROMISES[check].after if cause in self.by_check]

    def _add(
        self,
        check: str,
        problem: str,
        subject: Subject,
        lines: tuple[FaultyLine, ...],
        *,
        is_own_fault: bool = False,
    ) -> None:
        first = self.by_check.get(check)
        # A fault of the check must not hide one of the game.
        if first is not None and first.is_own_fault <= is_own_fault:
            named = {(line.file, line.line) for line in first.source_lines}
            more = tuple(line for line in lines if (line.file, line.line) not in named)
            self.by_check[check] = replace(
                first, count=first.count + 1, source_lines=(*first.source_lines, *more)
            )
            return
        where = subject.position if isinstance(subject, Comparison) else subject
        location, record = (None, ()) if where is None else trace(self._game, where)
        self.by_check[check] = GameFinding(
            check, self._game.name, problem, location, record, 1, lines, is_own_fault
        )


def check_line(error: BaseException) -> SourceLine | None:
    """Return the line of a check that raised an error, None if code of the game took part.

    An error of cardhub itself is None, too, because it describes what the game returned.
    """
    if isinstance(error, CardhubError) or _raised_by(error):
        return None
    frames = [
        SourceLine(frame.f_code.co_filename, number)
        for frame, number in walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(CORE_FOLDER)
    ]
    is_in_check = bool(frames) and frames[-1].path.startswith(CHECKS_FOLDER)
    return frames[-1] if is_in_check else None


def _raised_by(error: BaseException) -> tuple[FaultyLine, ...]:
    """Return the line of the game that raised an error, or one of its causes, with the error."""
    chain, cause = [error], error.__cause__ or error.__context__
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    for raised in reversed(chain):
        if line := raising_line(raised.__traceback__):
            return (FaultyLine.at(line, describe_exception(raised)),)
    return ()
