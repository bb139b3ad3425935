"""Tables of fixed positions look as reviewed at four sizes and in ASCII."""

import pytest
from tests.view.layout.drawn import FILES, GOLDENS, SIZES, drawn, golden, lines_of
from tests.view.layout.positions import POSITIONS

from cardhub.view.layout.canvas import NARROW_TABLE
from cardhub.view.text.glyphs import cells, is_ambiguous


@pytest.mark.parametrize("name", FILES)
def test_a_table_looks_as_reviewed(name: str) -> None:
    """`python -m tests.view.layout.drawn` writes the files; people review them."""
    assert golden(name) == (GOLDENS / name).read_text("utf-8")


def test_there_is_no_file_of_a_position_that_is_gone() -> None:
    assert {path.name for path in GOLDENS.iterdir()} == set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if "ascii" in name])
def test_ascii_tables_have_ascii_only(name: str) -> None:
    assert golden(name).isascii()


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("size", SIZES)
def test_narrow_tables_have_no_character_of_two_cells(name: str, size: tuple[int, int]) -> None:
    lines = lines_of(drawn(POSITIONS[name](), size, NARROW_TABLE))
    assert not {char for line in lines for char in line if is_ambiguous(char)}
    assert {cells(line) for line in lines} == {size[0]}


@pytest.mark.parametrize("name", [name for name in FILES if f"{SIZES[0][0]}x" in name])
def test_no_row_is_wider_than_the_terminal(name: str) -> None:
    assert all(cells(line) <= SIZES[0][0] for line in golden(name).splitlines())
