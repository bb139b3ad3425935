"""Schema of the statistics in `result.json`; docs/results.md explains the fields.

`analyse` returns instances of these structs, `result_file` encodes and decodes them, reports and
tables read their attributes.
"""

from collections.abc import Sequence
from typing import Literal, Self

from msgspec import Struct

from cardhub.lab.match.log.result_file import Result

Deals = tuple[int, int]

# The verdict on the first bot of a pair. `equal` is one of races; `not better` and `not worse` are
# those of a sequential test, which rejects a difference of a given size only.
PairVerdict = Literal["better", "worse", "equal", "not better", "not worse", "open"]

# `test`: the sequential test of the match, which alone decides on its pair.
EvidenceKind = Literal["sign_flip", "sequence", "test"]

# Verdicts in which one bot is better than the other.
DIFFERENT = frozenset[PairVerdict]({"better", "worse"})
OPPOSITE: dict[PairVerdict, PairVerdict] = {
    "better": "worse",
    "worse": "better",
    "equal": "equal",
    "not better": "not worse",
    "not worse": "not better",
    "open": "open",
}


class IntervalEstimate(Struct, frozen=True):
    """A value with its interval; None encodes minus infinity, plus infinity or unknown."""

    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, found: Sequence[float | None] | None) -> Self | None:
        """Return an instance for a tuple of value, low and high; None for None."""
        return None if found is None else cls(*found)


class MarginBar(Struct, frozen=True, rename={"low": "from", "high": "to"}):
    """A bar of a histogram: the number of games with a margin from `low` to `high`.

    The JSON keys are `from` and `to`; `from` cannot be the name of an attribute.
    """

    low: int
    high: int
    games: int


class VerdictEvidence(Struct, frozen=True):
    """The evidence behind the verdict of a pair.

    One bot is better if `p_value` is at most `limit`, and if and only if the interval of `score`,
    whose level is 1 - `limit`, excludes even bots. With the kind `test` there are no `p_value` and
    `limit`: the log-likelihood ratio decides, and the interval is anytime-valid.
    """

    kind: EvidenceKind
    p_value: float | None
    limit: float | None
    score: IntervalEstimate | None
    elo: IntervalEstimate | None


class PairRow(Struct, frozen=True):
    """Results of bot `a` against bot `b` in one game; `wins` are those of `a`.

    In a game scored by points, scores are mean differences in points, and have no logistic Elo.
    """

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    a: str
    b: str
    blocks: int
    games: int
    is_as_planned: bool
    score: IntervalEstimate | None
    elo: IntervalEstimate | None
    # `score` and `elo` are anytime-valid; these hold for a number of blocks set in advance.
    score_fixed: IntervalEstimate | None
    elo_fixed: IntervalEstimate | None
    nelo_fixed: IntervalEstimate | None
    # Likelihood of superiority, a probability.
    los: float | None
    p_value: float | None
    p_is_exact: bool | None
    p_always: float | None
    verdict: PairVerdict
    evidence: VerdictEvidence | None
    undecided_share: float | None
    wins: int
    draws: int
    losses: int
    luck_share: float | None
    factor_saved: float | None
    margin: IntervalEstimate | None
    margins: tuple[MarginBar, ...]


class CrosstableCell(Struct, frozen=True):
    """The score of one bot against another, with the interval that the verdict rests on."""

    bot: str
    against: str
    score: float | None
    low: float | None
    high: float | None
    blocks: int
    verdict: PairVerdict


class WorstGame(Struct, frozen=True):
    """A game that a bot lost by a large margin, in points; `seat` is an index from 0."""

    game_id: str
    seat: int
    place: int
    points: int
    margin: int


class UpsetGame(Struct, frozen=True):
    """A game that `loser` lost to a weaker bot, by `margin` points; `seat` is the winner's.

    `difference` is by how much the loser's rating is above the winner's, in Elo or in points as
    `BotRow.rank` counts them; None if a rating is not finite.
    """

    game_id: str
    winner: str
    loser: str
    seat: int
    difference: float | None
    margin: int


class BotRow(Struct, frozen=True):
    """Rating and counts of a bot in one game.

    `points` a game, and `points_above_mean` of all rated bots, are for games scored by points; then
    ranks rest on the latter, and `elo` on places. `reached` is the share of tables that reached the
    target of a common cause.
    """

    game: str
    bot: str
    deals: Deals | None
    is_filler: bool
    is_withdrawn: bool
    blocks: int
    games: int
    score: float | None
    points: IntervalEstimate | None
    points_above_mean: IntervalEstimate | None
    reached: IntervalEstimate | None
    elo: IntervalEstimate | None
    rank: int | None
    best: int | None
    worst: int | None
    worst_games: tuple[WorstGame, ...]


class PartnersRow(Struct, frozen=True):
    """Mean result of two bots as partners; two equal ones are a whole team, or a table of one bot.

    `score` is that of their tables in a common cause, else that of their team against the whole
    teams of all bots. `blocks` counts deals.
    """

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    blocks: int
    games: int
    score: IntervalEstimate | None
    reached: IntervalEstimate | None


class AdHocRow(Struct, frozen=True):
    """Mean result of a bot with the others as partners, and how far that is above its own team's.

    `blocks` counts the deals on which it had all of them.
    """

    game: str
    bot: str
    blocks: int
    score: IntervalEstimate | None
    difference: IntervalEstimate | None


