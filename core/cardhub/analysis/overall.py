"""All games of a match together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cardhub.analysis.contests import Contested
from cardhub.analysis.rows import estimate, ranks
from cardhub.match.spec import Match
from cardhub.stats import Estimate, Overall, Ranks, Rating, Ratings, View, disagreements
from cardhub.stats import overall_views as views_of

NAMES = {"mean Elo": "mean", "Nash averaging": "nash", "Kemeny": "kemeny"}
LOSS = 400.0
"""How far below the last bot of a game somebody stands for whom it counts as a loss."""
FEWEST = 2


def overall_of(
    match: Match, contests: Sequence[Contested]
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the section about all games, and notes in sentences if there is none."""
    if len(contests) < FEWEST:
        return None, []
    assumed = _assumed(match, contests)
    ratings = [
        _with_losses(found.ratings, [bot for bot, games in assumed.items() if n in games])
        for n, found in enumerate(contests)
    ]
    try:
        found = views_of(ratings, level=match.rating.level)
    except ArithmeticError as error:
        return None, [f"The games were not put together: {error}."]
    if found is None or len(found.bots) < FEWEST:
        return None, ["There are not two bots that are rated in every game."]
    data = _Section(match, contests, found).data()
    data["assumed"] = _games(match, contests, assumed)
    data["left_out"] = _games(match, contests, _unrated(match, ratings, found))
    return data, []


class _Section:
    """The views over all games, on their way into the result."""

    def __init__(self, match: Match, contests: Sequence[Contested], found: Overall) -> None:
        self._match, self._contests, self._found = match, contests, found
        self._names = [entrant.id for entrant in match.entrants]

    def data(self) -> dict[str, Any]:
        found = self._found
        asked = [
            view
            for name in self._match.rating.overall
            for view in found.views
            if NAMES[view.name] == name
        ]
        return {
            "views": [self._view(view) for view in asked],
            "game_mixture": [
                {"game": contested.contest.id, "share": estimate(share)}
                for contested, share in zip(self._contests, found.games, strict=True)
            ],
            "bot_mixture": self._shares(found.best),
            "gap": found.gap,
            "lottery": self._shares(found.lottery),
            "contradictions": found.kemeny.contradictions,
            "bound": found.kemeny.bound,
            "equals": found.kemeny.equals,
            "is_anchored": found.is_anchored,
            "disagreements": disagreements(replace(found, views=tuple(asked)), self._names),
        }

    def _view(self, view: View) -> dict[str, Any]:
        rows: list[dict[str, Any]] = [
            {
                "bot": self._names[bot],
                "elo": estimate(view.scores[n] if view.scores else None),
                **ranks(view.ranks[n]),
            }
            for n, bot in enumerate(self._found.bots)
        ]
        rows.sort(key=lambda row: row["rank"])
        return {"view": NAMES[view.name], "title": view.name, "bots": rows}

    def _shares(self, shares: Sequence[float]) -> list[dict[str, Any]]:
        pairs = zip(self._found.bots, shares, strict=True)
        return [{"bot": self._names[bot], "share": share} for bot, share in pairs]


def _assumed(match: Match, contests: Sequence[Contested]) -> dict[int, list[int]]:
    """Return the bots for which missing games count as losses, each with these games."""
    if match.rating.missing != "loss":
        return {}
    found = {}
    for number, entrant in enumerate(match.entrants):
        missing = [n for n, one in enumerate(contests) if one.contest.id not in entrant.plays]
        rated = [n for n, one in enumerate(contests) if number in one.ratings.rated]
        if missing and len(missing) + len(rated) == len(contests):
            found[number] = missing
    return found


def _with_losses(ratings: Ratings, bots: Sequence[int]) -> Ratings:
    """Return ratings in which some more bots stand below the last, in every draw."""
    if not ratings.rated or not bots:
        return ratings
    by_bot = list(ratings.by_bot)
    last = min(rating.elo.value for rating in by_bot if rating is not None) - LOSS
    for bot in bots:
        place = len(ratings.rated) + 1
        by_bot[bot] = Rating(bot, Estimate(last, last, last), Ranks(place, place, place), 0, 0)
    below = np.repeat(ratings.draws.min(axis=1, keepdims=True) - LOSS, len(bots), axis=1)
    return replace(
        ratings,
        by_bot=tuple(by_bot),
        rated=(*ratings.rated, *bots),
        draws=np.hstack([ratings.draws, below]),
    )


def _unrated(match: Match, ratings: Sequence[Ratings], found: Overall) -> dict[int, list[int]]:
    """Return the bots that have no place, each with the games in which it is not rated."""
    return {
        bot: [n for n, rated in enumerate(ratings) if bot not in rated.rated]
        for bot in range(len(match.entrants))
        if bot not in found.bots
    }


def _games(
    match: Match, contests: Sequence[Contested], found: dict[int, list[int]]
) -> list[dict[str, Any]]:
    """Return bots with some of their games, as rows."""
    return [
        {
            "bot": match.entrants[bot].id,
            "games": [contests[number].contest.id for number in games],
        }
        for bot, games in found.items()
    ]
