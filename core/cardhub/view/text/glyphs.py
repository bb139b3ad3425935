"""The characters of a drawn table, and the width of text in terminal cells."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from unicodedata import combining, normalize

from rich.cells import cell_len

IN_ASCII = str.maketrans(
    dict.fromkeys("●○◆ø", "o")
    | dict.fromkeys("–—−", "-")
    | dict.fromkeys("’‘", "'")
    | dict.fromkeys("“”", '"')
    | {"×": "x", "·": ".", "…": "...", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "½": "1/2"}
    | {"ß": "ss", "æ": "ae"}
    | dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))
)
HALF_AFTER_DIGIT = re.compile(r"(?<=\d)½")
# Invisible characters that are part of words in some scripts, of emoji families and of flags.
JOINERS = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0020, 0xE0080)))


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters; every mark but `more` is one cell wide.

    `suits` are the glyphs of a game's suits, each with its text in ASCII.
    """

    to_act: str = ">"
    legal: tuple[str, str] = ("[", "]")
    changed: str = "*"
    empty: str = "·"
    more: str = "…"
    is_ascii: bool = False
    suits: tuple[tuple[str, str], ...] = ()

    def with_suits(self, suits: Mapping[str, str]) -> "Glyphs":
        """Return this set for a game with suits, by glyph their text in ASCII."""
        return replace(self, suits=tuple(suits.items()))

    def text(self, text: str) -> str:
        """Return text in this set, with `?` for characters that are unprintable or missing."""
        shown = "".join(c if c.isprintable() or c in JOINERS else "?" for c in text)
        if not self.is_ascii:
            return shown
        # `21/2` would be read as 21 halves.
        shown = HALF_AFTER_DIGIT.sub(" ½", shown)
        for glyph, plain in self.suits:
            shown = shown.replace(glyph, plain)
        # NFKD splits off accents: é becomes e instead of `?`.
        split = normalize("NFKD", shown.translate(IN_ASCII))
        base = "".join(c for c in split if not combining(c))
        return base.encode("ascii", "replace").decode("ascii")


UNICODE = Glyphs()
ASCII = Glyphs(empty=".", more="..", is_ascii=True)


def cells(text: str) -> int:
    """Return the width of text in terminal cells, by the tables that Textual draws with."""
    # Most text is ASCII, for which the table lookup of each character is not needed.
    return len(text) if text.isascii() else cell_len(text)


def pad(text: str, width: int) -> str:
    """Return a string with blanks appended up to a width in cells."""
    return text + " " * (width - cells(text))


def clip(text: str, width: int, more: str = "") -> str:
    """Return a string cut to a width in cells; a cut string ends with `more`."""
    if cells(text) <= width:
        return text
    room = width - cells(more)
    while text and (excess := cells(text) - room) > 0:
        # A character is two cells wide at most: a text without the last half of `excess` of them
        # is too wide as long as one more is.
        text = text[: -((excess + 1) // 2)]
    return text + more
