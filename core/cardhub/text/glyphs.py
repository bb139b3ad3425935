"""The characters a table is drawn with, and how many cells text takes up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from unicodedata import combining, normalize

from rich.cells import cell_len

IN_ASCII = {
    "●": "o",
    "○": "o",
    "◆": "o",
    "×": "x",
    "·": ".",
    "…": "...",
    "–": "-",
    "—": "-",
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "→": "->",
    "←": "<-",
    "−": "-",
    "≥": ">=",
    "≤": "<=",
    "½": "1/2",
    "ß": "ss",
    "æ": "ae",
    "ø": "o",
}


JOINERS = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0020, 0xE0080)))
"""Characters without a look of their own within words of some scripts, emoji families and flags."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters; every mark but `more` takes up one cell."""

    to_act: str = ">"
    legal: tuple[str, str] = ("[", "]")
    changed: str = "*"
    empty: str = "·"
    more: str = "…"
    table: Mapping[str, str] = field(default_factory=dict)
    is_ascii: bool = False

    def text(self, text: str) -> str:
        """Return text in this set's characters, with `?` for what it lacks or cannot be shown."""
        shown = "".join(c if c.isprintable() or c in JOINERS else "?" for c in text)
        return _in_ascii(shown, self.table) if self.is_ascii else shown


UNICODE = Glyphs()
ASCII = Glyphs(empty=".", more="..", table=IN_ASCII, is_ascii=True)


def cells(text: str) -> int:
    """Return how many terminal cells text takes up, by the tables that Textual draws with."""
    return len(text) if text.isascii() else cell_len(text)


def pad(text: str, width: int) -> str:
    """Return the text with as many blanks behind it as it takes to fill `width` cells."""
    return text + " " * (width - cells(text))


def clip(text: str, width: int, more: str = "") -> str:
    """Return as much of the text as fits into `width` cells; `more` ends what had to be cut."""
    if cells(text) <= width:
        return text
    while text and cells(text) + cells(more) > width:
        text = text[:-1]
    return text + more


def _in_ascii(text: str, table: Mapping[str, str]) -> str:
    replaced = "".join(table.get(c, c) for c in text)
    plain = "".join(c for c in normalize("NFKD", replaced) if not combining(c))
    return plain.encode("ascii", "replace").decode("ascii")
