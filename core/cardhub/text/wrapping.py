"""Filling lines with words, and breaking full lines."""

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
        """The width in terminal cells, without the gap."""
        return sum(span.width for span in self.spans)


# Words that share a line if they fit on one.
Block = Sequence[Word]


def fill(blocks: Iterable[Block], width: int, indent: int = 0) -> list[Line]:
    """Return the lines that the blocks fill; all but the first begin with `indent` blanks."""
    lines = _Lines(width, indent)
    for block in blocks:
        lines.add(block)
    return [tuple(line) for line in lines.spans if line]


class _Lines:
    def __init__(self, width: int, indent: int) -> None:
        self.spans: list[list[Span]] = [[]]
        self._width = width
        self._indent = indent
        self._used = 0
        self._is_begun = False

    def add(self, block: Block) -> None:
        # A block that fits on no line at all starts on this one, and is broken word by word.
        is_full = self._is_begun and self._used + _width(block) > self._width
        if is_full and self._indent + _width(block) - block[0].gap <= self._width:
            self._break()
        for word in block:
            self._put(word)

    def _put(self, word: Word) -> None:
        if self._is_begun and self._used + word.gap + word.width > self._width:
            self._break()
        if self._is_begun and word.gap:
            self._write(Span(" " * word.gap))
        for span in word.spans:
            self._write(span)
        self._is_begun = True

    def _break(self) -> None:
        self.spans.append([])
        self._used = 0
        self._is_begun = False
        if self._indent:
            self._write(Span(" " * self._indent))

    def _write(self, span: Span) -> None:
        self.spans[-1].append(span)
        self._used += span.width


def _width(block: Block) -> int:
    return sum(word.gap + word.width for word in block)
