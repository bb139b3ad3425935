"""What checks of a bot find out, for people to act on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cardhub.testing.location import Place

CHECKS: Mapping[str, str] = {
    "handshake": "it can be made, and closed after a game",
    "answers": "it answers whenever it is asked",
    "legality": "its answers are legal actions",
    "observation": "it leaves what it is shown as it was",
    "time": "it keeps its time",
    "seed": "the same seed gives the same answers",
    "memory": "it keeps nothing from one game to the next",
    "secrecy": "cards that its seat cannot see do not change its answers",
    "reach": "it reaches for no frames, no referee and none of the core's functions",
}
"""All checks of a bot by name, and what each of them makes sure of."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that a bot fails: how it did first, what was expected, and how often in all."""

    check: str
    game: str
    what: str
    expected: str
    place: Place | None = None
    count: int = 1

    def __str__(self) -> str:
        often = f" ({self.count} times, first here)" if self.count > 1 else ""
        where = f"\n  where: {self.game}, {self.place}" if self.place else f"\n  where: {self.game}"
        return f"{self.check}: {self.what}{often}\n  expected: {self.expected}{where}"

    def facts(self) -> dict[str, Any]:
        """Return the same for programs."""
        place = self.place.facts() if self.place else None
        return {"what": self.what, "expected": self.expected, "count": self.count, "place": place}


@dataclass(frozen=True, slots=True)
class BotReport:
    """What checking a bot in one game came to.

    `findings` are the checks it fails, one each; `skipped` are those that could not be made, and
    why. `seconds` are the times it took at each position of so many `games`.
    """

    game: str
    games: int
    seconds: tuple[float, ...]
    findings: tuple[Finding, ...]
    skipped: Mapping[str, str]

    @property
    def positions(self) -> int:
        """At how many positions it was asked, not counting those at which it was asked again."""
        return len(self.seconds)

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def finding(self, check: str) -> Finding | None:
        """Return what a check has found, if anything."""
        return next((found for found in self.findings if found.check == check), None)


@dataclass(slots=True)
class Findings:
    """What has been found in one game so far: of each check the first finding, and how many."""

    game: str
    found: dict[str, Finding] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def add(self, check: str, what: str, expected: str, place: Place | None = None) -> None:
        """Note that a check fails; `place` is where."""
        self.skipped.pop(check, None)
        first = self.found.get(check)
        if first is None:
            self.found[check] = Finding(check, self.game, what, expected, place)
        else:
            self.found[check] = replace(first, count=first.count + 1)

    def skip(self, checks: Iterable[str], why: str) -> None:
        """Note that checks cannot be made, unless one of them has failed already."""
        self.skipped.update((check, why) for check in checks if check not in self.found)

    def in_order(self) -> tuple[Finding, ...]:
        """Return the findings in the order of the checks."""
        return tuple(self.found[check] for check in CHECKS if check in self.found)
