"""Run all checks of a game on random games, collect their findings, and report them."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.bots.deadline import deadlines, record_signals
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.testing.checking import (
    CheckRunner,
    ConformanceError,
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
from cardhub.testing.game_checks.state_checks import (
    check_deal_is_blind,
    check_deal_is_fair,
    check_lesson,
    check_options,
    check_rules_page,
)
from cardhub.testing.location import Location, Trace, trace
from cardhub.testing.random_play import Position, Trial, changed_options, default_trial
from cardhub.testing.speeds import Speed, measure

# The suite stops after as many games that an error of the rules ended.
MOST_FAULTY_GAMES = 3

# Games in check_guesses with the default number of players.
GUESS_GAMES = 150
# The same with other numbers of players.
FEWER_GUESS_GAMES = 50

# Thoroughly checked positions of a game, and determinizations of each per viewer: with default
# options, with changed ones, and in later rounds.
MANY, SOME, FEW = (3, 2), (2, 2), (1, 1)


class PlayBudget(NamedTuple):
    """How much a suite plays: a number of rounds of random games, or for a number of seconds."""

    rounds: int
    seconds: float | None = None


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game fulfils the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    run_suite(game, PlayBudget(games), seed, run_or_raise, Coverage(game))


def run_suite(
    game: Game[Any],
    extent: PlayBudget,
    seed: int,
    run: CheckRunner,
    coverage: Coverage,
    watch: Callable[[int], None] = lambda played: None,
) -> None:
    """Run all checks; see check_game. `watch` is called with the number of played games.

    The games are the same for a number of rounds and for a number of seconds, except that these end
    after any game.
    """
    if why := why_no_determinizations(game):
        raise DeterminizationError(why)
    with deadlines():
        ends = inf if extent.seconds is None else monotonic() + extent.seconds
        faulty = 0
        every = rounds(game, seed)
        limited = every if extent.seconds is not None else islice(every, extent.rounds)
        for number, trial in enumerate(chain.from_iterable(limited)):
            if number and monotonic() > ends:
                break
            is_sound = check_trial(game, trial, run, coverage, is_first=not trial.round)
            watch(number + 1)
            faulty += not is_sound
            # Rules that fail in every game would give the same finding for hundreds of them.
            if faulty == MOST_FAULTY_GAMES:
                return
        for check in (check_goal, check_room, check_plan):
            run(check, game, default_trial(game, game.seats.default, seed))
        _check_all_guesses(game, seed, run, ends)


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


def _check_all_guesses(game: Game[Any], seed: int, run: CheckRunner, ends: float) -> None:
    run(check_guesses, game, default_trial(game, game.seats.default, seed), GUESS_GAMES)
    for seats in range(game.seats.low, game.seats.high + 1):
        if seats != game.seats.default and monotonic() < ends:
            run(check_guesses, game, default_trial(game, seats, seed), FEWER_GUESS_GAMES)


# The subject of a check; None for the game itself.
Subject = Trial | Position[Any] | Comparison[Any] | None

# After a finding of these the game is not played any more: each takes long to be found again.
FATAL = ("time", "end")
# The part of a time that random games get; the rest is for checks that come after them.
PLAY_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class GameFinding:
    """A violation of the contract: its first occurrence, and the number of all.

    `record` are the lines of a record up to the location, none if no record could be written.
    """

    check: str
    game: str
    problem: str
    location: Location | None = None
    record: tuple[str, ...] = ()
    count: int = 1

    @property
    def promise(self) -> Promise:
        """The requirement that the game violates."""
        return PROMISES[self.check]

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
        fix = f"fix: {self.promise.remedy}"
        return [self.problem + often, fix, section, *where, f"reproduce: {self.again}"]

    def __str__(self) -> str:
        text = "".join(f"\n  {line}" for line in self.lines())
        return f"{self.check}: {self.promise.sentence}{text}"

    def facts(self) -> dict[str, Any]:
        """Return the finding as a dict of JSON values."""
        return {
            "what": self.problem,
            "right": self.promise.remedy,
            "section": self.promise.section,
            "count": self.count,
            "place": self.location.facts() if self.location else None,
            "again": self.again,
        }


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
    option changed, or in the same order as many as there is time for in about `seconds`. The first
    of each are uniformly random, later ones are directed at rare actions. Then replays the records
    in the folder `records`. `is_measured` says whether speeds are measured, which takes a second.
    `watch` is called with the number of played games.
    """
    findings = GameFindings(game)
    findings(check_rules_page, game, None)
    findings(check_lesson, game, None)
    # Without valid defaults no random game can be set up.
    if findings(check_options, game, None):
        findings.run_suite(PlayBudget(games, seconds and seconds * PLAY_SHARE), seed, watch)
    paths = sorted(records.glob("*.jsonl")) if records else []
    for path in paths:
        findings(check_golden, game, None, path)
    if not paths:
        findings.skipped["golden"] = f"there is no record in {records or 'a folder for them'}"
    return GameReport(
        game.name,
        findings.games,
        len(paths),
        measure(game, seed) if is_measured and not findings.by_check else None,
        findings.root_causes(),
        findings.inconclusive() | findings.skipped,
        findings.coverage.unreached() if findings.games else (),
    )


