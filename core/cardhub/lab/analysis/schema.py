"""Schema of the statistics in `result.json`; docs/results.md explains what all rows share.

`analyse` returns instances of these structs, `result_file` encodes and decodes them, and reports
read their attributes.
"""

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType

from cardhub.lab.analysis.block_schema import AuditRow, Deals, LessLuckRow, UncountedBlock
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.log.result_file import Result

# With an interval, or a number alone.
Share = TypeVar("Share", OpenEstimate, float)

# The verdict on the first bot of a pair. Only races have `equal`. Only sequential tests, which
# reject a difference of a given size, have `not better` and `not worse`.
PairVerdict = Literal["better", "worse", "equal", "not better", "not worse", "open"]

# `test`: the sequential test of the match, which alone decides the verdict on its pair.
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


class MarginBar(Struct, frozen=True, rename={"low": "from", "high": "to"}):
    """A bar of a histogram: the number of games with a margin from `low` to `high`.

    The JSON keys are `from` and `to`; `from` cannot be the name of an attribute. Unlike the bars of
    a study, it includes `high`, because margins are whole numbers.
    """

    low: int
    high: int
    games: int


class VerdictEvidence(Struct, frozen=True):
    """The evidence behind the verdict of a pair; `kind` is what the verdict rests on.

    One bot is better if and only if the interval of `score` excludes even bots and `p_value` is at
    most `limit`; the level of the intervals of `score` and `elo` is 1 - `limit`. With the kind
    `test`, `p_value` and `limit` are None: the log-likelihood ratio decides, and the interval is
    anytime-valid.
    """

    kind: EvidenceKind
    p_value: float | None
    limit: float | None
    score: OpenEstimate | None
    elo: OpenEstimate | None
    """None in a game scored by points, and in comparisons by more than the pair's own games."""


class PairRow(Struct, frozen=True):
    """Results of bot `a` against bot `b` in one game; `a` comes before `b` in the match file.

    Scores, Elo, margins and wins belong to `a`. In a game scored by points, scores are mean
    differences in points, and all Elo but the normalized one is None. In a common cause a pair has
    its tables on the same deals, and `games` counts the tables of both.
    """

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    a: str
    b: str
    blocks: int
    games: int
    is_as_planned: bool
    """Whether the number of blocks in the match file was played and was not chosen by results. It
    cannot show that the number was raised after a look at the results."""
    score: OpenEstimate | None
    """Mean block score with the anytime-valid confidence sequence: the intersection of all
    intervals so far, so the mean can lie outside if results drift. In points the interval begins
    after 64 blocks."""
    elo: OpenEstimate | None
    """`score` as Elo; None in points, and in a game that one of more than two bots wins: there a
    score depends on the others at the table. The same applies to all other Elo of the pair but the
    normalized one."""
    score_fixed: OpenEstimate | None
    """As `score`, with the interval for a number of blocks fixed beforehand. It does not hold if
    `p_value_of` of the game is `sequence`; reports then leave it out. The same applies to the next
    two."""
    elo_fixed: OpenEstimate | None
    nelo_fixed: OpenEstimate | None
    """Normalized Elo."""
    los: float | None
    """Likelihood of superiority, a probability."""
    p_value: float | None
    """The p-value of the sign-flip test, for a number of blocks fixed beforehand."""
    p_is_exact: bool | None
    """Whether `p_value` is exact."""
    p_always: float | None
    """The anytime-valid p-value."""
    verdict: PairVerdict
    evidence: VerdictEvidence | None
    undecided_share: float | None
    """Share of blocks in which both did equally well."""
    wins: int
    """`wins`, `draws` and `losses` count one for each two seats (or teams) of the two in a game."""
    draws: int
    losses: int
    luck_share: float | None
    """Share of a game's variance that blocks remove."""
    factor_saved: float | None
    """How many times more games are needed without blocks."""
    margin: OpenEstimate | None
    """Mean margin of a block in points, for a fixed number of blocks; the ends are None if no two
    blocks differ. None if no game came to its end. Margins exclude games that a fault or the limit
    of steps ended."""
    margins: tuple[MarginBar, ...]
    """Histogram of margins by games, ascending; 0 has its own bar."""


class ComparisonRow(Struct, frozen=True):
    """The verdict on bot `a` against bot `b`, compared by more than their own games.

    `score` in the evidence is by how much `a` is ahead, in scores or in the game's points; 0 is
    even. Bots without common deals have no evidence.
    """

    a: str
    b: str
    deals: Deals | None
    blocks: int
    """Number of deals on which all results behind the row exist."""
    verdict: PairVerdict
    evidence: VerdictEvidence | None


