"""Selections of games behind a number of a report."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from shlex import quote

from cardhub.analysis.totals import margin_of
from cardhub.match.task import GameResult

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


def _seats(seats: Collection[str], bot: str) -> list[int]:
    return [seat for seat, name in enumerate(seats) if name == bot]


def _span(numbers: tuple[int, int]) -> str:
    low, high = numbers
    return f"{low}..{high}"
