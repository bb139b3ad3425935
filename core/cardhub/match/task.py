"""One game of a match before and after it is played, as plain data that any process can take."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from cardhub.bots.external.sandbox import Sandbox
from cardhub.match.spec import Policy
from cardhub.table.settings import Value

End = Literal["over", "fault", "steps"]
"""How a game came to its end: by its rules, by a bot's fault, or by having gone on too long."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at a seat: a bot's id, its spec, and what seeds it.

    `substitute` seeds whoever plays on in its place: after a fault, or from the beginning if it
    `is_absent`, having been withdrawn.
    """

    bot: str
    use: str
    generator: str
    substitute: str
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What keeps a game from lasting for ever, and what becomes of it after a fault."""

    guard_seconds: float | None
    bank_seconds: float | None
    most_steps: int
    policy: Policy
    substitute: str


@dataclass(frozen=True, slots=True)
class Confined:
    """Which bots get a process of their own: pairs of a game and a spec; and their sandbox."""

    bots: frozenset[tuple[str, str]] = frozenset()
    sandbox: Sandbox | None = None


NOT_CONFINED = Confined()


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played.

    `contest`, `deal` and `bots` say to which block it belongs; `directories` are those of plugins.
    What seeds its bots may be told if it `is_salted`: nobody finds another seed by it then.
    The bots that are `confined` get a process of their own; with `in_processes` every bot does, so
    that it can end no other's.
    """

    id: str
    contest: str
    deal: int
    bots: tuple[str, ...]
    vary: Mapping[str, Value]
    game: str
    rules: Mapping[str, Value]
    seed: str
    seats: tuple[Seat, ...]
    limits: Limits
    directories: tuple[Path, ...] = ()
    in_processes: bool = False
    is_salted: bool = False
    confined: Confined = NOT_CONFINED

    def carefully(self) -> "GameTask":
        """Return the same game, with bots in processes of their own."""
        return replace(self, in_processes=True)

    def differences(self, result: "GameResult") -> Iterator[str]:
        """Yield what in a result is not of this game."""
        planned = {
            "contest": self.contest,
            "deal": self.deal,
            "bots": self.bots,
            "vary": self.vary,
            "seed": self.seed or result.seed,  # empty while the secret of the match is not known
            "seats": tuple(seat.bot for seat in self.seats),
            "absent": tuple(n for n, seat in enumerate(self.seats) if seat.is_absent),
        }
        return differing(planned, result)


@dataclass(frozen=True, slots=True)
class FaultNote:
    """That a bot was at fault: where it sat, in which way, and after how many actions."""

    seat: int
    bot: str
    fault: str
    step: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that was played; nothing in it depends on where, when or how fast.

    `contest`, `deal` and `bots` are those of the block, `seats` the bots by seat. `cards` is the
    deal and `moves` are the actions as records write them: seat and notation, `chance` and
    notation, or `chance` and the names of shuffled cards. `scores` are the game's own, `places`
    those that count: bots at fault are last. `absent` are the seats of withdrawn bots.
    """

    id: str
    contest: str
    deal: int
    bots: tuple[str, ...]
    vary: Mapping[str, Value]
    seed: str
    seats: tuple[str, ...]
    absent: tuple[int, ...]
    cards: tuple[str, ...]
    moves: tuple[tuple[Any, Any], ...]
    end: End
    steps: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[FaultNote, ...]

    @property
    def faulty(self) -> tuple[int, ...]:
        """The seats whose bots were at fault."""
        return tuple(note.seat for note in self.faults)


@dataclass(frozen=True, slots=True)
class Timing:
    """What differs whenever a game is played: seconds, also by bot id, and where it was."""

    id: str
    seconds: float
    bots: Mapping[str, "Spent"]
    host: str
    process: int


@dataclass(frozen=True, slots=True)
class Spent:
    """The seconds a bot took for its answers: in all, for the longest, and how many there were."""

    seconds: float = 0.0
    longest: float = 0.0
    answers: int = 0

    def joined(self, other: "Spent") -> "Spent":
        """Return the sum over two seats."""
        longest = max(self.longest, other.longest)
        return Spent(self.seconds + other.seconds, longest, self.answers + other.answers)


@dataclass(frozen=True, slots=True)
class Played:
    """What comes back from a worker; `reproductions` are the faults as JSON, by their number."""

    result: GameResult
    timing: Timing
    reproductions: tuple[dict[str, Any], ...] = ()


def differing(true: Mapping[str, Any], result: GameResult) -> Iterator[str]:
    """Yield which fields of a result have not their true values."""
    for key, value in true.items():
        if getattr(result, key) != value:
            yield f"{key} should be {_short(value)}, not {_short(getattr(result, key))}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:99] + "…"


def player_names(bots: Sequence[str]) -> list[str]:
    """Return what the players of a game are called: their bots, numbered from the second on."""
    copies = [list(bots[:seat]).count(bot) for seat, bot in enumerate(bots)]
    return [f"{bot}#{n + 1}" if n else bot for bot, n in zip(bots, copies, strict=True)]
