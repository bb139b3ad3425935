"""The ratings of a league: a single fit of all checkpoints' matches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace as replace_struct

from cardhub.lab.analysis.accumulate import BLOCK, ContestTotals
from cardhub.lab.analysis.contests import ratings_of
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.match_spec import Match, Order
from cardhub.lab.match.task import GameResult
from cardhub.learning.learn.league.league_plan import Member


@dataclass(frozen=True, slots=True)
class LeagueRating:
    """The rating of a bot of a league relative to the mean of all bots, with its interval.

    `steps`: its training steps, 0 for a bot that does not learn. `unit`: `Elo`, or for a game that
    is played for points the unit of points per game. A value is None if it is not finite, because
    the bot won or lost all games, or if there are too few games.
    """

    bot: str
    steps: int
    rating: float | None
    low: float | None
    high: float | None
    games: int
    unit: str


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """The ratings of a league, as `cardhub league` writes them.

    `level`: the confidence level of the intervals.
    """

    league: str
    game: str
    players: int
    rounds: int
    every: int
    level: float
    ratings: tuple[LeagueRating, ...]


class RatedMatch(NamedTuple):
    """A checkpoint's match and the folder of its log."""

    match: Match
    folder: Path


def build_standings(members: Sequence[Member], played: Sequence[RatedMatch]) -> list[LeagueRating]:
    """Return the standings of the bots of all matches, in the order of `members`."""
    whole = _whole([rated_match.match for rated_match in played])
    totals = ContestTotals(whole, whole.contests[0])
    first = 0
    for match, folder in played:
        size = Games(match).size
        for results in _blocks(folder, first):
            if len(results) == size(results[0].contest, results[0].bots):
                totals.add(results)
        first += match.order.blocks
    ratings = zip(whole.entrants, ratings_of(whole, totals), strict=True)
    rated = {entrant.id: rating for entrant, rating in ratings if rating}
    unit = f"{whole.contests[0].unit} a game" if whole.contests[0].in_points else "Elo"
    return [
        LeagueRating(
            name, steps, rating.value, rating.low, rating.high, totals.bots[name].games, unit
        )
        for name, _, steps in members
        if (rating := rated.get(name))
    ]


def _whole(matches: Sequence[Match]) -> Match:
    """Return a match with the bots of all matches."""
    entrants = {entrant.id: entrant for match in matches for entrant in match.entrants}
    return replace(matches[0], entrants=tuple(entrants.values()), order=Order())


def _blocks(folder: Path, first: int) -> Iterator[list[GameResult]]:
    """Yield the blocks of a log, with deals numbered from `first`."""
    # The fit treats equal numbers as equal deals, but matches have different cards.
    games = (replace_struct(game, deal=first + game.deal) for _, game in read_games(folder))
    for _, results in groupby(games, BLOCK):
        yield list(results)
