"""The specification of a match, as dataclasses and as canonical JSON with its SHA-256.

The identity of a match is the part of the specification that its games are derived from. A match
with the same identity and more blocks is the same match, continued.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec

from cardhub.base.errors import MatchError
from cardhub.base.yamlfile import NO_KEY, NON_EMPTY, Key, NameList, NumberRange
from cardhub.bots import TEAM, parse_spec
from cardhub.bots.processes.control_groups import ResourceLimits
from cardhub.model.table.settings import Value

Seating = Literal["full", "rotation", "balanced"]
Score = Literal["rank", "win", "points"]
SprtModel = Literal["normalized", "logistic", "points"]
Mode = Literal["round_robin", "gauntlet", "racing", "swiss", "knockout"]
Policy = Literal["loss", "substitute"]
Missing = Literal["absent", "loss"]
Fill = Literal["none", "mirror", "bots"]
Partners = Literal["same", "mixed"]
Isolate = Literal["auto", "yes", "no"]
Question = Literal["mean_score", "mean_rank", "each"]
VarianceMethod = Literal["none", "aivat"]
KnownPolicies = Literal["known", "none"]

# Types of numbers in match files.
LIMIT = NumberRange(0, float("inf"), is_closed=False, or_none=True)
OPEN_UNIT = NumberRange(0, 1, is_closed=False)
OVERALL = ("mean", "nash", "kemeny")

# Default parent folder of matches.
RUNS = Path("runs")
# Number of blocks in a match whose schedule has no end.
ENDLESS = 1 << 62


def folder_of(name: str, out: str | None) -> Path:
    """Return the folder for the results of a match if nobody names another one."""
    return Path(out or RUNS / name)


class Team(NamedTuple):
    """The folder or file of a team, and the limit for its build in seconds.

    `program`: the spec of the built bot, and `sha256`: the digest of all files of the folder; both
    are empty until the team is built.
    """

    folder: Path
    build_seconds: float
    program: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Bot of a match: its id, its spec `use`, and the contests it plays in.

    `team`: its folder, if it comes from one; the log has only its name, as `use`.
    """

    id: str
    use: str
    plays: tuple[str, ...]
    team: Team | None = field(default=None, compare=False)

    @property
    def spec(self) -> str:
        """The spec of the bot that plays: the program of a team, once it is built."""
        return (self.team and self.team.program) or self.use


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position at which games begin: the cards in token order, and the moves from the deal on.

    `moves` are as in the log. `source`: the file or game that it comes from, and `step`: how many
    actions it had taken there.
    """

    cards: tuple[str, ...]
    moves: tuple[tuple[int | str, str | tuple[str, ...]], ...]
    source: str
    step: int


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

    `openings`: the position at which the games of each deal begin; empty if they are dealt.
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
    openings: tuple[Opening, ...] = ()

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
    def is_won_by_one(self) -> bool:
        """Whether only winning counts in a game of more than two teams, and not the places."""
        return self.score == "win" and self.parties > 2

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
    In a Swiss or knock-out schedule, `blocks` is the number of a meeting; `rounds` is the number of
    Swiss rounds, or None if it follows from the number of bots, and `extra` the most further blocks
    after a tie in a knock-out.
    """

    mode: Mode = "round_robin"
    blocks: Annotated[int, range(1, 10_000_001)] = 100
    challengers: tuple[str, ...] = ()
    batch: Annotated[int, range(1, 10_001)] = 8
    level: Annotated[float, OPEN_UNIT] = 0.95
    # With a margin of 1/2 any two bots would count as equal.
    margin: Annotated[float, NumberRange(0, 0.49)] = 0.02
    rounds: Annotated[int | None, range(1, 1001)] = None
    extra: Annotated[int, range(10_001)] = 20

    @property
    def has_rounds(self) -> bool:
        """Whether bots meet in rounds, each planned from the results of those before."""
        return self.mode in ("swiss", "knockout")

    @property
    def is_adaptive(self) -> bool:
        """Whether results decide who meets next, so that pairs have different numbers of blocks."""
        return self.mode == "racing" or self.has_rounds


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
    """ResourceLimits of time and steps; None means unlimited.

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
    than that `share` of its games, from `after` games on, or in more than `most` games, which has
    no limit by default.
    """

    two_player: Policy = "loss"
    multi_player: Policy = "substitute"
    substitute: Annotated[str, NON_EMPTY] = "random"
    # The field is not called `max`, which is a builtin function.
    most: Annotated[int, range(10**9), Key("max")] = 10**9 - 1
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
class OverallRules:
    """What "better" means over several games, declared before the match.

    `mean_score`: by the mean of the scores in all games; `mean_rank`: by the mean of the scores by
    places, whatever counts in a game; `each`: in each of the games.
    """

    verdict: Question = "mean_score"


@dataclass(frozen=True, slots=True)
class VarianceRules:
    """How luck is taken out of the scores of pairs; the games are the same with any method.

    `aivat`: by chance's probabilities, and with `policies: known` also by those of bots whose
    policies are known. Declared before the match, because its sequential test depends on it.
    """

    method: VarianceMethod = "none"
    policies: KnownPolicies = "known"


