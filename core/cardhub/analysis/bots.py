"""The bots of a contest, with their ratings."""

from collections.abc import Collection
from typing import Any

from cardhub.analysis.contest_tally import ContestTally
from cardhub.analysis.rows import estimate, ranks
from cardhub.match.spec import Match
from cardhub.stats import Rating, Ratings


def bot_rows(
    match: Match, tally: ContestTally, ratings: Ratings, withdrawn: Collection[str]
) -> list[dict[str, Any]]:
    """Return a row for each bot, best first, those without a rating last."""
    rows = []
    for number, entrant in enumerate(match.entrants):
        if entrant.id in tally.bots:
            rating = ratings.by_bot[number]
            row = _row(tally, entrant.id, rating)
            row["is_withdrawn"] = entrant.id in withdrawn
            rows.append((rating.ranks.rank if rating else len(match.entrants) + 1, row))
    return [row for _, row in sorted(rows, key=lambda pair: pair[0])]


def _row(tally: ContestTally, bot: str, rating: Rating | None) -> dict[str, Any]:
    found = tally.bots[bot]
    return {
        "game": tally.contest.id,
        "bot": bot,
        "deals": found.deals,
        "is_filler": bot in tally.contest.fillers,
        "blocks": found.blocks,
        "games": found.games,
        "points": found.points,
        "elo": estimate(rating.elo if rating else None),
        **ranks(rating.ranks if rating else None),
        "worst_games": found.worst_games(),
    }
