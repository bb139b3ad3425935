"""The shape of `result.json`, as far as reports show it; docs/results.md says what it all means."""

from typing import Any, Literal, TypedDict

Verdict = Literal["better", "worse", "open"]
Deals = list[int]


class Estimate(TypedDict):
    """A value with its interval; see docs/results.md for what None means."""

    value: float | None
    low: float | None
    high: float | None


class WorstGame(TypedDict):
    """A game that a bot lost by much."""

    game_id: str
    seat: int
    place: int
    points: float
    margin: float


class BotRow(TypedDict):
    """A bot in one game."""

    game: str
    bot: str
    deals: Deals | None
    is_filler: bool
    is_withdrawn: bool
    blocks: int
    games: int
    points: float | None
    elo: Estimate | None
    rank: int | None
    best: int | None
    worst: int | None
    worst_games: list[WorstGame]


Bar = TypedDict("Bar", {"from": int, "to": int, "games": int})
"""How many games had a margin between two, both included."""


class PairRow(TypedDict):
    """Bot `a` against bot `b` in one game."""

    game: str
    bots: list[str]
    deals: Deals | None
    a: str
    b: str
    blocks: int
    games: int
    is_as_planned: bool
    score: Estimate | None
    elo: Estimate | None
    score_fixed: Estimate | None
    elo_fixed: Estimate | None
    nelo_fixed: Estimate | None
    los: float | None
    p_value: float | None
    p_is_exact: bool
    p_always: float | None
    verdict: Verdict
    race: str | None
    undecided_share: float | None
    wins: int
    draws: int
    losses: int
    luck_share: float | None
    factor_saved: float | None
    margin: Estimate | None
    margins: list[Bar]


class Cell(TypedDict):
    """A cell of a crosstable."""

    bot: str
    against: str
    score: float | None
    low: float | None
    high: float | None
    blocks: int
    verdict: Verdict


class SeatRow(TypedDict):
    """What a seat is worth."""

    seat: int
    blocks: int
    score: Estimate | None
    elo: Estimate | None


class GameShare(TypedDict):
    """The part of a mixture that a game has."""

    game: str
    share: Estimate


class BotShare(TypedDict):
    """The part of a mixture that a bot has, a number alone."""

    bot: str
    share: float


class Share(TypedDict):
    """The part of a mixture that a bot has."""

    bot: str
    share: Estimate


class Mass(TypedDict):
    """The mass of a bot at the end of a sweep."""

    bot: str
    mass: Estimate


class AlphaMass(TypedDict):
    """The mass of a bot at one point of a sweep."""

    alpha: float
    bot: str
    mass: float


class Ladder(TypedDict):
    """Whether strength can be put in a row."""

    cyclic_share: float | None
    cyclic_share_from_noise: float | None
    apparent_cycles: int
    certified_cycles: list[list[str]]
    cycle_limit: float
    nash: list[Share]
    nash_gap: float
    alpha_rank: list[Mass]
    alpha_sweep: list[AlphaMass]
    alpha_is_settled: bool


class FaultRow(TypedDict):
    """Faults of one kind."""

    game: str
    bot: str
    fault: str
    count: int
    game_ids: list[str]


class LeftOut(TypedDict):
    """Blocks that do not count."""

    game: str
    bots: list[str]
    deals: Deals
    games: int
    why: str


class Audit(TypedDict):
    """In how many blocks something does not hold that must."""

    blocks: int
    other_cards: int
    uneven_seats: int
    uneven_points: int
    game_ids: list[str]


class GameStatistics(TypedDict):
    """All about one game of a match."""

    game: str
    name: str
    players: int
    score: str
    blocks: int
    games: int
    games_per_block: float | None
    left_out: list[LeftOut]
    p_value_of: str
    bots: list[BotRow]
    pairs: list[PairRow]
    crosstable: list[Cell]
    seats: list[SeatRow]
    luck_share: float | None
    factor_saved: float | None
    ladder: Ladder | None
    faults: list[FaultRow]
    audit: Audit
    notes: list[str]


class RankedBot(TypedDict):
    """A bot in one view of all games together."""

    bot: str
    elo: Estimate | None
    rank: int
    best: int
    worst: int


class View(TypedDict):
    """One way of looking at all games together."""

    view: str
    title: str
    bots: list[RankedBot]


class LeftOutBot(TypedDict):
    """A bot that has no place among all games together, and the games that it lacks."""

    bot: str
    games: list[str]


class Overall(TypedDict):
    """All games together."""

    views: list[View]
    game_mixture: list[GameShare]
    bot_mixture: list[BotShare]
    gap: float | None
    lottery: list[BotShare]
    contradictions: int | None
    bound: int | None
    equals: int | None
    is_anchored: bool
    left_out: list[LeftOutBot]
    assumed: list[LeftOutBot]
    disagreements: list[str]


class CoursePoint(TypedDict):
    """How a test stood after some blocks; the interval of the score is always valid."""

    blocks: int
    llr: float
    score: float
    low: float
    high: float


class SprtEstimate(TypedDict):
    """The strength after a test that may have stopped early, and why there may be none."""

    game: str
    bots: list[str]
    deals: Deals | None
    a: str
    b: str
    verdict: str
    elo: Estimate | None
    elo_always: Estimate | None
    elo_note: str | None
    course: list[CoursePoint]


class Anchor(TypedDict):
    """The bot whose Elo was given."""

    bot: str
    elo: float


class Statistics(TypedDict):
    """All statistics of a match."""

    level: float
    draws: int
    anchor: Anchor | None
    missing: str
    games: list[GameStatistics]
    overall: Overall | None
    test: SprtEstimate | None
    notes: list[str]


class SprtState(TypedDict):
    """How far the test of a match has come."""

    a: str
    b: str
    game: str
    model: str
    elo: list[float]
    verdict: str
    blocks: int
    llr: float
    bounds: list[float]


class Result(TypedDict):
    """What a match has come to."""

    cardhub_match: int
    name: str
    spec: dict[str, Any]
    spec_sha256: str
    games_sha256: str
    versions: dict[str, Any]
    is_finished: bool
    is_reproducible: bool
    not_reproducible: list[str]
    blocks: int
    games: int
    steps: int
    counts: dict[str, dict[str, Any]]
    withdrawn: dict[str, int]
    test: SprtState | None
    stop: str | None
    statistics: Statistics
