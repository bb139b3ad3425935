"""Rows that are alike, such as colours: a network has the same weights and sums for all."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.arrays.action_heads import GroupParts
from cardhub.learning.arrays.card_features import Kinds
from cardhub.learning.arrays.feature_spec import Indices, Part, Slots
from cardhub.model.game.game import Game
from cardhub.model.table.ranges import BitsOf

# The number in a row that lacks what other rows have in this column.
ABSENT = -1
# The end of the name of a part that repeats the numbers of a field, one-hot.
ONE_HOT = "_one_hot"
# The parts with a column for each face, for each back, and for both.
OF_FACES, OF_BACKS, OF_KINDS = "known", "unseen", "top_cards"
# The parts with a line for each pile.
PARTS_OF_PILES = (OF_FACES, OF_BACKS)
# In sums the number of cards that counts as 1: piles have few cards of one row.
CARDS = 4


class Column(NamedTuple):
    """What the numbers of a column mean: a part and its line, or a verb.

    `meaning`: the place of a face in its row, OF_BACKS for the back of the row's cards, or None for
    the row itself.
    """

    name: str
    line: int
    meaning: int | str | None = None


class AlikeRows(NamedTuple):
    """The slots and the learner's actions by row; in a column the numbers mean the same.

    `slots` and `actions` have the shape rows × columns, and no row if the game declares no rows;
    ABSENT marks what a row lacks. `replaced`: further slots that only number the rows. `columns`:
    the meanings of the columns of slots.
    """

    slots: Indices
    actions: Indices
    replaced: Indices
    columns: Sequence[Column]


class Cell(NamedTuple):
    """A number in a row: `column` names what it means there."""

    row: int
    column: Column
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
    slots += _bits_of_faces(game, parts)
    in_rows = {cell.number for cell in slots}
    replaced = [
        slot
        for part in parts
        if part.name.removesuffix(ONE_HOT) in names
        for slot in range(part.slots.start, part.slots.stop)
        if slot not in in_rows
    ]
    actions = [*_actions(game, groups, places, names, len(rows))]
    columns = _columns(slots)
    return AlikeRows(
        _table(slots, columns, len(rows)),
        _table(actions, _columns(actions), len(rows)),
        np.array(replaced, int),
        columns,
    )


def _places(
    game: Game[Any], rows: Sequence[Sequence[int]], kinds: Kinds
) -> dict[int, tuple[int, int | str]]:
    """Return the row and the column of kinds of cards, by the number of the kind."""
    of_face = {
        face: (row, column) for row, faces in enumerate(rows) for column, face in enumerate(faces)
    }
    places: dict[int, tuple[int, int | str]] = {
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
    part: Part, places: dict[int, tuple[int, int | str]], kinds: Kinds, names: set[str], rows: int
) -> Iterator[Cell]:
    faces, width = len(kinds.faces), part.shape[-1]
    first = {OF_FACES: 0, OF_BACKS: faces, OF_KINDS: 0}.get(part.name)
    for place, slot in enumerate(range(part.slots.start, part.slots.stop)):
        line, column = divmod(place, width)
        if first is not None and first + column in places:
            row, meaning = places[first + column]
            yield Cell(row, Column(part.name, line, meaning), slot)
        elif width == rows and part.name.removesuffix(ONE_HOT) in names:
            yield Cell(column, Column(part.name, line), slot)


def slots_of(part: Part) -> Indices:
    """Return the slots of a part in its shape."""
    return np.arange(part.slots.start, part.slots.stop).reshape(part.shape)


def _bits_of_faces(game: Game[Any], parts: Sequence[Part]) -> Iterator[Cell]:
    """Yield the slots of sets of faces, each in the row of its face."""
    ranges = game.state_type._declaration.numbers
    for part in parts:
        declared = ranges.get(part.name)
        if not (isinstance(declared, BitsOf) and declared.things == "faces"):
            continue
        slots = slots_of(part)
        for row, faces in enumerate(game.heuristics.face_rows):
            for place, face in enumerate(faces):
                for line, slot in enumerate(slots[:, face]):
                    yield Cell(row, Column(part.name, line, place), int(slot))


def rows_differ(game: Game[Any]) -> bool:
    """Return whether cards in the same place of different rows have different numbers printed.

    Numbers that are the same on all cards of a row, such as the number of a suit, do not count.
    """
    rows, faces = game.heuristics.face_rows, game.cards.faces
    for name in faces[rows[0][0]].fields if rows else ():
        values = [[faces[face].fields[name] for face in row] for row in rows]
        are_numbers = all(isinstance(value, int) for row in values for value in row)
        is_of_cards = any(len({*row}) > 1 for row in values)
        if are_numbers and is_of_cards and any(row != values[0] for row in values):
            return True
    return False


def _actions(
    game: Game[Any],
    groups: Sequence[GroupParts],
    places: dict[int, tuple[int, int | str]],
    names: set[str],
    rows: int,
) -> Iterator[Cell]:
    start = 0
    for group, parts in zip(game.actions.groups, groups, strict=True):
        is_by_kind = bool(parts.heads) and parts.heads[0].name == "card"
        for index in range(parts.size):
            if is_by_kind and index in places:
                row, meaning = places[index]
                yield Cell(row, Column(group.verb, 0, meaning), start + index)
            elif parts.size == rows and group.verb in names:
                yield Cell(index, Column(group.verb, 0), start + index)
        start += parts.size


def _columns(cells: Sequence[Cell]) -> list[Column]:
    """Return the columns in the order of their first cells."""
    return [*dict.fromkeys(cell.column for cell in cells)]


def _table(cells: Sequence[Cell], columns: Sequence[Column], rows: int) -> Indices:
    """Return the numbers by row and column."""
    number_of = {column: number for number, column in enumerate(columns)}
    table = np.full((rows, len(columns)), ABSENT, np.intp)
    for cell in cells:
        table[cell.row, number_of[cell.column]] = cell.number
    return table


def row_sums(game: Game[Any], kinds: Kinds, columns: Sequence[Column]) -> Slots:
    """Return the weights of a row's columns in sums, with a line for each sum.

    The sums of a pile are the number of its cards, and the total of each number that the card file
    prints on them, if it is the same in all rows. The sums over all piles are the share of each
    face that is seen, and the number of faces seen from each place in the row on.
    """
    if not columns:
        return np.zeros((0, 0), np.float32)
    copies = _copies(game, kinds, columns)
    faces = [_place(column) for column in columns]
    piles = np.array([column.line if column.name in PARTS_OF_PILES else -1 for column in columns])
    lines = []
    for pile in range(piles.max() + 1):
        is_here = piles == pile
        lines.append(np.where(is_here, copies / CARDS, 0))
        for values in _numbers(game):
            printed = [0 if face is None else values[face] for face in faces]
            lines.append(np.where(is_here, copies * printed, 0))
    width = len(game.heuristics.face_rows[0])
    seen = [np.array([face == place for face in faces], float) for place in range(width)]
    lines += seen
    lines += [np.sum(seen[place:], axis=0) / CARDS for place in range(1, width)]
    return np.array(lines, np.float32)


def _place(column: Column) -> int | None:
    """Return the place in its row of the face that is counted in a pile; None in other columns."""
    if column.name == OF_FACES and isinstance(column.meaning, int):
        return column.meaning
    return None


def _copies(game: Game[Any], kinds: Kinds, columns: Sequence[Column]) -> NDArray[np.float64]:
    """Return how many cards the value 1 stands for in each column of the first row."""
    row = game.heuristics.face_rows[0]
    of_face = dict(zip(kinds.faces, kinds.copies, strict=False))
    of_back = dict(zip(kinds.backs, kinds.copies[len(kinds.faces) :], strict=True))
    copies = np.zeros(len(columns))
    for number, column in enumerate(columns):
        if isinstance(column.meaning, int):
            copies[number] = of_face.get(row[column.meaning], 0)
        elif column.meaning == OF_BACKS:
            copies[number] = of_back[game.cards.back_of[row[0]]]
    return copies


def _numbers(game: Game[Any]) -> Iterator[Sequence[float]]:
    """Yield by place in a row the numbers that the cards of all rows have there, up to 1."""
    rows, faces = game.heuristics.face_rows, game.cards.faces
    for name in faces[rows[0][0]].fields:
        values = [[faces[face].fields[name] for face in row] for row in rows]
        numbers = [number for number in values[0] if isinstance(number, int)]
        most = max(map(abs, numbers), default=0)
        if most and all(row == numbers for row in values):
            yield [number / most for number in numbers]
