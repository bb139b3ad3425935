"""Frames of fixed positions as text, and the golden files that tests compare them with.

`python -m tests.view.layout.drawn` writes the files again: review the difference by eye.
"""

from pathlib import Path

from tests.view.layout.positions import POSITIONS, DrawnPosition

from cardhub.view.layout.canvas import ASCII_TABLE, COLOUR_TABLE, Frame, TableGlyphs
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import Plan, TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of

GOLDENS = Path(__file__).parent / "goldens"
SIZES = ((60, 20), (80, 24), (120, 40), (200, 50))
ASCII_SIZE = (80, 24)
# The files by name: position, size and characters.
FILES: dict[str, tuple[str, tuple[int, int], TableGlyphs]] = {
    **{
        f"{name}_{size[0]}x{size[1]}.txt": (name, size, COLOUR_TABLE)
        for name in POSITIONS
        for size in SIZES
    },
    **{f"{name}_80x24_ascii.txt": (name, ASCII_SIZE, ASCII_TABLE) for name in POSITIONS},
}


def planned(position: DrawnPosition, size: tuple[int, int]) -> Plan:
    """Return the plan of a position on a terminal."""
    return plan_of(shape_of(position.view, position.catalogue), TerminalSize(*size))


def drawn(
    position: DrawnPosition, size: tuple[int, int], glyphs: TableGlyphs = COLOUR_TABLE
) -> Frame:
    """Return the frame of a position on a terminal."""
    view, catalogue, texts, cursor = position
    return draw(view, catalogue, planned(position, size), texts, cursor, glyphs=glyphs)


def lines_of(frame: Frame) -> list[str]:
    """Return the rows of a frame as text."""
    return ["".join(run.text for run in row) for row in frame.rows]


def golden(name: str) -> str:
    """Return the text of a file: the rows without the blanks at their ends."""
    position, size, glyphs = FILES[name]
    lines = lines_of(drawn(POSITIONS[position](), size, glyphs))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_goldens() -> None:
    """Write all files."""
    GOLDENS.mkdir(exist_ok=True)
    for name in FILES:
        (GOLDENS / name).write_text(golden(name), "utf-8")


if __name__ == "__main__":
    write_goldens()
