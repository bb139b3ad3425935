"""The extents of the fields of a table's states, as the game declares them.

No game is played: equal tables have equal extents at any time. A field without a declaration has a
default, if its length is known.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from cardhub.base.errors import LayoutError
from cardhub.base.errors.source_lines import line_of_field
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import table_size
from cardhub.model.table.ranges import IndexOf, Numbers, Omitted, TableSize
from cardhub.model.table.state import State, declared_names

SCORES = "scores"
# The number that arrays encode as one half if a field declares no range: most fields count a few
# things, and greater numbers still differ.
UNDECLARED = 16


@dataclass(slots=True, kw_only=True)
class Extent:
    """The range of a field: the lengths of its lists, and its lowest and highest value.

    `bits`: the number of bits of a set, else 0. `is_category`: the values are names rather than
    quantities. `is_declared`: the values have a declared range.
    """

    is_single: bool = False
    shortest: int = 1
    longest: int = 1
    low: int = -UNDECLARED
    high: int = UNDECLARED
    bits: int = 0
    is_category: bool = False
    is_declared: bool = True

    @property
    def is_flag(self) -> bool:
        """Whether the only values are 0 and 1."""
        return (self.low, self.high, self.bits) == (0, 1, 0)

    @property
    def greatest(self) -> int:
        """The greatest absolute value."""
        return max(abs(self.low), abs(self.high))

    @property
    def is_constant(self) -> bool:
        """Whether the field never changes, so that it tells nothing."""
        return self.shortest == self.longest and (self.low == self.high or not self.longest)


# By field; None for a field that arrays leave out.
Extents = dict[str, Extent | None]


def declared_extents(game: Game[Any], state: State, without: Collection[str] = ()) -> Extents:
    """Return the extents of the scores and of all fields except zones and those in `without`.

    `state`: any state of the table after the deal. Raises LayoutError for a list whose length is
    neither declared nor the number of seats.
    """
    table = table_size(game, state.settings, state.seats, len(state.face))
    extents: Extents = {
        name: _extent(state, name, table) for name in declared_names(state) if name not in without
    }
    seats = state.seats
    scores = Extent(shortest=seats, longest=seats, is_declared=False)
    if game.score_range is not None:
        scores = _declared(game.score_range, table, is_single=False)
    extents[SCORES] = scores
    return extents


def _extent(state: State, name: str, table: TableSize) -> Extent | None:
    declaration = type(state)._declaration
    numbers, value = declaration.numbers.get(name), getattr(state, name)
    if isinstance(numbers, Omitted) or isinstance(value, str | tuple):
        return None
    if isinstance(numbers, Numbers):
        lengths = "tokens" if name in declaration.token_fields else ""
        return _declared(numbers, table, is_single=not isinstance(value, list), count=lengths)
    if name in declaration.nested:
        return None
    if not isinstance(value, list):
        return _undeclared(value, 1, is_single=True)
    if name in declaration.token_fields:
        return _undeclared(0, len(state.face), is_single=False)
    if len(value) != state.seats:
        raise LayoutError(_unknown_length(type(state), name))
    return _undeclared(value[0], state.seats, is_single=False)


def _declared(numbers: Numbers, table: TableSize, *, is_single: bool, count: str = "") -> Extent:
    span = numbers.span(table)
    shortest, longest = (1, 1) if is_single else numbers.lengths(table)
    if count:
        shortest = longest = table.value(count)
    return Extent(
        is_single=is_single,
        shortest=shortest,
        longest=longest,
        low=span.low,
        high=span.high,
        bits=span.bits,
        is_category=isinstance(numbers, IndexOf),
    )


def _undeclared(value: object, length: int, *, is_single: bool) -> Extent:
    extent = Extent(is_single=is_single, shortest=length, longest=length)
    if isinstance(value, bool):
        extent.low, extent.high = 0, 1
    else:
        extent.is_declared = False
    return extent


def _unknown_length(kind: type, name: str) -> str:
    line = line_of_field(kind, name)
    where = f"{line}: " if line else ""
    return (
        f"{where}{kind.__name__}.{name} does not say how many numbers it can have, which arrays of "
        f"fixed size need. fix: {name}: Annotated[list[int], Range(0, 9, most=8)], with its own "
        "numbers, or Annotated[list[int], Omitted()]"
    )
