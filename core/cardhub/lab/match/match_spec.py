"""Match specification as dataclasses; `Order` to `RatingRules` are the schema of file sections."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from cardhub.base.errors import MatchError
from cardhub.base.yamlfile import NO_KEY, NON_EMPTY, Key, NameList, NumberRange
from cardhub.model.table.settings import Value

Seating = Literal["full", "rotation", "balanced"]
Score = Literal["rank", "win", "points"]
SprtModel = Literal["normalized", "logistic", "points"]
Mode = Literal["round_robin", "gauntlet", "racing"]
Policy = Literal["loss", "substitute"]
Missing = Literal["absent", "loss"]
Fill = Literal["none", "mirror", "bots"]
Partners = Literal["same", "mixed"]
Isolate = Literal["auto", "yes", "no"]

# Types of numbers in match files.
LIMIT = NumberRange(0, float("inf"), is_closed=False, or_none=True)
OPEN_UNIT = NumberRange(0, 1, is_closed=False)
OVERALL = ("mean", "nash", "kemeny")

# Default parent folder of matches.
RUNS = Path("runs")
# Number of blocks in a match whose schedule has no end.
ENDLESS = 1 << 62


@dataclass(frozen=True, slots=True)
class Entrant:
    """Bot of a match: its id, its spec `use`, and the contests it plays in."""

    id: str
    use: str
    plays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """Game of a match: its rules, the number of players, and how its blocks are composed.

    `rules` has a value for each option of the game. Options in `mirror` take each of their values
    in turn within a block. `fill` selects the bots in the seats beyond two: `none` (as many bots
    meet as there are seats), `mirror` (copies of the same two bots) or `bots` (the `fillers`).
    `lowest_wins` and `unit` are set from the game if the score is `points`.

    `teams` has the team of each seat, and is empty if every seat is a team. The seats of a team
    have one bot. In a common cause all seats are one team, and `target` is the score to reach.
    With `partners: mixed` there are also blocks in which two bots share a team.
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
    lowest_wins: bool = False
    unit: str = "points"
    teams: tuple[int, ...] = ()
    target: int | None = None
    partners: Partners = "same"

    @property
    def parties(self) -> int:
        """The number of teams, each of which is played by one bot."""
        return len(set(self.teams)) if self.teams else self.players

    @property
    def is_common(self) -> bool:
        """Whether all seats share one score, which means that bots have no opponents."""
        return self.parties == 1

    def is_mixed(self, bots: Sequence[str]) -> bool:
        """Return whether two bots of a block share a team: there are more bots than teams."""
        return len(bots) > self.parties

    @property
    def in_points(self) -> bool:
        """Whether bots are compared by differences in points, and not by scores from 0 to 1."""
        return self.score == "points"

    @property
    def even(self) -> float:
        """The mean score of a bot against an equal one."""
        return 0.0 if self.in_points else 0.5

    def variations(self) -> Iterator[dict[str, Value]]:
        """Yield a dict for each combination of values of the mirrored options."""
        for values in product(*self.mirror.values()):
            yield dict(zip(self.mirror, values, strict=True))


@dataclass(frozen=True, slots=True)
class Order:
    """Schedule of blocks.

    `blocks` is the number for each group of bots in each contest; in a race, the total number.
    `challengers` are for a gauntlet. A race selects `batch` blocks at a time; `level` is the
    simultaneous confidence level of all orders, and scores within `margin` of 1/2 count as equal.
    """

    mode: Mode = "round_robin"
    blocks: Annotated[int, range(1, 10_000_001)] = 100
    challengers: tuple[str, ...] = ()
    batch: Annotated[int, range(1, 10_001)] = 8
    level: Annotated[float, OPEN_UNIT] = 0.95
    # With a margin of 1/2 any two bots would count as equal.
    margin: Annotated[float, NumberRange(0, 0.49)] = 0.02