@dataclass(slots=True)
class GameFindings:
    """A CheckRunner that collects findings instead of raising the exception of the first one."""

    game: Game[Any]
    games: int = 0
    by_check: dict[str, GameFinding] = field(default_factory=dict)
    # No check is called "end" or "time": playing a random game raises them.
    made: set[str] = field(default_factory=lambda: set(FATAL))
    skipped: dict[str, str] = field(default_factory=dict)
    coverage: Coverage = field(init=False)
    _received: list[int] | None = None

    def __post_init__(self) -> None:
        self.coverage = Coverage(self.game)

    def __call__(
        self, check: Callable[..., object], game: Game[Any], subject: Any, *more: Any
    ) -> bool:
        """Run a check; return True also if an earlier finding makes it meaningless."""
        if any(fatal in self.by_check for fatal in FATAL):
            return False
        name = check.__name__.removeprefix("check_")
        self.made.add(name)
        # Its failure would only be a consequence, and hide the cause among many findings.
        if self.by_check.keys() & PROMISES[name].after:
            return True
        received = self._received
        try:
            # Nested checks and the checks of a suite share one recording, which takes longer than
            # many.
            with record_signals() if received is None else nullcontext(received) as received:
                run_limited(check, game, subject, *more)
        except ConformanceError as error:
            self._add(error.check, error.problem, subject)
        except (Exception, SystemExit) as error:  # third-party rules may raise anything
            if received:  # SIGTERM to this program, not a fault of the game
                raise
            self._add(name, f"it fails: {error_line(error)}", subject)
        else:
            return True
        return False

    def run_suite(self, extent: PlayBudget, seed: int, watch: Callable[[int], None]) -> None:
        """Run the checks on random games."""

        def count(played: int) -> None:
            self.games = played
            watch(played)

        with record_signals() as self._received:
            run_suite(self.game, extent, seed, self, self.coverage, count)
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
            elif check not in self.made and check not in self.by_check:
                reasons[check] = "no game reached it"
        return reasons

    def _causes(self, check: str) -> list[str]:
        return [cause for cause in PROMISES[check].after if cause in self.by_check]

    def _add(self, check: str, problem: str, subject: Subject) -> None:
        first = self.by_check.get(check)
        if first is not None:
            self.by_check[check] = replace(first, count=first.count + 1)
            return
        where = subject.position if isinstance(subject, Comparison) else subject
        location, record = trace(self.game, where) if where is not None else Trace()
        self.by_check[check] = GameFinding(check, self.game.name, problem, location, record)
