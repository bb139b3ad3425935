"""The ratings of a match as CSV."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from cardhub.analysis.game_schema import BotRow, GameStatistics, IntervalEstimate
from cardhub.analysis.schema import MatchResult, RankedBot

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
)


def ratings(result: MatchResult) -> str:
    """Encode a row for each bot and game, then one for each bot and ranking over all games.

    The latter have no game, and counts summed over all games. Missing values and infinite ends of
    intervals are empty strings.
    """
    text = StringIO()
    # Not the default "\r\n": all reports have the same line ends on every system.
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for game in result.statistics.games:
        writer.writerows(_row(game, bot) for bot in game.bots)
    writer.writerows(_overall(result))
    return text.getvalue()


def _row(game: GameStatistics, bot: BotRow) -> dict[str, Any]:
    return {
        "game": game.game,
        "bot": bot.bot,
        **_rating(bot),
        "games": bot.games,
        "blocks": bot.blocks,
        "faults": _faults(game, bot.bot),
        **_points(bot.points),
    }


def _overall(result: MatchResult) -> Iterator[dict[str, Any]]:
    games = result.statistics.games
    overall = result.statistics.overall
    # A match of one game has no rankings over all games.
    for view in overall.views if overall else []:
        for bot in view.bots:
            rows = [row for game in games for row in game.bots if row.bot == bot.bot]
            yield {
                "view": view.view,
                "bot": bot.bot,
                **_rating(bot),
                "games": sum(row.games for row in rows),
                "blocks": sum(row.blocks for row in rows),
                "faults": sum(_faults(game, bot.bot) for game in games),
            }


def _rating(bot: BotRow | RankedBot) -> dict[str, Any]:
    # None becomes an empty cell, which spreadsheets do not take for 0.
    elo = bot.elo or IntervalEstimate(None, None, None)
    return {
        "rating": elo.value,
        "low": elo.low,
        "high": elo.high,
        "rank": bot.rank,
        "rank_low": bot.best,
        "rank_high": bot.worst,
    }


def _points(found: IntervalEstimate | None) -> dict[str, Any]:
    points = found or IntervalEstimate(None, None, None)
    return {"points": points.value, "points_low": points.low, "points_high": points.high}


def _faults(game: GameStatistics, bot: str) -> int:
    return sum(fault.count for fault in game.faults if fault.bot == bot)
