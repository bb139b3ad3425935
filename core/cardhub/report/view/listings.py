"""Lists of games that the numbers of a report link to."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from shlex import quote

from cardhub.analysis.game_schema import UncountedBlock
from cardhub.analysis.totals import margin_of
from cardhub.match.task import GameResult

MOST_ROWS = 4000
"""How many games all lists of a report may show together."""
FEWEST, MOST = 3, 100
"""How many games a list may show at least, and at most."""
ALL = "cardhub match games ."
"""The command that lists games, run in the folder of the match."""


@dataclass(frozen=True)
class Selection:
    """Some games of a log; omitted criteria match all games.

    `bots` are among those that meet in the block, `deals` the first and the last number of a deal,
    `margin` the least and the greatest by which a seat of the first bot is ahead of one of the
    second, `ids` are those of the games themselves. Blocks that do not count belong to it only if
    not `is_counted`.
    """

    game: str = ""
    bots: tuple[str, ...] = ()
    deals: tuple[int, int] | None = None
    margin: tuple[int, int] | None = None
    is_faulty: bool = False
    ids: tuple[str, ...] = ()
    is_counted: bool = True

    def has(self, game: GameResult) -> bool:
        """Return whether a game matches."""
        if self.ids:
            return game.id in self.ids
        return (
            self.game in ("", game.contest)
            and set(self.bots) <= set(game.bots)
            and (self.deals is None or self.deals[0] <= game.deal <= self.deals[1])
            and (bool(game.faults) or not self.is_faulty)
            and (self.margin is None or self._is_within(game, self.margin))
        )

    @property
    def command(self) -> str:
        """The command that lists all matching games."""
        words = [ALL]
        if self.game:
            words.append(f"--game {quote(self.game)}")
        if self.bots:
            words.append(f"--bots {quote(','.join(self.bots))}")
        if self.deals is not None:
            words.append(f"--deals {_span(self.deals)}")
        if self.margin is not None:
            words.append(f"--margin={_span(self.margin)}")
        return " ".join([*words, *(["--faulty"] if self.is_faulty else [])])

    def _is_within(self, game: GameResult, margin: tuple[int, int]) -> bool:
        low, high = margin
        mine, theirs = (_seats(game.seats, bot) for bot in self.bots)
        found = (margin_of(game, seat, rival) for seat, rival in product(mine, theirs))
        return any(ahead is not None and low <= ahead <= high for ahead in found)


@dataclass(slots=True)
class Listing:
    """The first games of a selection; `count` is the number of all, None if unknown."""

    anchor: str
    title: str
    selection: Selection
    count: int | None
    games: list[GameResult] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether no game is missing."""
        return len(self.games) == self.count

    @property
    def can_be_told(self) -> bool:
        """Whether a command can list the rest."""
        return not self.selection.ids

    def is_full(self, most: int) -> bool:
        """Whether there is no room for another game, or there is none."""
        return len(self.games) >= (most if self.count is None else min(most, self.count))


class Listings:
    """Keeps a list for every link target, and fills them all in one pass."""

    def __init__(self, left_out: Collection[UncountedBlock] = ()) -> None:
        self._left_out = left_out
        self._found: dict[Selection, Listing] = {}

    def __iter__(self) -> Iterator[Listing]:
        return iter(self._found.values())

    def link(self, selection: Selection, title: str, count: int | None = None) -> str:
        """Return the anchor of the list of a selection; it is made at the first call."""
        if selection not in self._found:
            anchor = f"games-{len(self._found) + 1}"
            self._found[selection] = Listing(anchor, title, selection, count)
        return self._found[selection].anchor

    def of(self, anchor: str) -> Listing:
        """Return a list by its anchor."""
        return next(listing for listing in self if listing.anchor == anchor)

    def fill(self, games: Iterable[GameResult]) -> None:
        """Read the games of a log, as far as they are needed.

        Excluded blocks are listed only by selections that name them or their games.
        """
        most = max(FEWEST, min(MOST, MOST_ROWS // max(len(self._found), 1)))
        waiting = _Waiting(self._found.values(), most)
        for game in games:
            if waiting.is_over:
                return
            waiting.take(game, self._is_counted(game))

    def _is_counted(self, game: GameResult) -> bool:
        return not any(
            block.game == game.contest
            and block.bots == game.bots
            and block.deals[0] <= game.deal <= block.deals[1]
            for block in self._left_out
        )


class _Waiting:
    """The lists that still have room."""

    def __init__(self, listings: Iterable[Listing], most: int) -> None:
        self._most = most
        self._open = {found.anchor: found for found in listings if not found.is_full(most)}
        self._by_id: dict[str, list[Listing]] = {}
        for listing in self._open.values():
            for name in listing.selection.ids:
                self._by_id.setdefault(name, []).append(listing)
        self._of = cache(self._wanting)

    @property
    def is_over(self) -> bool:
        """Whether no list has room."""
        return not self._open

    def take(self, game: GameResult, is_counted: bool) -> None:
        """Add a game to all lists whose selection it matches."""
        for listing in self._by_id.get(game.id, ()):
            self._put(listing, game)
        for listing in self._of(game.contest, game.bots):
            is_wanted = is_counted or not listing.selection.is_counted
            if listing.anchor in self._open and is_wanted and listing.selection.has(game):
                self._put(listing, game)

    def _put(self, listing: Listing, game: GameResult) -> None:
        listing.games.append(game)
        if listing.is_full(self._most):
            self._open.pop(listing.anchor, None)
            self._of.cache_clear()

    def _wanting(self, contest: str, bots: tuple[str, ...]) -> list[Listing]:
        """Return the lists with room that games of a block may match."""
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