def wins_of(rows: Iterable[PairRow | ComparisonRow]) -> list[tuple[str, str]]:
    """Return the better and the worse bot of each row whose verdict says which is better."""
    return [
        (row.a, row.b) if row.verdict == "better" else (row.b, row.a)
        for row in rows
        if row.verdict in DIFFERENT
    ]


class CrosstableCell(Struct, frozen=True):
    """The score of `bot` against `against`, with the interval that the verdict rests on."""

    bot: str
    against: str
    score: float | None
    low: float | None
    high: float | None
    blocks: int
    verdict: PairVerdict


class WorstGame(Struct, frozen=True):
    """A game that a bot lost by a large `margin`: its distance to the best other bot, in `points`.

    `seat` is an index from 0, `place` the bot's place in the game.
    """

    game_id: str
    seat: int
    place: int
    points: int
    margin: int


class UpsetGame(Struct, frozen=True):
    """A game that `loser` lost to a weaker bot, by `margin` points; `seat` is the seat of `winner`.

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

    Intervals of ratings come from a bootstrap over deals; `points` and `reached` have intervals for
    a fixed number of deals.
    """

    game: str
    bot: str
    deals: Deals | None
    is_filler: bool
    """Whether the bot only fills seats: it is rated, and is in no pair."""
    is_withdrawn: bool
    """Whether the bot was withdrawn in any game."""
    blocks: int
    games: int
    score: float | None
    """Mean of its scores; None without games."""
    points: OpenEstimate | None
    """Points a game; None unless the game is scored by points."""
    points_above_mean: OpenEstimate | None
    """Points above the mean of all rated bots, from the joint fit of all pairs."""
    reached: OpenEstimate | None
    """Share of its tables that reached the target of a common cause."""
    elo: OpenEstimate | None
    """Elo by places. A bot that won or lost everything has only `low` or `high`. None in a common
    cause, and if no chain of games connects the bot with the others."""
    rank: int | None
    """Rank by `points_above_mean` if there is one, otherwise by `elo`; None without a rating and
    for fillers."""
    best: int | None
    """The best rank that the verdicts leave open; `worst` is the worst one."""
    worst: int | None
    worst_games: tuple[WorstGame, ...]
    """Up to 5 games that it lost by most."""


class PartnersRow(Struct, frozen=True):
    """Mean result of two bots as partners; two equal bots are a whole team, or a table of one bot.

    Intervals are for a number of deals fixed beforehand, or anytime-valid if `p_value_of` of the
    game is `sequence`.
    """

    game: str
    bots: tuple[str, str]
    deals: Deals | None
    blocks: int
    """Number of deals on which they met all opponents."""
    games: int
    """Number of all their games."""
    score: OpenEstimate | None
    """Mean score of their tables in a common cause, otherwise of their team against the whole teams
    of all bots; in points, the mean lead."""
    reached: OpenEstimate | None
    """Share of their tables that reached the target of a common cause."""


class AdHocRow(Struct, frozen=True):
    """Mean result of a bot with the others as partners, and its difference to the bot's whole team.

    Intervals are as in PartnersRow.
    """

    game: str
    bot: str
    blocks: int
    """Number of deals on which it had all partners."""
    score: OpenEstimate | None
    """Mean result with other bots as partners."""
    difference: OpenEstimate | None
    """`score` minus its mean result with itself, on the same deals."""


class SeatRow(Struct, frozen=True):
    """Advantage of a `seat`, an index from 0; a common cause has no rows."""

    seat: int
    blocks: int
    score: OpenEstimate | None
    """How much more the seat scores than the mean of all seats, for a fixed number of blocks."""
    elo: OpenEstimate | None
    """The seat's value in the fit of the ratings; the mean of all seats is 0."""


class BotShare(Struct, Generic[Share], frozen=True):
    """The `share` of a bot in a mixture of bots, from 0 to 1."""

    bot: str
    share: Share


class AlphaMass(Struct, frozen=True):
    """The `mass` of a bot at the end of the alpha-rank sweep."""

    bot: str
    mass: OpenEstimate


class SweepMass(Struct, frozen=True):
    """The `mass` of a bot at one value of the parameter `alpha` of the sweep."""

    alpha: float
    bot: str
    mass: float


