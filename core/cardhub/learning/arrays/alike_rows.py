"""Rows that are alike, such as the colours of cards: a network uses the same weights for all."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cardhub.learning.arrays.action_heads import GroupParts
from cardhub.learning.arrays.card_features import Kinds
from cardhub.learning.arrays.feature_spec import Indices, Part
from cardhub.model.game.game import Game

# The number in a row that lacks what other rows have in this column.
ABSENT = -1
# The end of the name of a part that repeats the numbers of a field, one-hot.
ONE_HOT = "_one_hot"
# The parts with a column for each face, for each back, and for both.
OF_FACES, OF_BACKS, OF_KINDS = "known", "unseen", "top_cards"


class AlikeRows(NamedTuple):
    """The slots and the learner's actions by row; in a column the numbers mean the same.

    `slots` and `actions` have the shape rows × columns, and no row if the game declares no rows;
    ABSENT marks what a row lacks. `replaced`: further slots that only number the rows.
    """

    slots: Indices
    actions: Indices
    replaced: Indices


class Cell(NamedTuple):
    """A number in a row: `column` names what it means there."""

    row: int
    column: tuple[object, ...]
    number: int


def alike_rows(
    game: Game[Any], kinds: Kinds, parts: Sequence[Part], groups: Sequence[GroupParts]
) -> AlikeRows:
    """Return the rows that a game declares in its heuristics.

    `parts`: the parts of its arrays. `groups`: the groups of a learner's actions.
    """
    heuristics = game.heuristics
    rows, names = heuristics.face_rows, {*heuristics.row_numbers}
    places = _places(game, rows, kinds)
    slots = [cell for part in parts for cell in _slots(part, places, kinds, names, len(rows))]
    in_rows = {cell.number for cell in slots}
    replaced = [
        slot
        for part in parts
        if part.name.removesuffix(ONE_HOT) in names
        for slot in range(part.slots.start, part.slots.stop)
        if slot not in in_rows
    ]
    actions = [*_actions(game, groups, places, names, len(rows))]
    return AlikeRows(_table(slots, len(rows)), _table(actions, len(rows)), np.array(replaced, int))


def _places(
    game: Game[Any], rows: Sequence[Sequence[int]], kinds: Kinds
) -> dict[int, tuple[int, object]]:
    """Return the row and the column of kinds of cards, by the number of the kind."""
    of_face = {
        face: (row, column) for row, faces in enumerate(rows) for column, face in enumerate(faces)
    }
    places: dict[int, tuple[int, object]] = {
        number: of_face[face] for number, face in enumerate(kinds.faces) if face in of_face
    }
    # A back is alike if it belongs to one row.
    rows_of: dict[int, set[int | None]] = {}
    for face in kinds.faces:
        row = of_face[face][0] if face in of_face else None
        rows_of.setdefault(game.cards.back_of[face], set()).add(row)
    for number, back in enumerate(kinds.backs, len(kinds.faces)):
        owners = rows_of[back]
        if len(owners) == 1 and (row := next(iter(owners))) is not None:
            places[number] = row, OF_BACKS
    return places


def _slots(
    part: Part, places: dict[int, tuple[int, object]], kinds: Kinds, names: set[str], rows: int
) -> Iterator[Cell]:
    faces, width = len(kinds.faces), part.shape[-1]
    first = {OF_FACES: 0, OF_BACKS: faces, OF_KINDS: 0}.get(part.name)
    for place, slot in enumerate(range(part.slots.start, part.slots.stop)):
        line, column = divmod(place, width)
        if first is not None and first + column in places:
            row, meaning = places[first + column]
            yield Cell(row, (part.name, line, meaning), slot)
        elif width == rows and part.name.removesuffix(ONE_HOT) in names:
            yield Cell(column, (part.name, line), slot)


def _actions(
    game: Game[Any],
    groups: Sequence[GroupParts],
    places: dict[int, tuple[int, object]],
    names: set[str],
    rows: int,
) -> Iterator[Cell]:
    start = 0
    for group, parts in zip(game.actions.groups, groups, strict=True):
        is_by_kind = bool(parts.heads) and parts.heads[0].name == "card"
        for index in range(parts.size):
            if is_by_kind and index in places:
                row, meaning = places[index]
                yield Cell(row, (group.verb, meaning), start + index)
            elif parts.size == rows and group.verb in names:
                yield Cell(index, (group.verb,), start + index)
        start += parts.size


def _table(cells: Sequence[Cell], rows: int) -> Indices:
    """Return the numbers by row and column, in the order of their first cells."""
    columns: dict[tuple[object, ...], int] = {}
    for cell in cells:
        columns.setdefault(cell.column, len(columns))
    table = np.full((rows, len(columns)), ABSENT, np.intp)
    for cell in cells:
        table[cell.row, columns[cell.column]] = cell.number
    return table
