"""Numbers of cards in their piles: how people tell apart cards that look alike."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.hidden.constraints.face_masks import mask_of
from cardhub.model.table.state import State


class PileNumber(NamedTuple):
    """The pile of a token and its number there, from 1, among some cards of the pile.

    `seat` is the owner; None for a shared zone. `pile` counts the piles of the zone from 1.
    """

    zone: str
    seat: int | None
    pile: int
    number: int


def card_numbers(
    state: State | None, tokens: Sequence[int | None], faces: Sequence[int], backs: Sequence[int]
) -> list[PileNumber]:
    """Return the number of each card in its pile, among equal ones or all those of its back.

    The list is empty unless all of them are cards in a pile of a known state.
    """
    found = []
    for token in tokens:
        if state is None or token is None:
            return []
        kinds = faces if faces[token] >= 0 else backs
        number = _pile_number(state, token, partial(_is_of_kind, kinds, kinds[token]))
        if number is None:
            return []
        found.append(number)
    return found


def public_differences(game: Game[Any], state: State | None, token: int) -> tuple[object, ...]:
    """Return a key that differs for equal cards which other seats can tell apart.

    They do so by the pile, by having seen one of the cards, by public notes about it, and by what
    public actions have excluded for it.
    """
    if state is None:
        return ()
    number = _pile_number(state, token, lambda _: True)
    notes = [getattr(state, name)[token] for name in state.token_fields]
    return (number and number[:3], state.seen[token], mask_of(game, state, token), *notes)


def _is_of_kind(kinds: Sequence[int], kind: int, token: int) -> bool:
    return kinds[token] == kind


def _pile_number(state: State, token: int, is_counted: Callable[[int], bool]) -> PileNumber | None:
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