class Transitivity(Struct, frozen=True):
    """Evidence on whether the bots of a game can be ordered by strength."""

    cyclic_share: float | None
    """The part of the differences in strength that no rating explains; None if the pairs form no
    circle or are all even."""
    cyclic_share_from_noise: float | None
    """The value of `cyclic_share` that chance alone causes."""
    apparent_cycles: int
    """Number of cycles of three bots by mean scores."""
    certified_cycles: tuple[tuple[str, ...], ...]
    """Cycles of three bots by the verdicts: each is better than the next, the last one than the
    first."""
    nash: tuple[BotShare[OpenEstimate], ...]
    """The mixture of bots that no bot beats."""
    nash_gap: float | None
    """The error of the solver."""
    alpha_rank: tuple[AlphaMass, ...]
    alpha_sweep: tuple[SweepMass, ...]
    """The masses at every alpha; `alpha_rank` has the masses at the end."""
    alpha_is_settled: bool
    """Whether the end of the sweep is stable."""


class FaultRow(Struct, frozen=True):
    """The `count` of faults of one class, `fault`, by one bot; `game_ids` are the first 5 games."""

    game: str
    bot: str
    fault: str
    count: int
    game_ids: tuple[str, ...]


class GameStatistics(Struct, frozen=True):
    """Statistics of one game of a match.

    If `p_value_of` is `sequence`, the end of the match may depend on its results: estimates of
    bots, seats, mixtures and margins then have no interval, and intervals of partners are
    anytime-valid.
    """

    game: str
    """The id of the game in the match; `name` is the game's name."""
    name: str
    players: int
    """The number of players."""
    scoring: Literal["rank", "win", "points"]
    unit: str
    """The plural noun of the game's points, such as `chips`."""
    is_common: bool
    """Whether all seats share one score, so that each bot has its own tables."""
    target: int | None
    """The score to reach in a common cause."""
    blocks: int
    games: int
    games_per_block: float | None
    """The mean number of games."""
    left_out: tuple[UncountedBlock, ...]
    """Blocks that do not count."""
    p_value_of: Literal["sign_flip", "sequence"]
    """The evidence of the match: `sign_flip` if all pairs of all games played as planned."""
    bots: tuple[BotRow, ...]
    """Best first; bots without a rating last."""
    pairs: tuple[PairRow, ...]
    """One row for each pair of bots that may meet."""
    crosstable: tuple[CrosstableCell, ...]
    """Each pair from both sides."""
    joint: tuple[ComparisonRow, ...]
    """The bots of each pair compared through all opponents, by their mean results on the same
    deals (a least-squares fit if not all pairs met). Ranks rest on these verdicts. Empty in a race,
    in the game of a test, in a common cause and with two bots: there ranks rest on `pairs`."""
    by_places: tuple[ComparisonRow, ...]
    """In a game with more than two seats that is scored by `win`: the same comparisons by places, a
    secondary test that changes no rank."""
    partners: tuple[PartnersRow, ...]
    """Rows of mixed partners, one for each two bots that share a team or a table, and for each bot
    with itself; empty without mixed partners, like `ad_hoc`."""
    ad_hoc: tuple[AdHocRow, ...]
    seats: tuple[SeatRow, ...]
    """The value of each seat."""
    luck_share: float | None
    """Over all pairs, as in PairRow."""
    factor_saved: float | None
    """Over all pairs, as in PairRow."""
    transitivity: Transitivity | None
    """None with fewer than three bots that met, and in a common cause."""
    upsets: tuple[UpsetGame, ...]
    """Up to 5 games that a bot lost to a worse one, by the verdict of their pair; the largest
    `difference` first."""
    faults: tuple[FaultRow, ...]
    """Faults by bot and class."""
    audit: AuditRow
    """Checks of the blocks."""
    notes: tuple[str, ...]
    """Sentences, among them the reason for each section that is None."""
    less_luck: tuple[LessLuckRow, ...] | UnsetType = UNSET
    """In a match with `variance: aivat` only: what its terms saved each pair that met."""

    def fault_count(self, bot: str) -> int:
        """Return the number of faults of a bot."""
        return sum(row.count for row in self.faults if row.bot == bot)


class GameShare(Struct, frozen=True):
    """The `share` of a game in a mixture of games."""

    game: str
    share: OpenEstimate


class RankedBot(Struct, frozen=True):
    """A bot in one ranking over all games: its `rank`, and the range from `best` to `worst`."""

    bot: str
    elo: OpenEstimate | None
    rank: int
    best: int
    worst: int


class Ranking(Struct, frozen=True):
    """One of the rankings over all games, best bot first."""

    view: str
    """`mean`, `nash` or `kemeny`, as in `rating: {overall: ...}` of the match file. `elo` is None
    for Kemeny; ranges of ranks follow from the verdicts."""
    title: str
    """The view's name in reports."""
    bots: tuple[RankedBot, ...]

    def find(self, bot: str) -> RankedBot | None:
        """Return the row of a bot, None if it is not ranked."""
        return next((row for row in self.bots if row.bot == bot), None)


