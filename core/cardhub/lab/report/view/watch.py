"""Games of a match worth watching, and the choice of games that have pages."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import TypeVar

from cardhub.lab.analysis.schema import GameStatistics, UpsetGame
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.view.listings import Listings

T = TypeVar("T")
# Default maximum number of games of a report that have pages.
MOST_PAGES = 40


def upsets_in_turn(
    games: Iterable[GameStatistics],
) -> tuple[tuple[GameStatistics, UpsetGame], ...]:
    """Return the upsets of all games, in turn from each game, the greatest first."""
    return tuple(_in_turn([(game, upset) for upset in game.upsets] for game in games))


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


def _in_turn(queues: Iterable[Sequence[T]]) -> Iterator[T]:
    for turn in zip_longest(*queues):
        yield from (item for item in turn if item is not None)
