"""Selections of games behind the numbers of a report, their lists, and the games worth watching."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice, product, zip_longest
from shlex import quote
from typing import TypeVar

from cardhub.lab.analysis.block_schema import UncountedBlock
from cardhub.lab.analysis.schema import GameStatistics, UpsetGame
from cardhub.lab.analysis.totals import margin_of
from cardhub.lab.match.task import GameResult

# Maximum number of games in all lists of a report, which bounds its size.
MAX_ROWS = 4000
# Limits of the length of one list.
MIN_LIST, MAX_LIST = 3, 100
# The command that lists games, to be run in the folder of the match.
COMMAND = "cardhub match games ."


@dataclass(frozen=True)
class Selection:
    """A filter for the games of a log; attributes with default values match all games.

    `bots` play in the block; `deals` is an inclusive range; `margin` is an inclusive range for the
    difference between a seat of the first bot and one of the second. `partners` selects blocks with
    `same` or `mixed` partners; with `mixed`, `bots` are the partners. If `ids` is set, all other
    attributes are ignored. Games of excluded blocks match only if `is_counted` is false.
    """

    game: str = ""
    bots: tuple[str, ...] = ()
    deals: tuple[int, int] | None = None
    margin: tuple[int, int] | None = None
    is_faulty: bool = False
    ids: tuple[str, ...] = ()
    is_counted: bool = True
    partners: str = ""

    def has(self, game: GameResult) -> bool:
        """Return whether a game matches."""
        if self.ids:
            return game.id in self.ids
        return (
            self.game in ("", game.contest)
            and set(self.bots) <= set(game.bots)
            and self._has_partners(game)
            and (self.deals is None or self.deals[0] <= game.deal <= self.deals[1])
            and (bool(game.faults) or not self.is_faulty)
            and (self.margin is None or self._is_within(game, self.margin))
        )

    @property
    def command(self) -> str:
        """The command that lists all matching games."""
        words = [COMMAND]
        if self.game:
            words.append(f"--game {quote(self.game)}")
        if self.bots:
            words.append(f"--bots {quote(','.join(self.bots))}")
        if self.partners:
            words.append(f"--partners {self.partners}")
        if self.deals is not None:
            words.append(f"--deals {_span(self.deals)}")
        if self.margin is not None:
            # With `=`: a value that begins with a minus sign would be parsed as an option.
            words.append(f"--margin={_span(self.margin)}")
        if self.is_faulty:
            words.append("--faulty")
        return " ".join(words)

    def _has_partners(self, game: GameResult) -> bool:
        if not self.partners:
            return True
        if self.partners == "same":
            return not game.has_mixed_partners
        return game.has_mixed_partners and set(self.bots) <= {*game.bots[:2]}

    def _is_within(self, game: GameResult, margin: tuple[int, int]) -> bool:
        low, high = margin
        mine, theirs = (_seats(game.seats, bot) for bot in self.bots)
        # A bot may sit at several seats; a single pair of seats within the range is enough.
        margins = (margin_of(game, seat, rival) for seat, rival in product(mine, theirs))
        return any(ahead is not None and low <= ahead <= high for ahead in margins)


@dataclass(slots=True)
class Listing:
    """The first games of a selection; `count` is their total number, None if unknown."""

    anchor: str
    title: str
    selection: Selection
    count: int | None
    games: list[GameResult] = field(default_factory=list)

    @property
    def has_command(self) -> bool:
        """Whether a command can list all games; no option selects games by id."""
        return not self.selection.ids

    def is_full(self, most: int) -> bool:
        """Return whether the list is complete, or has `most` games."""
        return len(self.games) >= (most if self.count is None else min(most, self.count))

    def sort(self) -> None:
        """Sort games that were selected by id into the order of the ids: the worst loss first."""
        order = {name: number for number, name in enumerate(self.selection.ids)}
        self.games.sort(key=lambda game: order.get(game.id, 0))


class Listings:
    """A list of games for each Selection; one iteration over the log fills them all.

    Iterators yield lists of named games (losses, upsets, faults) before all others.
    """

    def __init__(self, left_out: Collection[UncountedBlock] = ()) -> None:
        self._left_out = left_out
        self._by_selection: dict[Selection, Listing] = {}

    def __iter__(self) -> Iterator[Listing]:
        # The sort is stable, so lists otherwise keep the order of their links.
        return iter(
            sorted(self._by_selection.values(), key=lambda listing: not listing.selection.ids)
        )

    def listing(self, selection: Selection, title: str, count: int | None = None) -> Listing:
        """Return a selection's list, which the first call creates."""
        if selection not in self._by_selection:
            anchor = f"games-{len(self._by_selection) + 1}"
            self._by_selection[selection] = Listing(anchor, title, selection, count)
        return self._by_selection[selection]

    def link(self, selection: Selection, title: str, count: int | None = None) -> str:
        """Return the HTML id of a selection's list."""
        return self.listing(selection, title, count).anchor

    def of(self, anchor: str) -> Listing:
        """Return a list by its HTML id."""
        return next(listing for listing in self if listing.anchor == anchor)

    def fill(self, games: Iterable[GameResult]) -> None:
        """Read the games of a log until all lists are full."""
        # All lists share MAX_ROWS, which bounds the size of a report.
        most = max(MIN_LIST, min(MAX_LIST, MAX_ROWS // max(len(self._by_selection), 1)))
        unfilled = _UnfilledLists(self._by_selection.values(), most)
        for game in games:
            if unfilled.is_empty:
                break
            unfilled.add(game, self._is_counted(game))
        for listing in self._by_selection.values():
            listing.sort()

    def _is_counted(self, game: GameResult) -> bool:
        return not any(
            block.game == game.contest
            and block.bots == game.bots
            and block.deals[0] <= game.deal <= block.deals[1]
            for block in self._left_out
        )


class _UnfilledLists:
    # A log may have a million games, and a report hundreds of lists. A lookup by the id of a game
    # or by its block avoids applying the filter of each list to each game.

    def __init__(self, listings: Iterable[Listing], most: int) -> None:
        self._most = most
        self._open = {listing.anchor: listing for listing in listings if not listing.is_full(most)}
        self._by_id: dict[str, list[Listing]] = {}
        for listing in self._open.values():
            for name in listing.selection.ids:
                self._by_id.setdefault(name, []).append(listing)
        self._candidates = cache(self._matching)

    @property
    def is_empty(self) -> bool:
        return not self._open

    def add(self, game: GameResult, is_counted: bool) -> None:
        for listing in self._by_id.get(game.id, ()):
            self._put(listing, game)
        for listing in self._candidates(game.contest, game.bots):
            counts = is_counted or not listing.selection.is_counted
            if listing.anchor in self._open and counts and listing.selection.has(game):
                self._put(listing, game)

    def _put(self, listing: Listing, game: GameResult) -> None:
        listing.games.append(game)
        if listing.is_full(self._most):
            self._open.pop(listing.anchor, None)
            # The cached candidates contain the list that is full now.
            self._candidates.cache_clear()

    def _matching(self, contest: str, bots: tuple[str, ...]) -> list[Listing]:
        return [
            listing
            for listing in self._open.values()
            if not listing.selection.ids
            and listing.selection.game in ("", contest)
            and set(listing.selection.bots) <= set(bots)
        ]


def _seats(seats: Collection[str], bot: str) -> list[int]:
    return [seat for seat, name in enumerate(seats) if name == bot]


def _span(numbers: tuple[int, int]) -> str:
    low, high = numbers
    return f"{low}..{high}"


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