class SeatRow(Struct, frozen=True):
    """Advantage of a seat, an index from 0, over the mean of all seats."""

    seat: int
    blocks: int
    score: IntervalEstimate | None
    elo: IntervalEstimate | None


class NashShare(Struct, frozen=True):
    """Share of a bot in the Nash mixture."""

    bot: str
    share: IntervalEstimate


class AlphaMass(Struct, frozen=True):
    """Mass of a bot at the end of the alpha-rank sweep."""

    bot: str
    mass: IntervalEstimate


class SweepMass(Struct, frozen=True):
    """Mass of a bot at one value of the parameter alpha of the sweep."""

    alpha: float
    bot: str
    mass: float


class Transitivity(Struct, frozen=True):
    """Evidence on whether the bots of a game can be ordered by strength at all."""

    # Of the differences in strength: the part that no rating explains, and its value by chance.
    cyclic_share: float | None
    cyclic_share_from_noise: float | None
    apparent_cycles: int
    certified_cycles: tuple[tuple[str, ...], ...]
    nash: tuple[NashShare, ...]
    nash_gap: float | None  # the error of the solver
    alpha_rank: tuple[AlphaMass, ...]
    alpha_sweep: tuple[SweepMass, ...]
    alpha_is_settled: bool


class FaultRow(Struct, frozen=True):
    """Faults of one class by one bot, and the ids of the first games with them."""

    game: str
    bot: str
    fault: str
    count: int
    game_ids: tuple[str, ...]


class UncountedBlock(Struct, frozen=True):
    """A block that is excluded from the statistics."""

    game: str
    bots: tuple[str, ...]
    deals: Deals
    games: int
    why: Literal["unfinished", "withdrawn"]


class AuditRow(Struct, frozen=True):
    """Number of blocks that violate an invariant, and the first games of some of them."""

    blocks: int
    other_cards: int
    uneven_seats: int
    uneven_scores: int
    game_ids: tuple[str, ...]


class GameStatistics(Struct, frozen=True):
    """Statistics of one game of a match."""

    game: str
    name: str
    players: int
    scoring: Literal["rank", "win", "points"]
    unit: str
    is_common: bool
    target: int | None
    blocks: int
    games: int
    games_per_block: float | None
    left_out: tuple[UncountedBlock, ...]
    p_value_of: Literal["sign_flip", "sequence"]
    bots: tuple[BotRow, ...]
    pairs: tuple[PairRow, ...]
    crosstable: tuple[CrosstableCell, ...]
    partners: tuple[PartnersRow, ...]
    ad_hoc: tuple[AdHocRow, ...]
    seats: tuple[SeatRow, ...]
    luck_share: float | None
    factor_saved: float | None
    transitivity: Transitivity | None
    upsets: tuple[UpsetGame, ...]
    faults: tuple[FaultRow, ...]
    audit: AuditRow
    notes: tuple[str, ...]


class GameShare(Struct, frozen=True):
    """Share of a game in a mixture of games."""

    game: str
    share: IntervalEstimate


class BotShare(Struct, frozen=True):
    """Share of a bot in a mixture of bots, from 0 to 1, without an interval."""

    bot: str
    share: float


class RankedBot(Struct, frozen=True):
    """A bot in one ranking over all games."""

    bot: str
    elo: IntervalEstimate | None
    rank: int
    best: int
    worst: int


class Ranking(Struct, frozen=True):
    """One of the rankings over all games, best bot first."""

    view: str
    title: str
    bots: tuple[RankedBot, ...]


class BotGames(Struct, frozen=True):
    """A bot and some of the games of the match."""

    bot: str
    games: tuple[str, ...]


class AllGames(Struct, frozen=True):
    """Statistics over several games of a match, of the bots that are rated in all of them."""

    games: tuple[str, ...]
    views: tuple[Ranking, ...]
    game_mixture: tuple[GameShare, ...]
    bot_mixture: tuple[BotShare, ...]
    gap: float | None
    lottery: tuple[BotShare, ...]
    contradictions: float | None
    bound: float | None
    equals: int | None
    is_anchored: bool
    left_out: tuple[BotGames, ...]
    assumed: tuple[BotGames, ...]
    disagreements: tuple[str, ...]


class SprtPoint(Struct, frozen=True):
    """State of the sequential test after `blocks` blocks; the interval is anytime-valid."""

    blocks: int
    llr: float
    score: float
    low: float | None
    high: float | None


class SprtEstimate(Struct, frozen=True):
    """Strength estimates that are valid after a sequential test."""

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    a: str
    b: str
    verdict: str
    score_always: IntervalEstimate | None
    elo: IntervalEstimate | None
    elo_always: IntervalEstimate | None
    elo_note: str | None
    course: tuple[SprtPoint, ...]


class Anchor(Struct, frozen=True):
    """The bot whose Elo is a parameter of the match; all others are relative to it."""

    bot: str
    elo: float


class Statistics(Struct, frozen=True):
    """All statistics of a match; optional parts are None.

    `comparisons` is the number of pairs whose verdicts hold together. `shared` is over the games
    that all bots play, if some bot misses one.
    """

    level: float
    draws: int
    anchor: Anchor | None
    missing: Literal["absent", "loss"]
    comparisons: int
    games: tuple[GameStatistics, ...]
    overall: AllGames | None
    shared: AllGames | None
    test: SprtEstimate | None
    notes: tuple[str, ...]


# The whole of `result.json`.
MatchResult = Result[Statistics]
