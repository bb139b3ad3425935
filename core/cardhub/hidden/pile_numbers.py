"""Numbers of cards in their piles: how people tell apart cards that look alike."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardhub.table.state import State


class PileNumber(NamedTuple):
    """The pile of a token and its number there, from 1, among some cards of the pile.

    `seat` is the owner; None for a shared zone. `pile` counts the piles of the zone from 1.
    """

    zone: str
    seat: int | None
    pile: int
    number: int


def pile_number(state: State, token: int, is_counted: Callable[[int], bool]) -> PileNumber | None:
    """Return the number of a token among the counted ones of its pile; None if it lies nowhere."""
    for zone in state.zones:
        for index, pile in enumerate(zone.piles(state)):
            if token in pile:
                number = sum(map(is_counted, pile[: pile.index(token)])) + 1
                seat = index if zone.count == 0 else None
                return PileNumber(zone.name, seat, index + 1, number)
    return None


def suffixes(numbers: Sequence[PileNumber], player: Callable[[int], str]) -> list[tuple[str, ...]]:
    """Return words for each card by which it differs from the others: `3`, or `Bob 3`."""
    columns: list[list[tuple[str, ...]]] = [
        [() if each.seat is None else (player(each.seat),) for each in numbers],
        [(each.zone,) for each in numbers],
        # The piles of seats are named by their players.
        [() if each.seat is not None else (str(each.pile),) for each in numbers],
        [(str(each.number),) for each in numbers],
    ]
    # Only what differs is said: `take R? 3` if all cards lie in one hand. The number always is.
    told = [column for column in columns[:-1] if len(set(column)) > 1] + columns[-1:]
    return [tuple(word for part in row for word in part) for row in zip(*told, strict=True)]
