"""Inspect a game: run all checks, collect their findings, and report them."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cardhub.bots.signals import record_signals
from cardhub.model.game.game import Game
from cardhub.testing.checking import ConformanceError, error_line, run_limited
from cardhub.testing.coverage import Coverage
from cardhub.testing.game_checks.contract import PAGE, PROMISES, Promise
from cardhub.testing.game_checks.display_checks.comparisons import Comparison
from cardhub.testing.game_checks.game_suite import PlayBudget, run_suite
from cardhub.testing.game_checks.record_checks import check_golden
from cardhub.testing.game_checks.setup_checks import check_lesson, check_options, check_rules_page
from cardhub.testing.location import Location, Trace, trace
from cardhub.testing.random_play import Position, Trial
from cardhub.testing.speeds import Speed, measure

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
