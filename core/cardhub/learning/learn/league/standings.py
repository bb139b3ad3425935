"""The ratings of a league: one fit of the matches of all its checkpoints."""

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
    """The rating of a bot of a league above the mean of all, with its interval.

    `steps` are its training steps, 0 for a bot that does not learn. `unit` is `Elo`, or that of
    points a game where the game is played for points. Values are None where they are not finite,
    for a bot that won or lost everything, or where there are too few games.
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
    """The ratings of a league, as `cardhub league` writes them; `level` is that of intervals."""

    league: str
    game: str
    players: int
    rounds: int
    every: int
    level: float
    ratings: tuple[LeagueRating, ...]


class RatedMatch(NamedTuple):
    """A match of a checkpoint, and the folder of its log."""

    match: Match
    folder: Path


def build_standings(members: Sequence[Member], played: Sequence[RatedMatch]) -> list[LeagueRating]:
    """Return the standings of the bots of all matches, in the order of `members`."""
    whole = _whole([one.match for one in played])
    totals = ContestTotals(whole, whole.contests[0])
    first = 0
    for match, folder in played:
        size = Games(match).size
        for results in _blocks(folder, first):
            if len(results) == size(results[0].contest, results[0].bots):
                totals.add(results)
        first += match.order.blocks
    found = ratings_of(whole, totals)
    rated = {entrant.id: one for entrant, one in zip(whole.entrants, found, strict=True) if one}
    unit = f"{whole.contests[0].unit} a game" if whole.contests[0].in_points else "Elo"
    return [
        LeagueRating(name, steps, one.value, one.low, one.high, totals.bots[name].games, unit)
        for name, _, steps in members
        if (one := rated.get(name))
    ]


def _whole(matches: Sequence[Match]) -> Match:
    """Return the match of all bots, in which each may meet each other."""
    entrants = {entrant.id: entrant for match in matches for entrant in match.entrants}
    return replace(matches[0], entrants=tuple(entrants.values()), order=Order())


def _blocks(folder: Path, first: int) -> Iterator[list[GameResult]]:
    """Yield the blocks of a log; the first deal gets the number `first`."""
    # Matches have different cards on the deals of one number, which the fit takes to be the same.
    games = (replace_struct(game, deal=first + game.deal) for _, game in read_games(folder))
    for _, results in groupby(games, BLOCK):
        yield list(results)