@dataclass(frozen=True, slots=True)
class SprtRule:
    """Sequential probability ratio test of bot `a` against `b`; its decision ends the match.

    `elo` are the values under the two hypotheses, by `model`: normalized Elo (per game), logistic
    Elo, or mean differences in points.
    """

    a: str
    b: str
    contest: Annotated[str, Key("game")] = ""
    model: Annotated[SprtModel, NO_KEY] = "normalized"
    elo: Annotated[tuple[float, float], NO_KEY] = (0.0, 60.0)
    alpha: Annotated[float, OPEN_UNIT] = 0.05
    beta: Annotated[float, OPEN_UNIT] = 0.05


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of time and steps; None means unlimited.

    `guard_seconds` limit one action of a bot, `bank_seconds` all its actions in a game. A game is
    scored in its current state after `most_steps` actions.
    """

    guard_seconds: Annotated[float | None, LIMIT] = 60.0
    bank_seconds: Annotated[float | None, LIMIT] = None
    most_steps: Annotated[int, range(1, 10**9)] = 100_000


@dataclass(frozen=True, slots=True)
class FaultRules:
    """Policies after a fault of a bot, and when a bot is withdrawn from the match.

    The faulty bot is last in any case. `loss`: the game ends, and all others share the first place;
    `substitute`: the bot of that spec takes over the seat. A bot is withdrawn after faults in more
    than `most` games or, from `after` games on, in more than that `share` of its games.
    """

    two_player: Policy = "loss"
    multi_player: Policy = "substitute"
    substitute: Annotated[str, NON_EMPTY] = "random"
    # The field is not called `max`, which is a builtin function.
    most: Annotated[int, range(10**9), Key("max")] = 3
    share: Annotated[float, NumberRange(0, 1)] = 0.1
    after: Annotated[int, range(1, 10**9)] = 20


@dataclass(frozen=True, slots=True)
class RatingRules:
    """Parameters of the ratings; they do not change games."""

    anchor: Mapping[str, float] = field(default_factory=dict)
    # Fewer samples give no usable quantiles for an interval.
    bootstrap: Annotated[int, range(100, 1_000_001)] = 2000
    level: Annotated[float, OPEN_UNIT] = 0.95
    overall: Annotated[tuple[str, ...], NameList(OVERALL, "a list of views")] = OVERALL
    missing: Missing = "absent"


@dataclass(frozen=True, slots=True)
class Salt:
    """Secret of a match, in hexadecimal digits, and its SHA-256, published at the start.

    `secret` is the empty string if it is unknown.
    """

    sha256: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """Match as described by a match file.

    All games are derived from `seed`, or from `seed` and `salt` if there is a salt.

    `workers`, `out` (None: not set in the file), `isolate` and `sandbox` do not change games.
    `isolate` selects the bots that run in separate processes (`auto`: third-party bots). `file` is
    the path of the match file.
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
    # Not compared: a copy of the file describes the same match.
    file: Path | None = field(default=None, compare=False)

    @property
    def has_unknown_secret(self) -> bool:
        """Whether seeds cannot be derived, because the secret of the match is unknown here."""
        return self.salt is not None and not self.salt.secret

    @property
    def default_folder(self) -> Path:
        """The folder for the results if nobody names another one."""
        return Path(self.out or RUNS / self.name)

    def entrant(self, name: str) -> Entrant:
        """Return the bot with this id; raises MatchError for an unknown one."""
        for entrant in self.entrants:
            if entrant.id == name:
                return entrant
        raise MatchError(f"the match has no bot {name!r}")

    def contest(self, name: str) -> Contest:
        """Return the contest with this id; raises MatchError for an unknown one."""
        for contest in self.contests:
            if contest.id == name:
                return contest
        raise MatchError(f"the match has no game {name!r}")

    def substitute_in(self, contest: Contest) -> str:
        """Return the spec of the bot that replaces a bot at fault in a contest."""
        # The substitute's points count: with a better bot than the random one, a fault could pay.
        return "random" if contest.in_points else self.faults.substitute

    def players_of(self, contest: str) -> list[str]:
        """Return the ids of the bots in a contest, fillers included, in the order of the file."""
        return [entrant.id for entrant in self.entrants if contest in entrant.plays]
