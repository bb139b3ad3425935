"""Findings of the checks of a bot, for people and for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cardhub.testing.location import Location

# All checks of a bot by name, with their requirements.
CHECKS: Mapping[str, str] = {
    "handshake": "it can be made, and closed after a game",
    "answers": "it answers whenever it is asked",
    "legality": "its answers are legal actions",
    "observation": "it does not change its observation",
    "time": "it keeps its time",
    "seed": "the same seed gives the same answers",
    "memory": "it keeps nothing from one game to the next",
    "secrecy": "cards that its seat cannot see do not change its answers",
    "reach": "it reaches for no frames, no referee and none of the core's functions",
    "policy": "its `policy` returns probabilities, and it takes no action without one",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed check of a bot: its first occurrence, and the number of all.

    Unlike a GameFinding it says what was `expected`, because bots have no contract by section.
    """

    check: str
    game: str
    problem: str
    expected: str
    location: Location | None = None
    count: int = 1

    def __str__(self) -> str:
        often = f" ({self.count} times, first here)" if self.count > 1 else ""
        where = f"{self.game}, {self.location}" if self.location else self.game
        head = f"{self.check}: {self.problem}{often}"
        return f"{head}\n  expected: {self.expected}\n  where: {where}"

    def facts(self) -> dict[str, Any]:
        """Return the finding as a dict of JSON values."""
        place = self.location.facts() if self.location else None
        return {
            "what": self.problem,
            "expected": self.expected,
            "count": self.count,
            "place": place,
        }


@dataclass(frozen=True, slots=True)
class BotReport:
    """Results of all checks of a bot in one game.

    There is one finding per failed check; `skipped` has reasons by check. `seconds` are the times
    of its answers, one for each position of the `games`; a GameReport has speeds and records.
    """

    game: str
    games: int
    seconds: tuple[float, ...]
    findings: tuple[Finding, ...]
    skipped: Mapping[str, str]

    @property
    def positions(self) -> int:
        """Number of positions at which the bot was asked, repetitions not counted."""
        return len(self.seconds)

    @property
    def passed(self) -> bool:
        """Whether the report has no findings."""
        return not self.findings

    def finding(self, check: str) -> Finding | None:
        """Return the finding of a check, or None if it passed or was skipped."""
        return next((finding for finding in self.findings if finding.check == check), None)


@dataclass(slots=True)
class BotFindings:
    """Findings in one game: the first of each check, with the number of all."""

    game: str
    by_check: dict[str, Finding] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def add(
        self, check: str, problem: str, expected: str, location: Location | None = None
    ) -> None:
        """Add a finding, or count it if the check has one already."""
        # A failure wins over a reason to skip: the check has been run after all.
        self.skipped.pop(check, None)
        first = self.by_check.get(check)
        if first is None:
            self.by_check[check] = Finding(check, self.game, problem, expected, location)
        else:
            self.by_check[check] = replace(first, count=first.count + 1)

    def skip(self, checks: Iterable[str], reason: str) -> None:
        """Skip checks, except those with a finding."""
        self.skipped.update((check, reason) for check in checks if check not in self.by_check)

    def in_order(self) -> tuple[Finding, ...]:
        """Return the findings in the order of CHECKS."""
        return tuple(self.by_check[check] for check in CHECKS if check in self.by_check)