class BotLead(Struct, frozen=True):
    """A bot over several games by the question of the match.

    `lead` is by how much it is ahead of the mean bot, in scores: the mean of its leads over all
    bots. `rank` is its rank by the lead, within the range from `best` to `worst`.
    """

    bot: str
    lead: float
    rank: int
    best: int
    worst: int


class BotGames(Struct, frozen=True):
    """A bot and some of the games of the match."""

    bot: str
    games: tuple[str, ...]


class AllGames(Struct, frozen=True):
    """Statistics over several games of a match, of the bots that are rated in all of them.

    `game_mixture`, `bot_mixture` and `gap` belong to Nash averaging; `contradictions`, `bound` and
    `equals` belong to Kemeny's order.
    """

    games: tuple[str, ...]
    """The ids of the games."""
    question: Literal["mean_score", "mean_rank", "each"]
    """What better means over several games, `overall: {verdict: ...}` of the match file."""
    pairs: tuple[ComparisonRow, ...]
    """The verdicts by this question, on which all ranges of ranks here rest: the mean over the
    games of the differences in scores, or in scores by places. In a game of points the typical
    difference of a game counts as a win. Empty if the question is `each`."""
    leads: tuple[BotLead, ...]
    """The bots of `pairs`, the best first."""
    views: tuple[Ranking, ...]
    """The views that the match file asks for."""
    game_mixture: tuple[GameShare, ...]
    """The weights of the games."""
    bot_mixture: tuple[BotShare[float], ...]
    """The bots that do best under these weights."""
    gap: float | None
    """The error of the solver, in Elo."""
    lottery: tuple[BotShare[float], ...]
    """The mixture that no bot beats in most games."""
    contradictions: float | None
    """Number of pairs and games that contradict the order."""
    bound: float | None
    """A lower bound of `contradictions` for every order."""
    equals: int | None
    """Number of equally good orders, if it was computed."""
    is_anchored: bool
    """Whether 0 is the anchor in all games; otherwise it is the mean of these bots in each."""
    left_out: tuple[BotGames, ...]
    """Bots that are not rated in these games, and have no place here."""
    assumed: tuple[BotGames, ...]
    """With `missing: loss`, the games that a bot does not play."""
    disagreements: tuple[str, ...]
    """Sentences about contradictions between the views."""

    def lead_of(self, bot: str) -> BotLead | None:
        """Return the row of a bot by the question of the match, None if it is not compared."""
        return next((row for row in self.leads if row.bot == bot), None)


class SprtPoint(Struct, frozen=True):
    """State of the sequential test after `blocks` blocks; the interval is anytime-valid."""

    blocks: int
    llr: float
    """Log-likelihood ratio."""
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
    """The verdict on `a` against `b`."""
    score_always: OpenEstimate | None
    """Mean score at the stop, with the anytime-valid interval."""
    elo: OpenEstimate | None
    """The median-unbiased estimate."""
    elo_always: OpenEstimate | None
    """`score_always` as Elo; None in points."""
    elo_note: str | None
    """The reason if `elo` is None."""
    course: tuple[SprtPoint, ...]
    """The state after each block (in long tests after every second, fourth, and so on) and after
    the last one, for a plot."""


class Anchor(Struct, frozen=True):
    """The bot whose Elo is a parameter of the match; all others are relative to it."""

    bot: str
    elo: float


class Statistics(Struct, frozen=True):
    """All statistics of a match, of whole blocks only; optional parts are None."""

    level: float
    """The level of all intervals."""
    draws: int
    """The number of bootstrap samples behind ratings."""
    anchor: Anchor | None
    """None if the mean of the rated bots is 0."""
    missing: Literal["absent", "loss"]
    """How a game counts for a bot that does not play it."""
    comparisons: int
    """The number of pairs whose verdicts hold together: all pairs of all games; in a race, the
    pairs of the game with most."""
    games: tuple[GameStatistics, ...]
    overall: AllGames | None
    """All games together; None with fewer than two games or two bots."""
    shared: AllGames | None
    """The games that all bots play; None with fewer than two, and if these are all games."""
    test: SprtEstimate | None
    """The estimates after the sequential test; None without a test."""
    notes: tuple[str, ...]
    """Sentences, among them the reason for each section that is None."""


# The whole of `result.json`.
MatchResult = Result[Statistics]
