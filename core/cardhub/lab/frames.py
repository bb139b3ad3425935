"""Rows of results that other libraries read as a data frame, by Arrow's PyCapsule interface."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import CardhubError
from cardhub.lab.estimate import Estimate

T = TypeVar("T")
# Names of Arrow types by type of field; other fields hold lists and records, and have no column.
ARROW_TYPES: dict[Any, str] = {bool: "bool", int: "int64", float: "float64", str: "string"}
NO_PYARROW = "pyarrow is not installed. fix: pip install '.[frames]' in the checkout of cardhub"


class Rows(Generic[T]):
    """Rows of one type in order, which are also a table for pandas, polars and others.

    The columns are the fields with texts and numbers; `elo` with an interval has three columns,
    `elo`, `elo_low` and `elo_high`. Rows are not a Sequence, because libraries convert a Sequence
    item by item and do not ask for its table.
    """

    def __init__(self, row_type: type[T], rows: Iterable[T]) -> None:
        self._row_type = row_type
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[T]:
        return iter(self._rows)

    def __getitem__(self, index: int) -> T:
        return self._rows[index]

    def __repr__(self) -> str:
        return repr(self._rows)

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns by name, each with one value for each row."""
        return {name: [_value(row, path) for row in self._rows] for name, path, _ in self._fields()}

    def csv(self) -> str:
        """Return the table as comma-separated values with a header; None is an empty cell."""
        columns = self.columns()
        rows = zip(*columns.values(), strict=True)
        return csv_text([*columns], (dict(zip(columns, row, strict=True)) for row in rows))

    def parquet(self) -> bytes:
        """Return the table as a file of Apache Parquet; raises CardhubError without pyarrow."""
        table = self._arrow_table()
        from pyarrow import parquet  # after the check for pyarrow

        file = BytesIO()
        parquet.write_table(table, file)
        return file.getvalue()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table as a stream of Arrow; raises CardhubError without pyarrow."""
        return self._arrow_table().__arrow_c_stream__(requested_schema)

    def _arrow_table(self) -> Any:
        try:
            import pyarrow
        except ImportError as error:
            raise CardhubError(NO_PYARROW) from error
        schema = pyarrow.schema([(name, arrow) for name, _, arrow in self._fields()])
        return pyarrow.table(self.columns(), schema=schema)

    def _fields(self) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """Yield the name of each column, the attributes that lead to its value, and its type."""
        for name, hint in get_type_hints(self._row_type).items():
            kind = _without_none(hint)
            if get_origin(kind) is Estimate or kind is Estimate:
                yield name, (name, "value"), "float64"
                yield f"{name}_low", (name, "low"), "float64"
                yield f"{name}_high", (name, "high"), "float64"
            elif get_origin(kind) is Literal or kind in ARROW_TYPES:
                yield name, (name,), ARROW_TYPES.get(kind, "string")


def _without_none(hint: Any) -> Any:
    """Return a type without None: `float` for `float | None`."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    options = [part for part in get_args(hint) if part is not NoneType]
    return options[0] if len(options) == 1 else object


def _value(row: object, path: tuple[str, ...]) -> Any:
    for name in path:
        row = None if row is None else getattr(row, name)
    return row
