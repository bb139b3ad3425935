"""The characters of the table: of cards, marks and rules, also in ASCII and without colours."""

from typing import NamedTuple

from cardhub.view.text.glyphs import ASCII, UNICODE, Glyphs


class Border(NamedTuple):
    """The border of a card: upper left, upper right, lower left, lower right, line and side."""

    upper_left: str
    upper_right: str
    lower_left: str
    lower_right: str
    line: str
    side: str


NO_BORDER = Border(*" " * 6)


class TableGlyphs(NamedTuple):
    """A set of characters for tables, each of one cell.

    `has_brackets`: buttons stand in brackets, as no background tells them from text.
    """

    texts: Glyphs
    light: Border
    heavy: Border
    back: str = "▒"
    new: str = "•"
    pip: str = "●"
    to_act: str = "▸"
    empty: str = "·"
    more: str = "…"
    won: str = "✓"
    lost: str = "✗"
    bar: str = "█"
    then: str = "›"
    apart: str = "·"
    has_brackets: bool = False


COLOUR_TABLE = TableGlyphs(UNICODE, Border(*"╭╮╰╯─│"), Border(*"┏┓┗┛━┃"))
MONO_TABLE = COLOUR_TABLE._replace(has_brackets=True)
ASCII_TABLE = TableGlyphs(
    ASCII,
    Border(*"++++-|"),
    Border(*"####=#"),
    back=":",
    new="*",
    pip="o",
    to_act=">",
    empty=".",
    more="~",
    won="+",
    lost="x",
    bar="#",
    then=">",
    apart=".",
    has_brackets=True,
)