@dataclass(frozen=True, slots=True)
class Salt:
    """Secret of a match, in hexadecimal digits, and its SHA-256, published at the start.

    `secret` is the empty string if it is unknown. `later`: the secrets that replaced it after
    interruptions, each with the number of the first block whose seeds follow from it.
    """

    sha256: str
    secret: str = ""
    later: tuple[tuple[int, "Salt"], ...] = ()

    def of_block(self, number: int) -> "Salt":
        """Return the secret of a block, given its number in the schedule, without later ones."""
        salts = [self, *(salt for first, salt in self.later if first <= number)]
        return replace(salts[-1], later=())

    @property
    def is_known(self) -> bool:
        """Whether the secrets of all blocks are known."""
        return all(salt.secret for salt in (self, *(salt for _, salt in self.later)))


@dataclass(frozen=True, slots=True)
class Match:
    """Match as described by a match file.

    All games are derived from `seed`, or from `seed` and `salt` if there is a salt.

    `workers`, `tokens`, `dollars`, `prices`, `out` (None: not set in the file), `isolate` and
    `sandbox` do not change games. `tokens` and `dollars`: what language models use before the match
    pauses; `prices`: the file with their prices.
    `isolate` selects the bots that run in separate processes (`auto`: third-party bots). `file` is
    the path of the match file. `absent`: the reason for each bot of the file that cannot play here.

    `limits`: what each program and each bot in a separate process may use, or None.

    `adjudicate`: whether games end once no place can change any more.

    `fresh`: whether no bot's memory outlives a game: programs and third-party bots start anew for
    each game. None: the match file does not say, or an older cardhub, whose bots lived on, has
    begun the match.

    `own_deals`: whether each pair of a race has deals of its own, so that nobody can know them from
    the games of another pair. None: it is no race, or as for `fresh`.
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
    overall: OverallRules = OverallRules()
    variance: VarianceRules = VarianceRules()
    salt: Salt | None = None
    workers: int | None = None
    tokens: int | None = None
    dollars: float | None = None
    prices: str | None = None
    out: str | None = None
    isolate: Isolate = "auto"
    sandbox: bool = False
    limits: ResourceLimits | None = None
    adjudicate: bool = False
    fresh: bool | None = None
    own_deals: bool | None = None
    # Not part of the identity: without these bots it is another match, whatever the reasons.
    absent: Mapping[str, str] = field(default_factory=dict)
    # What absent teams wrote, for them only.
    absent_details: Mapping[str, str] = field(default_factory=dict, compare=False)
    # Not compared: a copy of the file describes the same match.
    file: Path | None = field(default=None, compare=False)

    @property
    def has_unknown_secret(self) -> bool:
        """Whether some seeds cannot be derived, because a secret of the match is unknown here."""
        return self.salt is not None and not self.salt.is_known

    @property
    def has_seed_per_game(self) -> bool:
        """Whether the seed of a bot differs in all games of a deal, and cannot identify the deal.

        Without a salt all deals follow from the match file anyway.
        """
        return self.fresh is True and self.salt is not None

    def corrects(self, contest: Contest) -> bool:
        """Return whether luck is taken out of the scores of a contest: its bots are opponents."""
        return self.variance.method == "aivat" and not contest.is_common

    @property
    def teams(self) -> list[str]:
        """The bots that come from a folder of teams, absent ones included."""
        present = [entrant.id for entrant in self.entrants if is_team(entrant.use)]
        return sorted([*present, *self.absent_details])

    @property
    def default_folder(self) -> Path:
        """The folder for the results if nobody names another one."""
        return folder_of(self.name, self.out)

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


def is_team(use: str) -> bool:
    """Return whether a spec names a team."""
    return parse_spec(use).name == TEAM.name


# A constant, because json.dumps would create an encoder for each of the many digests of a game.
_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False
)


# Several times faster than `_ENCODER`, but it writes floats differently.
_PLAIN_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(data: Any) -> str:
    """Encode data as JSON on one line, keys sorted."""
    return _ENCODER.encode(data)


def digest(data: Any) -> str:
    """Return the SHA-256 of data encoded as canonical JSON, in hexadecimal digits."""
    return sha256(canonical(data).encode()).hexdigest()


def plain_json(data: Any) -> bytes:
    """Encode data without floats as `canonical` does; also structs."""
    return _PLAIN_ENCODER.encode(data)


T = TypeVar("T")

# Version of the JSON format.
FORMAT = 2
# The keys of every schedule; those without rounds lack the others, as in older matches.
ORDER_KEYS = ("mode", "blocks", "challengers", "batch", "level", "margin")


def identity_of(match: Match) -> dict[str, Any]:
    """Return the identity of a match as data for JSON."""
    order = {key: value for key, value in asdict(match.order).items() if key in ORDER_KEYS}
    if match.order.has_rounds:
        order |= {"rounds": match.order.rounds, "extra": match.order.extra}
    else:
        # A match with more blocks includes all games of the shorter one.
        del order["blocks"]
    return {
        "cardhub_match": FORMAT,
        "seed": match.seed,
        "salt": match.salt.sha256 if match.salt else None,
        "bots": [{"id": e.id, "use": e.use, "plays": e.plays} for e in match.entrants],
        "games": [_contest_data(contest) for contest in match.contests],
        "schedule": order,
        "sprt": asdict(match.sprt) if match.sprt else None,
        "budget": asdict(match.budget),
        "faults": asdict(match.faults),
        # Older matches lack these keys.
        **({} if match.fresh is None else {"fresh": match.fresh}),
        **({} if match.own_deals is None else {"own_deals": match.own_deals}),
        **({} if match.limits is None else {"limits": asdict(match.limits)}),
        **({"adjudicate": True} if match.adjudicate else {}),
        # A question that is chosen after a look at the results would not be the same match.
        **({} if match.overall == OverallRules() else {"overall": asdict(match.overall)}),
        **({} if match.variance == VarianceRules() else {"variance": asdict(match.variance)}),
    }


def spec_of(match: Match) -> dict[str, Any]:
    """Encode the specification as data for JSON, without workers and output folder."""
    spec = identity_of(match)
    spec["schedule"] |= {"blocks": match.order.blocks}
    if match.absent:
        spec["absent"] = dict(match.absent)
    return spec | {"name": match.name, "rating": asdict(match.rating)}


def could_remember(spec: Mapping[str, Any]) -> bool:
    """Return whether bots could know a deal from an earlier game, given the spec of a match.

    They can if they are not fresh, unless all bots come with cardhub.
    """
    has_programs = any(bot["use"].startswith(("cmd:", "file:")) for bot in spec["bots"])
    # A match has a salt if a third-party bot takes part.
    return not spec.get("fresh") and (has_programs or spec["salt"] is not None)


def identity_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity."""
    return digest(identity_of(match))


