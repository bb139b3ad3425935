"""Examples in Markdown: blocks with the language `example`, in lines of given, when and then."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.game.example_lines import (
    FENCE,
    ExampleLine,
    example_title,
    is_fence,
    read_lines,
)

WORDS = ("given", "when", "then")


class ExampleError(CardhubError):
    """An example that cannot be read, or that comes out otherwise; `number` is its line."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(problem)
        self.number = number


class Example(NamedTuple):
    """An example: its title, the number of its first line, and its lines.

    The title follows the language of the block, or is the last sentence before the block.
    """

    title: str
    number: int
    lines: tuple[ExampleLine, ...]


def parse_examples(page: str) -> list[Example]:
    """Return the examples of a page of rules, in order; raises ExampleError."""
    return list(_read_blocks(page.splitlines()))


def _read_blocks(page: list[str]) -> Iterator[Example]:
    started, title, above = 0, None, ""
    for number, text in enumerate(page, 1):
        if is_fence(text) and started:
            if title is not None:
                lines = _checked_lines(page[: number - 1], started)
                yield Example(title or above, started, tuple(lines))
            started = 0
        elif is_fence(text):
            started, title = number, example_title(text)
        elif text.strip() and not started:
            # The last sentence before the example is its title.
            above = re.split(r"(?<=[.:!?])\s+", text.strip("#*-> \t").rstrip(":"))[-1]
    if started and title is not None:
        raise ExampleError(started, f"the example has no end. End it with {FENCE}")


def _checked_lines(page: Sequence[str], before: int) -> Iterator[ExampleLine]:
    """Yield the lines of an example after `before` lines of a page; raises ExampleError."""
    for line in read_lines(page[before:], before):
        number, word, text = line.number, line.word, page[line.number - 1].strip()
        if word not in WORDS:
            hint = did_you_mean(word, WORDS)
            problem = f"a line begins with given, when or then, not {word!r}.{hint}"
            raise ExampleError(number, problem)
        if ":" not in text:
            raise ExampleError(number, f"{text!r} has no colon, as `{word} …: …` has")
        if not line.subject:
            raise ExampleError(number, "nothing is named before the colon")
        yield line
