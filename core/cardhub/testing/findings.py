"""What checks of a bot find out, for people to act on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from cardhub.play.seating import NAMES
from cardhub.table.settings import Value, format_value
from cardhub.table.state import CHANCE

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

LAST = 6
"""With how many actions a brief text ends."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a random game something was found.

    `options` are those of the game that are not as usual. `seat` is the bot's, if it is a bot that
    is checked; `actions` led there: who acted, a seat or CHANCE, and the action as records write
    it. `cardhub play` deals the same cards to as many players with this seed and these options.
    """

    seed: int
    players: int
    options: Mapping[str, Value]
    seat: int | None
    actions: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self._table()}, {self._path(self.actions)}"

    def brief(self) -> str:
        """Return the same with no more than the last actions."""
        left = len(self.actions) - LAST
        if left <= 0:
            return str(self)
        return f"{self._table()}, {self._path(self.actions[left:], 'in the end ')}"

    def facts(self) -> dict[str, Any]:
        """Return the same for programs."""
        actions = [
            {"seat": "chance" if seat == CHANCE else seat, "action": action}
            for seat, action in self.actions
        ]
        return {
            "seed": self.seed,
            "players": self.players,
            "options": dict(self.options),
            "seat": self.seat,
            "actions": actions,
        }

    def _table(self) -> str:
        options = "".join(f", {name}={format_value(v)}" for name, v in self.options.items())
        who = "" if self.seat is None else f", seat {self.seat} ({NAMES[self.seat]})"
        return f"seed {self.seed}, {self.players} players{options}{who}"

    def _path(self, actions: Iterable[tuple[int, str]], when: str = "") -> str:
        turns = groupby(actions, key=itemgetter(0))
        told = "; ".join(f"{_who(seat)}: {', '.join(a for _, a in turn)}" for seat, turn in turns)
        count = len(self.actions)
        many = f"{count} action" + ("s" if count != 1 else "")
        return f"after {many}: {when}{told}" if told else "before any action"


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


def _who(seat: int) -> str:
    return "chance" if seat == CHANCE else NAMES[seat]
