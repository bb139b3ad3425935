"""A match as data: who plays what, in which order, and until when."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Literal

from cardhub.table.settings import Value

Seating = Literal["full", "rotation", "balanced"]
Score = Literal["rank", "win"]
Mode = Literal["round_robin", "gauntlet", "racing"]
Policy = Literal["loss", "substitute"]
Missing = Literal["absent", "loss"]
Fill = Literal["none", "mirror", "bots"]
Isolate = Literal["auto", "yes", "no"]

ENDLESS = 1 << 62
"""More blocks than any match has."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of a match: what it is called there, its spec, and the contests it plays in."""

    id: str
    use: str
    plays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """One game of a match: its rules, how many play, and how a block is made of it.

    `rules` has a value for each of the game's options. Those in `mirror` take each of some values
    in turn within a block. `fill` says how two bots fill a table with more seats: `none` (as many
    bots meet as there are seats), `mirror` (only those two, in several seats each) or `bots` (the
    `fillers` take what is left).
    """

    id: str
    game: str
    version: str
    players: int
    rules: Mapping[str, Value]
    mirror: Mapping[str, tuple[Value, ...]]
    seating: Seating
    fill: Fill
    fillers: tuple[str, ...]
    score: Score

    def variations(self) -> Iterator[dict[str, Value]]:
        """Yield the values of the mirrored options, one set after the other."""
        for values in product(*self.mirror.values()):
            yield dict(zip(self.mirror, values, strict=True))


@dataclass(frozen=True, slots=True)
class Order:
    """In which order blocks are played.

    `blocks` counts those of each group of bots in each contest; in a race all of them together.
    `challengers` are for a gauntlet. In a race `batch` blocks are chosen at a time, `level` is that
    at which all orders hold together, and scores within `margin` of 1/2 are too close to matter.
    """

    mode: Mode = "round_robin"
    blocks: int = 100
    challengers: tuple[str, ...] = ()
    batch: int = 8
    level: float = 0.95
    margin: float = 0.02


@dataclass(frozen=True, slots=True)
class SprtRule:
    """A test of bot `a` against bot `b` in one contest that ends the match once it is decided.

    `elo` are the two values to tell apart, normalized (per game) or logistic by `model`.
    """

    a: str
    b: str
    contest: str
    model: Literal["normalized", "logistic"]
    elo: tuple[float, float]
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class Budget:
    """What keeps games from lasting for ever; None is no limit.

    `guard_seconds` are for one answer of a bot, `bank_seconds` for all its answers in a game, and
    after `most_steps` actions a game is taken as it stands.
    """

    guard_seconds: float | None = 60.0
    bank_seconds: float | None = None
    most_steps: int = 100_000


@dataclass(frozen=True, slots=True)
class FaultRules:
    """What becomes of a game with a faulty bot in it, and of the bot.

    The bot is last in any case. `loss`: the game ends, and all others share the first place;
    `substitute`: the bot of that spec plays its seat on. A bot is withdrawn when it has been at
    fault in more than `most` games, or, having played `after` games, in more than that `share`.
    """

    two_player: Policy = "loss"
    multi_player: Policy = "substitute"
    substitute: str = "random"
    most: int = 3
    share: float = 0.1
    after: int = 20


@dataclass(frozen=True, slots=True)
class RatingRules:
    """How the report rates the bots; nothing of it changes a game."""

    anchor: Mapping[str, float] = field(default_factory=dict)
    bootstrap: int = 2000
    level: float = 0.95
    overall: tuple[str, ...] = ("mean", "nash", "kemeny")
    missing: Missing = "absent"


@dataclass(frozen=True, slots=True)
class Salt:
    """The secret of a match, and its SHA-256, which is known from the beginning.

    `secret`, in hexadecimal digits, is empty where it is not known.
    """

    sha256: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """All that a match file says.

    All games follow from `seed` alone, or if there is a `salt` from both.

    `workers` and `out`, None if the file leaves them open, change nothing of what is played; nor do
    `isolate`, which bots get a process of their own (`auto`: those that do not come with cardhub),
    and `sandbox`. `file` is where the match was read.
    """

    name: str
    seed: int
    entrants: tuple[Entrant, ...]
    contests: tuple[Contest, ...]
    order: Order
    sprt: SprtRule | None = None
    budget: Budget = Budget()
    faults: FaultRules = FaultRules()
    rating: RatingRules = RatingRules()
    salt: Salt | None = None
    workers: int | None = None
    out: str | None = None
    isolate: Isolate = "auto"
    sandbox: bool = False
    file: Path | None = field(default=None, compare=False)

    @property
    def has_unknown_secret(self) -> bool:
        """Whether its seeds cannot be known here and now."""
        return self.salt is not None and not self.salt.secret

    def entrant(self, name: str) -> Entrant:
        """Return the bot with this id."""
        return next(entrant for entrant in self.entrants if entrant.id == name)

    def contest(self, name: str) -> Contest:
        """Return the contest with this id."""
        return next(contest for contest in self.contests if contest.id == name)

    def players_of(self, contest: str) -> list[str]:
        """Return the ids of the bots in a contest, fillers included, in the order of the file."""
        return [entrant.id for entrant in self.entrants if contest in entrant.plays]
