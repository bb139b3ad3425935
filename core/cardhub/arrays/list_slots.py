"""The values of lists of changing length, in columns of fixed number."""

from collections.abc import Iterator, Sequence
from itertools import chain
from struct import error as struct_error
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.feature_spec import in_one_list, indices
from cardhub.arrays.state_features import FieldSlots


class ListSlots:
    """The columns of some `lists`, which follow those of `singles` values, of `columns` in total.

    A list is filled up with zeros, or cut off; the next column has the number of its values if
    they are counted.
    """

    def __init__(self, lists: Sequence[FieldSlots], singles: int, columns: int) -> None:
        self._singles, self._columns, self._lists = singles, columns, lists
        self._rooms = np.array([field.room for field in lists], np.intp)
        widths = self._rooms + [field.is_counted for field in lists]
        self._starts = singles + widths.cumsum() - widths
        counted = np.array([field.is_counted for field in lists], bool)
        self._counted, self._count_columns = counted, (self._starts + self._rooms)[counted]

    def collected(
        self, singles: list[int], lists: list[Sequence[int]], rows: int
    ) -> NDArray[np.float64]:
        """Return the values of all rows; both arguments have them row by row."""
        found = np.zeros((rows, self._columns))
        found[:, : self._singles] = _numbers(singles).reshape(rows, -1)
        lengths = indices([*map(len, lists)]).reshape(rows, -1)
        if (lengths > self._rooms).any():
            lists = [*self._cut(lists, rows)]
            lengths = np.minimum(lengths, self._rooms)
        values = in_one_list(lists)
        # Where the first value of each list belongs, less the number of all values before it.
        counts = lengths.ravel()
        first = np.arange(0, found.size, self._columns)[:, np.newaxis] + self._starts
        shifts = first.ravel() - (counts.cumsum() - counts)
        found.reshape(-1)[shifts.repeat(counts) + np.arange(len(values))] = _numbers(values)
        found[:, self._count_columns] = lengths[:, self._counted]
        return found

    def by_row(
        self, singles: Sequence[int], lists: Sequence[Sequence[int]], rows: int
    ) -> Iterator[list[int]]:
        """Yield the same values row by row, without numpy."""
        count = len(self._lists)
        for number in range(rows):
            values = [*singles[number * self._singles : (number + 1) * self._singles]]
            of_row = lists[number * count : (number + 1) * count]
            for (_, _, room, _, is_counted), found in zip(self._lists, of_row, strict=True):
                missing = room - len(found)
                values += found if missing >= 0 else found[:room]
                if missing > 0:
                    values += [0] * missing
                if is_counted:
                    values.append(room - max(missing, 0))
            yield values

    def _cut(self, lists: Sequence[Sequence[int]], rows: int) -> Iterator[Sequence[int]]:
        rooms = chain.from_iterable([[field.room for field in self._lists]] * rows)
        return (each[:room] for each, room in zip(lists, rooms, strict=True))


def _numbers(values: list[int]) -> NDArray[Any]:
    """Return ints as an array, of floats if not all fit into 64 bits."""
    try:
        return indices(values)
    except struct_error:
        return np.array(values, float)
