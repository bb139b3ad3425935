"""The lines of examples on a page of rules, which people read and checks play."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

FENCE, LANGUAGE = "```", "example"


class ExampleLine(NamedTuple):
    """A line of an example: `then` `won of Anna` `A1`, and its number on the page.

    `drawing`: the lines of a drawn value, which begins below the colon. Without a colon the value
    is empty.
    """

    number: int
    word: str
    subject: str
    value: str
    drawing: tuple[str, ...] = ()


def read_lines(texts: Sequence[str], before: int = 0) -> Iterator[ExampleLine]:
    """Yield the lines of an example after `before` lines of the page.

    An indented line goes on with the line above.
    """
    parts: list[tuple[int, list[str]]] = []
    for number, text in enumerate(texts, before + 1):
        if text[:1].isspace() and text.strip() and parts:
            parts[-1][1].append(text)
        elif text.strip():
            parts.append((number, [text.strip()]))
    for number, (head, *more) in parts:
        word, _, rest = head.partition(" ")
        subject, _, value = rest.partition(":")
        drawing = () if value.strip() else tuple(more)
        whole = " ".join([value, *(line.strip() for line in more)]).strip()
        yield ExampleLine(number, word, " ".join(subject.split()), whole, drawing)


def is_fence(line: str) -> bool:
    """Return whether a line of a page begins or ends a block."""
    return line.strip().startswith(FENCE)


def example_title(fence: str) -> str | None:
    """Return the title after a fence that begins an example; None for any other block."""
    language, _, title = fence.strip().removeprefix(FENCE).partition(" ")
    return title.strip() if language == LANGUAGE else None
