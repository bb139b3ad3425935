"""Filling lines with words, and breaking where a line is full."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardhub.text.sheet import Line, Span


@dataclass(frozen=True, slots=True)
class Word:
    """Spans that stay together; `gap` blanks go before them unless they begin a line."""

    spans: tuple[Span, ...]
    gap: int = 1

    @property
    def width(self) -> int:
        """How many cells the word takes up, without its gap."""
        return sum(span.width for span in self.spans)


Block = Sequence[Word]
"""Words that share a line if they fit on one."""


class Flow:
    """Lines being filled from left to right.

    The first line begins at the left edge, the others `indent` cells further in.
    """

    def __init__(self, width: int, indent: int = 0) -> None:
        self._width = width
        self._indent = indent
        self._lines: list[list[Span]] = [[]]
        self._used = 0
        self._begun = False

    def add(self, block: Block) -> None:
        """Append a block: to this line, on the next one if it fits only there, or word by word."""
        needed = sum(word.gap + word.width for word in block)
        fits_anew = needed - block[0].gap <= self._width - self._indent if block else True
        if self._begun and needed > self._width - self._used and fits_anew:
            self._break()
        for word in block:
            self._put(word)

    def lines(self) -> list[Line]:
        """Return the lines, the unfinished one included."""
        return [tuple(line) for line in self._lines if line]

    def _put(self, word: Word) -> None:
        if self._begun and self._used + word.gap + word.width > self._width:
            self._break()
        if self._begun and word.gap:
            self._write((Span(" " * word.gap),))
        self._write(word.spans)
        self._begun = True

    def _break(self) -> None:
        self._lines.append([])
        self._used = 0
        self._begun = False
        if self._indent:
            self._write((Span(" " * self._indent),))

    def _write(self, spans: Iterable[Span]) -> None:
        for span in spans:
            self._lines[-1].append(span)
            self._used += span.width


def fill(blocks: Iterable[Block], width: int, indent: int = 0) -> list[Line]:
    """Return the lines that these blocks fill."""
    flow = Flow(width, indent)
    for block in blocks:
        flow.add(block)
    return flow.lines()
