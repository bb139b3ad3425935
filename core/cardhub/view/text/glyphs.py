"""The characters of a drawn table, the width of text in cells, wrapping, and amounts in words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal
from unicodedata import category, combining, east_asian_width, normalize

from rich.cells import cell_len

IN_ASCII = str.maketrans(
    dict.fromkeys("●○◆ø", "o")
    | dict.fromkeys("–—−", "-")
    | dict.fromkeys("’‘", "'")
    | dict.fromkeys("“”", '"')
    | {
        "×": "x",
        "·": ".",
        "…": "...",
        "→": "->",
        "←": "<-",
        "↑": "^",
        "↓": "v",
        "≥": ">=",
        "≤": "<=",
        "½": "1/2",
    }
    | {"ß": "ss", "æ": "ae"}
    | dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))
)
HALF_AFTER_DIGIT = re.compile(r"(?<=\d)½")
# Invisible characters that join letters of certain scripts, emoji families and flags.
JOINERS = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0020, 0xE0080)))


# `narrow`: all of Unicode but the characters that terminals with an East Asian setting show in two
# cells instead of one, such as `●`, `×`, `♠` and each character for frames.
GlyphSet = Literal["unicode", "narrow", "ascii"]
# `auto`: ask the terminal whether it needs `narrow`.
GlyphChoice = Literal["auto", "unicode", "narrow", "ascii"]
GLYPH_CHOICES: tuple[GlyphChoice, ...] = ("auto", "unicode", "narrow", "ascii")


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters; each mark except `more` is one cell wide.

    `suits`: the glyphs of a game's suits, each with its text in ASCII.
    """

    to_act: str = ">"
    legal: tuple[str, str] = ("[", "]")
    changed: str = "*"
    empty: str = "·"
    more: str = "…"
    name: GlyphSet = "unicode"
    suits: tuple[tuple[str, str], ...] = ()

    @property
    def has_frames(self) -> bool:
        """Whether the set has the characters for frames and blocks, such as `╭` and `█`."""
        return self.name == "unicode"

    def with_suits(self, suits: Mapping[str, str]) -> "Glyphs":
        """Return this set for a game; `suits` maps each suit's glyph to its text in ASCII."""
        return replace(self, suits=tuple(suits.items()))

    def text(self, text: str) -> str:
        """Return text in this set, with `?` for unprintable or missing characters."""
        shown = text
        if not text.isprintable():
            shown = "".join(c if c.isprintable() or c in JOINERS else "?" for c in text)
        if self.name == "unicode" or shown.isascii():
            return self._with_plain_suits(shown)
        # `21/2` would be read as 21 halves.
        shown = self._with_plain_suits(HALF_AFTER_DIGIT.sub(" ½", shown))
        if self.name == "narrow":
            return "".join(map(_in_narrow, shown))
        # NFKD splits off accents: é becomes e instead of `?`.
        split = normalize("NFKD", shown.translate(IN_ASCII))
        base = "".join(c for c in split if not combining(c))
        return base.encode("ascii", "replace").decode("ascii")

    def _with_plain_suits(self, text: str) -> str:
        """Return text with the suits in ASCII, unless this set has all suits of the game."""
        glyphs = "".join(glyph for glyph, _ in self.suits)
        if self.name == "unicode" or (self.name == "narrow" and not any(map(is_ambiguous, glyphs))):
            return text
        for glyph, plain in self.suits:
            text = text.replace(glyph, plain)
        return text


UNICODE = Glyphs()
NARROW = Glyphs(empty=".", more="..", name="narrow")
ASCII = Glyphs(empty=".", more="..", name="ascii")
GLYPHS: Mapping[GlyphSet, Glyphs] = {"unicode": UNICODE, "narrow": NARROW, "ascii": ASCII}


def is_ambiguous(char: str) -> bool:
    """Return whether some terminals show a character in two cells, and others in one."""
    # Marks, such as accents, share the cell of the letter before them in all terminals.
    return east_asian_width(char) == "A" and category(char)[0] != "M"


def _in_narrow(char: str) -> str:
    """Return a character that is never two cells wide by setting: é becomes e and an accent."""
    if not is_ambiguous(char):
        return char
    split = normalize("NFKD", char.translate(IN_ASCII))
    return "".join("?" if is_ambiguous(part) else part for part in split)


def cells(text: str) -> int:
    """Return the width of text in terminal cells, by the tables that Textual uses."""
    # Fast path: most text is ASCII and needs no table lookup.
    return len(text) if text.isascii() else cell_len(text)


def pad(text: str, width: int) -> str:
    """Return a text padded with blanks to a width in cells."""
    return text + " " * (width - cells(text))


def clip(text: str, width: int, more: str = "") -> str:
    """Return a text cut to a width in cells; a cut text ends with `more`."""
    if cells(text) <= width:
        return text
    room = width - cells(more)
    while text and (excess := cells(text) - room) > 0:
        # A character has at most two cells: at least half of `excess` characters must go.
        text = text[: -((excess + 1) // 2)]
    return text + more


HOUR = 60  # minutes


def duration(seconds: int | None) -> str:
    """Return a time in minutes and hours: `24 min`, `1 h 10 min`; empty if unknown."""
    if seconds is None:
        return ""
    minutes = max(round(seconds / 60), 1)
    return f"{minutes} min" if minutes < HOUR else f"{minutes // HOUR} h {minutes % HOUR} min"


def counted_names(names: Iterable[str]) -> list[str]:
    """Return the names; consecutive equal names become one with a count: `3×R?`."""
    counts = ((name, len(list(group))) for name, group in groupby(names))
    return [name if count == 1 else f"{count}×{name}" for name, count in counts]


# Lines are not broken at a no-break space: it ties a card to its detail.
BLANKS = re.compile(r"([^\S\u00a0]+)")


def wrapped(text: str, width: int, *, hang: str = "", breaks_words: bool = True) -> list[str]:
    """Return text as lines of at most `width` cells, paragraph by paragraph.

    Blanks at the start of a paragraph and within a line stay. `hang` begins each line of a
    paragraph after the first. Words longer than a line are broken, unless `breaks_words` is False.
    """
    return [
        line
        for paragraph in text.split("\n")
        for line in _lines(paragraph.rstrip(" "), width, clip(hang, width - 2), breaks_words)
    ]


def wrapped_deeper(line: str, width: int, indent: int) -> list[str]:
    """Wrap a line at `width` cells, with `indent` more cells before each line after the first."""
    return wrapped(line, width, hang=" " * (len(line) - len(line.lstrip(" ")) + indent))


def _lines(paragraph: str, width: int, hang: str, breaks_words: bool) -> Iterator[str]:
    if cells(paragraph) <= width:
        yield paragraph
        return
    body = paragraph.lstrip(" ")
    start = clip(paragraph[: len(paragraph) - len(body)], width - 2)
    line = ""
    for gap, word in _words(body):
        if not line:
            line = start + word
        elif cells(line + gap + word) <= width:
            line += gap + word
        else:
            yield line
            start, line = hang, hang + word
        while breaks_words and cells(line) > width > 0 and len(line) > len(start) + 1:
            part = max(clip(line, width), line[: len(start) + 1], key=len)
            yield part
            start, line = hang, hang + line[len(part) :]
    yield line


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words, each with the blanks before it."""
    first, *others = BLANKS.split(text)
    yield "", first
    for gap, word in zip(others[::2], others[1::2], strict=True):
        yield " " * len(gap), word
