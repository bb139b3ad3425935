"""Text broken into lines of a width in terminal cells."""

import re
from collections.abc import Iterator

from cardhub.view.text.glyphs import cells, clip

# No line is broken at a no-break space: it ties a card to its detail.
BLANKS = re.compile(r"([^\S\u00a0]+)")


def wrapped(text: str, width: int, *, hang: str = "", breaks_words: bool = True) -> list[str]:
    """Return text as lines of at most `width` cells, paragraph by paragraph.

    Blanks at the start of a paragraph and within a line stay. `hang` begins all lines of a
    paragraph but its first. Words longer than a line are broken, unless `breaks_words` is false.
    """
    return [
        line
        for paragraph in text.split("\n")
        for line in _lines(paragraph.rstrip(" "), width, clip(hang, width - 2), breaks_words)
    ]


def wrapped_deeper(line: str, width: int, indent: int) -> list[str]:
    """Return one line as lines of at most `width` cells, the next ones `indent` cells deeper."""
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
