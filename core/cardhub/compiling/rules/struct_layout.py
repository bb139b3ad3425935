"""The C struct of a state: fixed places for all that its class declares."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.table.ranges import Numbers, TableSize
from cardhub.model.table.state_declaration import StateDeclaration

# The fields of every state that rules read as numbers or lists of tokens; seats come first.
CORE_SCALARS = ("seats", "everybody", "seat", "phase")
CORE_LISTS = ("face", "back", "seen")
# The greatest number of shuffles in one action.
MOST_SHUFFLES = 4


@dataclass(frozen=True, slots=True)
class StructField:
    """A field of the struct: one number, a list, or rows of lists.

    `room`: how many items a list can have; 0 for a number. `rows`: None without rows, 0 for a row
    for each seat.
    """

    name: str
    room: int = 0
    rows: int | None = None
    is_truth: bool = False

    @property
    def kind(self) -> str:
        """The kind of field in C."""
        return "SCALAR" if not self.room else "LINE" if self.rows is None else "ROWS"


@dataclass(frozen=True, slots=True)
class StructLayout:
    """The fields of the struct for a game's states as they declare them, at its largest table.

    `left_out` are fields that the struct does not have, because they hold texts, tuples or nested
    lists: rules may write them, but not read them.
    """

    declaration: StateDeclaration
    fields: tuple[StructField, ...]
    left_out: frozenset[str]
    seats: int
    tokens: int

    def field(self, name: str) -> StructField | None:
        """Return a field by its name, or None."""
        return next((field for field in self.fields if field.name == name), None)


def obstacle_of(game: Game[Any]) -> str:
    """Return why no state of a game has a struct; empty if they have one."""
    declaration: StateDeclaration = game.state_type._declaration
    if declaration.views or declaration.private:
        return "the state has secrets other than cards, or a history of views"
    return ""


def struct_layout(game: Game[Any]) -> StructLayout:
    """Return the layout of a game's states."""
    declaration: StateDeclaration = game.state_type._declaration
    seats, tokens = game.seats.high, max(1, len(game.cards.copies))
    things = {"seats": seats, "tokens": tokens, "faces": len(game.cards.faces)}
    size = TableSize({**things, "actions": game.actions.size})
    fields = (
        *(StructField(name) for name in CORE_SCALARS),
        *(StructField(name, tokens) for name in CORE_LISTS),
        *_own_fields(declaration, size, seats, tokens),
    )
    known = {field.name for field in fields}
    return StructLayout(
        declaration,
        fields,
        frozenset(name for name in declaration.added if name not in known),
        seats,
        tokens,
    )


def _own_fields(
    declaration: StateDeclaration, size: TableSize, seats: int, tokens: int
) -> Iterator[StructField]:
    for zone in declaration.zones:
        yield StructField(zone.name, tokens, zone.count)
    zones = {zone.name for zone in declaration.zones}
    for name, value in declaration.plain.items():
        if type(value) in (int, bool):
            yield StructField(name, is_truth=type(value) is bool)
    for name in declaration.lists:
        if name in zones:
            continue
        is_by_token = name in declaration.token_fields
        most = seats if name == declaration.choices else tokens
        yield StructField(name, tokens if is_by_token else _room(declaration, name, size, most))


def _room(declaration: StateDeclaration, name: str, size: TableSize, otherwise: int) -> int:
    """Return how many numbers a list can have, by its declaration if that says so."""
    numbers = declaration.numbers.get(name)
    if not isinstance(numbers, Numbers):
        return otherwise
    try:
        _, most = numbers.lengths(size)
    except LookupError:  # an option bounds it
        return otherwise
    return max(1, most)
