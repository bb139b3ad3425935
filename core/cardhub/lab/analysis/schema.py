"""Schema of the statistics in `result.json`; docs/results.md explains the fields.

`analyse` returns instances of these structs, `result_file` encodes and decodes them, reports and
tables read their attributes.
"""

from typing import Literal

from msgspec import Struct

from cardhub.lab.analysis.game_schema import GameStatistics
from cardhub.lab.analysis.pair_schema import Deals, IntervalEstimate
from cardhub.lab.match.log.result_file import Result


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
