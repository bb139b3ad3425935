"""The value of a game by its causes."""

from typing import NamedTuple

from doppelkopf.table import KONTRA, RE, SEATS, Table, points

ENOUGH = 121
# Fewer points of the losers are worth a point each.
LIMITS = (90, 60, 30)


class Cause(NamedTuple):
    """A cause of points: its label and what each of the winners gets for it."""

    label: str
    points: int


def owners(state: Table) -> set[int]:
    """Return the seats on the side of Re in a finished game."""
    return {seat for seat in range(SEATS) if state.queens[seat]}


def is_solo(state: Table) -> bool:
    """Return whether one player had both queens of clubs."""
    return len(owners(state)) == 1


def side_points(state: Table, side: int) -> int:
    """Return the points of the cards that a side has taken in a finished game."""
    members = [seat for seat in range(SEATS) if (seat in owners(state)) == (side == RE)]
    return sum(points(state, seat) for seat in members)


def winning_side(state: Table) -> int:
    """Return the winners: Re needs 121 points, or 120 if only Kontra has announced."""
    is_kontra_alone = KONTRA in state.announced and RE not in state.announced
    return RE if side_points(state, RE) >= ENOUGH - is_kontra_alone else KONTRA


def causes(state: Table) -> list[Cause]:
    """Return what the winners get in a finished game."""
    winner = winning_side(state)
    losers = 1 - winner
    lost = side_points(state, losers)
    listed = [Cause("won", 1)]
    if winner == KONTRA and not is_solo(state):
        listed.append(Cause("against the queens", 1))
    listed += [Cause(f"below {limit}", 1) for limit in LIMITS if lost < limit]
    takers = {seat for seat in range(SEATS) if state.taken[seat]}
    if all((seat in owners(state)) == (winner == RE) for seat in takers):
        listed.append(Cause("no trick lost", 1))
    listed += [
        Cause(f"{name} announced", 2)
        for side, name in ((RE, "Re"), (KONTRA, "Kontra"))
        if side in state.announced
    ]
    return listed


def by_seat(state: Table, value: int) -> list[int]:
    """Return the points of each seat if each of the winners gets a value.

    A single player gets or pays it three times, so all points add up to 0.
    """
    re_value = value if winning_side(state) == RE else -value
    factor = 3 if is_solo(state) else 1
    return [re_value * factor if seat in owners(state) else -re_value for seat in range(SEATS)]
