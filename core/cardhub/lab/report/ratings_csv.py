"""The ratings and the partners of a match as CSV."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from cardhub.lab.analysis.schema import (
    AllGames,
    BotRow,
    GameStatistics,
    MatchResult,
    PartnersRow,
    RankedBot,
)
from cardhub.lab.estimate import UNKNOWN, OpenEstimate

COLUMNS = (
    "game",
    "view",
    "bot",
    "rating",
    "low",
    "high",
    "rank",
    "rank_low",
    "rank_high",
    "games",
    "blocks",
    "faults",
    "points",
    "points_low",
    "points_high",
    "ad_hoc",
    "ad_hoc_low",
    "ad_hoc_high",
    "score",
)
# The game of rankings over the games that all bots play.
SHARED = "shared"
PARTNERS = ("game", "bot", "partner", "score", "low", "high", "reached", "games", "blocks")


def ratings(result: MatchResult) -> str:
    """Encode a row for each bot and game, then a row for each bot and ranking over several games.

    In rankings, `game` is empty, or `shared` for the games that all bots play; counts are sums over
    the ranked games. Missing values and infinite ends of intervals are empty strings.
    """
    statistics = result.statistics
    rows = [_row(game, bot) for game in statistics.games for bot in game.bots]
    # A match of one game has no rankings over several games.
    for over, several in (("", statistics.overall), (SHARED, statistics.shared)):
        if several is not None:
            rows += _several(over, several, statistics.games)
    return _table(COLUMNS, rows)


def partners(result: MatchResult) -> str:
    """Encode a row for each pair of partners of a game; empty in a match without mixed partners."""
    rows = [_partners(row) for game in result.statistics.games for row in game.partners]
    return _table(PARTNERS, rows) if rows else ""


def _table(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    text = StringIO()
    # Not the default "\r\n", because reports have the same line ends on every system.
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _partners(row: PartnersRow) -> dict[str, Any]:
    score = row.score or UNKNOWN
    return {
        "game": row.game,
        "bot": row.bots[0],
        "partner": row.bots[1],
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "reached": row.reached.value if row.reached else None,
        "games": row.games,
        "blocks": row.blocks,
    }


def _row(game: GameStatistics, bot: BotRow) -> dict[str, Any]:
    return {
        "game": game.game,
        "bot": bot.bot,
        **_rating(bot),
        "games": bot.games,
        "blocks": bot.blocks,
        "faults": game.fault_count(bot.bot),
        **_interval("points", bot.points),
        "score": bot.score,
        **_interval("ad_hoc", next((row.score for row in game.ad_hoc if row.bot == bot.bot), None)),
    }


def _several(
    over: str, several: AllGames, games: Sequence[GameStatistics]
) -> Iterator[dict[str, Any]]:
    games = [game for game in games if game.game in several.games]
    for view in several.views:
        for bot in view.bots:
            rows = [row for game in games for row in game.bots if row.bot == bot.bot]
            counts: dict[str, int] = {
                "games": sum(row.games for row in rows),
                "blocks": sum(row.blocks for row in rows),
                "faults": sum(game.fault_count(bot.bot) for game in games),
            }
            yield {
                "game": over,
                "view": view.view,
                "bot": bot.bot,
                **_rating(bot),
                **counts,
            }


def _rating(bot: BotRow | RankedBot) -> dict[str, Any]:
    # None becomes an empty cell, which spreadsheets do not read as 0.
    elo = bot.elo or UNKNOWN
    return {
        "rating": elo.value,
        "low": elo.low,
        "high": elo.high,
        "rank": bot.rank,
        "rank_low": bot.best,
        "rank_high": bot.worst,
    }


def _interval(name: str, estimate: OpenEstimate | None) -> dict[str, Any]:
    ends = estimate or UNKNOWN
    return {name: ends.value, f"{name}_low": ends.low, f"{name}_high": ends.high}
