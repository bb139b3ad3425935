"""Games of a match worth watching, and the choice of games that have pages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import TypeVar

from cardhub.lab.analysis.schema import GameStatistics, UpsetGame
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.number_format import POINTS
from cardhub.lab.report.view.listings import Listings

T = TypeVar("T")
# Default maximum number of games of a report that have pages.
MOST_PAGES = 40


@dataclass(frozen=True)
class UpsetView:
    """An upset in a game of the match; its difference of ratings has a `unit` and `digits`."""

    game: str
    upset: UpsetGame
    unit: str
    digits: int


def upset_views(games: Iterable[GameStatistics]) -> tuple[UpsetView, ...]:
    """Return the upsets of all games, in turn from each game, the greatest first."""
    by_game = ([_upset_view(game, upset) for upset in game.upsets] for game in games)
    return tuple(_in_turn(by_game))


def chosen_games(listings: Listings, most: int) -> tuple[GameResult, ...]:
    """Return at most `most` games of filled lists.

    Lists of named games (faults, losses, upsets) come first, then the first games of all others.
    Lists take turns, because no bot should get all pages.
    """
    lists = list(listings)
    named = [listing.games for listing in lists if listing.selection.ids]
    others = [listing.games for listing in lists if not listing.selection.ids]
    unique = {game.id: game for game in chain(_in_turn(named), _in_turn(others))}
    return tuple(islice(unique.values(), most))


def _upset_view(game: GameStatistics, upset: UpsetGame) -> UpsetView:
    if game.scoring == POINTS:
        return UpsetView(game.game, upset, f"{game.unit} a game", 2)
    return UpsetView(game.game, upset, "Elo", 0)


def _in_turn(queues: Iterable[Sequence[T]]) -> Iterator[T]:
    for turn in zip_longest(*queues):
        yield from (item for item in turn if item is not None)
