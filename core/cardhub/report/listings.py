"""The lists of games that the figures of a report link to."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from cardhub.match.task import GameResult
from cardhub.report.selection import Selection
from cardhub.report.shape import LeftOut

MOST_ROWS = 4000
"""How many games all lists of a report may show together."""
FEWEST, MOST = 3, 100
"""How many games a list may show at least, and at most."""


@dataclass(slots=True)
class Listing:
    """The first games of a selection; `count` is how many there are, None if nobody has said."""

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
    """Keeps a list for everything that is linked to, and fills them all in one go."""

    def __init__(self, left_out: Collection[LeftOut] = ()) -> None:
        self._left_out = left_out
        self._found: dict[Selection, Listing] = {}

    def __iter__(self) -> Iterator[Listing]:
        return iter(self._found.values())

    def link(self, selection: Selection, title: str, count: int | None = None) -> str:
        """Return the name of the list of some games, which is made when it is first asked for."""
        if selection not in self._found:
            anchor = f"games-{len(self._found) + 1}"
            self._found[selection] = Listing(anchor, title, selection, count)
        return self._found[selection].anchor

    def of(self, anchor: str) -> Listing:
        """Return a list by its name."""
        return next(listing for listing in self if listing.anchor == anchor)

    def fill(self, games: Iterable[GameResult]) -> None:
        """Go through the games of a log, as far as they are needed.

        Blocks that do not count are found only where they, or their games, are named.
        """
        most = max(FEWEST, min(MOST, MOST_ROWS // max(len(self._found), 1)))
        waiting = _Waiting(self._found.values(), most)
        for game in games:
            if waiting.is_over:
                return
            waiting.take(game, self._is_counted(game))

    def _is_counted(self, game: GameResult) -> bool:
        return not any(
            block["game"] == game.contest
            and tuple(block["bots"]) == game.bots
            and block["deals"][0] <= game.deal <= block["deals"][-1]
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
        """Put a game on all lists that want it."""
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
        """Return the lists with room that games of a block may belong to."""
        return [
            listing
            for listing in self._open.values()
            if not listing.selection.ids
            and listing.selection.game in ("", contest)
            and set(listing.selection.bots) <= set(bots)
        ]
