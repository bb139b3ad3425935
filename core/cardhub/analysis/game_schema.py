"""Schema of the statistics of one game in `result.json`; docs/results.md explains the fields.

Each struct is a JSON object with the attributes as keys. Arrays are tuples: a result is immutable.
"""

from collections.abc import Sequence
from typing import Literal, Self

from msgspec import Struct

from cardhub.analysis.upset_schema import UpsetGame

Deals = tuple[int, int]
PairVerdict = Literal["better", "worse", "open"]
RaceVerdict = Literal["better", "worse", "equal", "open"]


class IntervalEstimate(Struct, frozen=True):
    """A value with its interval; None encodes minus infinity, plus infinity or unknown."""

    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, found: Sequence[float | None] | None) -> Self | None:
        """Return an instance for a tuple of value, low and high; None for None."""
        return None if found is None else cls(*found)


class WorstGame(Struct, frozen=True):
    """A game that a bot lost by a large margin, in points; `seat` is an index from 0."""

    game_id: str
    seat: int
    place: int
    points: int
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


class MarginBar(Struct, frozen=True, rename={"low": "from", "high": "to"}):
    """A bar of a histogram: the number of games with a margin from `low` to `high`.

    The JSON keys are `from` and `to`; `from` cannot be the name of an attribute.
    """

    low: int
    high: int
    games: int


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
    race: RaceVerdict | None
    undecided_share: float | None
    wins: int
    draws: int
    losses: int
    luck_share: float | None
    factor_saved: float | None
    margin: IntervalEstimate | None
    margins: tuple[MarginBar, ...]


class CrosstableCell(Struct, frozen=True):
    """The score of one bot against another, with its anytime-valid interval."""

    bot: str
    against: str
    score: float | None
    low: float | None
    high: float | None
    blocks: int
    verdict: PairVerdict


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
    cycle_limit: float
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