def public_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity without seed, salt and later keys.

    Game ids are derived from it, and file names that others see.
    """
    identity = identity_of(match)
    # Otherwise a public name would allow a search for the seed.
    del identity["seed"], identity["salt"]
    # Without these, the ids of games stay as they were before the keys existed.
    for key in ("fresh", "own_deals", "limits", "adjudicate", "overall", "variance"):
        identity.pop(key, None)
    return digest(identity)


def match_of(spec: Mapping[str, Any]) -> Match:
    """Decode the output of `spec_of` or `identity_of`.

    Without a number of blocks the schedule is endless. Raises MatchError if the data is invalid.
    """
    try:
        return _match(spec)
    except KeyError as error:
        raise MatchError(f"invalid match specification: {error} is missing") from error
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise MatchError(f"invalid match specification: {error}") from error


def _match(spec: Mapping[str, Any]) -> Match:
    if spec["cardhub_match"] != FORMAT:
        older = "; play a match of an older cardhub again, in another folder"
        raise ValueError(f"format {spec['cardhub_match']!r} instead of {FORMAT}{older}")
    return Match(
        name=msgspec.convert(spec.get("name", ""), str),
        seed=msgspec.convert(spec["seed"], int),
        entrants=tuple(_typed(entrant, Entrant) for entrant in spec["bots"]),
        contests=tuple(_contest(contest) for contest in spec["games"]),
        order=_typed({"blocks": ENDLESS, **spec["schedule"]}, Order),
        sprt=_typed(spec["sprt"], SprtRule) if spec["sprt"] else None,
        budget=_typed(spec["budget"], Budget),
        faults=_typed(spec["faults"], FaultRules),
        rating=_typed(spec.get("rating", {}), RatingRules),
        overall=_typed(spec.get("overall", {}), OverallRules),
        variance=_typed(spec.get("variance", {}), VarianceRules),
        salt=Salt(msgspec.convert(spec["salt"], str)) if spec["salt"] else None,
        fresh=msgspec.convert(spec.get("fresh"), bool | None),
        own_deals=msgspec.convert(spec.get("own_deals"), bool | None),
        limits=_typed(spec["limits"], ResourceLimits) if spec.get("limits") else None,
        adjudicate=msgspec.convert(spec.get("adjudicate", False), bool),
        absent=msgspec.convert(spec.get("absent", {}), dict[str, str]),
    )


def _contest(data: Mapping[str, Any]) -> Contest:
    openings = msgspec.convert(data.get("openings", ()), tuple[Opening, ...])
    contest = _typed({**data, "mirror": _tuples(data["mirror"]), "openings": ()}, Contest)
    return replace(contest, openings=openings)


def _contest_data(contest: Contest) -> dict[str, Any]:
    # Without default values, because a new attribute must not change the identity of older matches.
    optional = {f.name: f.default for f in fields(Contest) if f.default is not MISSING}
    data = {k: v for k, v in asdict(contest).items() if k not in optional or v != optional[k]}
    openings = {"openings": msgspec.to_builtins(contest.openings)} if contest.openings else {}
    return data | openings


def _typed(data: Mapping[str, Any], kind: type[T]) -> T:
    msgspec.convert(data, kind)  # only validates: the converted value would have floats for ints
    return kind(**_tuples(data))


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
