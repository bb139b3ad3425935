"""Sides: teams that cards or play decide, as far as a state shows them."""

from dataclasses import replace
from typing import Any

from cardhub.base.errors import HiddenFaceError
from cardhub.model.game.game import Game
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.state import State

# By seat an index into the game's `sides`, or None if the side is unknown or not decided.
KnownSides = tuple[int | None, ...]


def known_sides(game: Game[Any], state: State) -> KnownSides:
    """Return the side of each seat as far as a state shows it; empty for a game without sides.

    An observation shows only sides that its viewer knows, a full state shows all. Raises TypeError
    for a side that is not an index into `sides`.
    """
    return tuple(_known_side(game, state, seat) for seat in range(state.seats) if game.sides)


def _known_side(game: Game[Any], state: State, seat: int) -> int | None:
    try:
        side: object = game.side(state, seat)
    except HiddenFaceError:
        return None
    if side is None or (type(side) is int and 0 <= side < len(game.sides)):
        return side
    raise TypeError(
        f"{game.name}: side() returns {side!r} for seat {seat}\n"
        f"fix: return None, or an index into `sides`, from 0 to {len(game.sides) - 1}"
    )


def complete_sides(sides: KnownSides) -> tuple[int, ...]:
    """Return the sides, or an empty tuple unless the sides of all seats are known."""
    known = tuple(side for side in sides if side is not None)
    return known if len(known) == len(sides) else ()


def teams_of_sides(sides: KnownSides) -> tuple[int, ...]:
    """Return the sides as teams, in which each seat without a known side is a team."""
    free = max((side for side in sides if side is not None), default=-1) + 1
    return tuple(free + seat if side is None else side for seat, side in enumerate(sides))


def with_sides(scoring: Scoring, sides: tuple[int, ...]) -> Scoring:
    """Return the scoring in which each side is a team, or the same scoring without sides.

    It is for the words and the rows of a result: places and returns count each seat for itself.
    """
    if not sides:
        return scoring
    return replace(scoring, teams=sides)
