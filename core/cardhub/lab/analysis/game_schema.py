"""Schema of the statistics of one game in `result.json`; docs/results.md explains the fields.

Each struct is a JSON object with the attributes as keys. Arrays are tuples: a result is immutable.
"""

from typing import Literal

from msgspec import Struct

from cardhub.lab.analysis.pair_schema import CrosstableCell, Deals, IntervalEstimate, PairRow


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
