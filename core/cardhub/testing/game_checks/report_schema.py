"""Schema of `cardhub check GAME --json`; docs/game-checks.md explains the fields."""

from typing import Literal

from msgspec import Struct

from cardhub.model.table.settings import Value
from cardhub.testing.checking import FaultyLine
from cardhub.testing.speeds import Rates

# Version of the form; it grows when a field changes its meaning or goes.
FORMAT = 1


class PlayedAction(Struct, frozen=True):
    """An action of a random game in the notation of records; chance has no seat number."""

    seat: int | Literal["chance"]
    action: str


class FaultyPosition(Struct, frozen=True):
    """The position of a random game in which a check failed."""

    seed: int
    players: int
    options: dict[str, Value]
    actions: tuple[PlayedAction, ...]


class Fault(Struct, frozen=True):
    """A failed check: its first occurrence, and the number of all.

    `remedy` says how to meet the requirement, `section` names the part of docs/game-reference.md
    about it. `lines` has the most likely lines first, and none if the check cannot name any.
    `reproduce` is the command that finds the fault again.
    """

    problem: str
    remedy: str
    section: str
    count: int
    lines: tuple[FaultyLine, ...]
    place: FaultyPosition | None
    reproduce: str


class CheckResult(Struct, frozen=True):
    """The result of one check; `promise` is its requirement, `skipped` why it has no result."""

    name: str
    promise: str
    result: Literal["ok", "failed", "skipped"]
    skipped: str | None
    finding: Fault | None


class CheckedGame(Struct, frozen=True):
    """The results of all checks of a game; speeds are measured only if it passes."""

    format: int
    game: str
    passed: bool
    games: int
    records: int
    games_per_second: float | None
    actions_per_second: float | None
    determinizations_per_second: Rates | None
    iterations_per_second: Rates | None
    unreached: tuple[str, ...]
    checks: tuple[CheckResult, ...]
