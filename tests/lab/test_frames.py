"""Rows of results as data frames."""

import sys
from io import BytesIO

import pytest
from msgspec import Struct

from cardhub.base.errors import CardhubError
from cardhub.lab.analysis.schema import PairVerdict
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.frames import Rows


class Row(Struct):
    """A row with all types of fields."""

    bot: str
    verdict: PairVerdict
    games: int
    is_filler: bool
    score: float | None
    elo: OpenEstimate | None
    bots: tuple[str, ...]


FIRST = Row("rule", "better", 8, False, 0.75, OpenEstimate(190.0, 20.0, None), ("rule", "dice"))
SECOND = Row("dice", "worse", 8, False, None, None, ("rule", "dice"))
COLUMNS = {
    "bot": ["rule", "dice"],
    "verdict": ["better", "worse"],
    "games": [8, 8],
    "is_filler": [False, False],
    "score": [0.75, None],
    "elo": [190.0, None],
    "elo_low": [20.0, None],
    "elo_high": [None, None],
}


def test_columns_are_texts_numbers_and_the_ends_of_intervals() -> None:
    assert Rows(Row, [FIRST, SECOND]).columns() == COLUMNS


def test_rows_can_be_counted_unpacked_and_indexed() -> None:
    rows = Rows(Row, [FIRST, SECOND])
    first, second = rows
    assert (len(rows), rows[0], rows[-1]) == (2, first, second)


def test_without_rows_there_are_columns_of_the_same_types() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.table(Rows(Row, [FIRST, SECOND])).schema
    empty = pyarrow.table(Rows(Row, []))
    assert (empty.schema, empty.num_rows) == (schema, 0)


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_libraries_of_data_frames_read_rows(library: str) -> None:
    pytest.importorskip("pyarrow")
    module = pytest.importorskip(library)
    rows = Rows(Row, [FIRST, SECOND])
    read = module.DataFrame if library == "polars" else module.DataFrame.from_arrow
    frame = read(rows)
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["bot"]) == ["rule", "dice"]
    assert next(iter(frame["elo_low"])) == 20.0


def test_a_file_of_comma_separated_values_has_the_same_columns() -> None:
    head, first, second = Rows(Row, [FIRST, SECOND]).csv().splitlines()
    assert head == ",".join(COLUMNS)
    assert first == "rule,better,8,False,0.75,190.0,20.0,"
    assert second == "dice,worse,8,False,,,,"


def test_a_file_of_parquet_has_the_same_table() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = Rows(Row, [FIRST, SECOND])
    read = pytest.importorskip("pyarrow.parquet").read_table(BytesIO(rows.parquet()))
    assert read.equals(pyarrow.table(rows))


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CardhubError, match=r"pip install '\.\[frames\]' in the checkout"):
        Rows(Row, [FIRST]).__arrow_c_stream__()
