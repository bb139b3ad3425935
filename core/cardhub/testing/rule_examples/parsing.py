"""Examples in Markdown: blocks with the language `example`, in lines of given, when and then."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import did_you_mean

FENCE = "```"
LANGUAGE = "example"
WORDS = ("given", "when", "then")


class ExampleError(CardhubError):
    """An example that cannot be read, or that comes out otherwise; `number` is its line."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(problem)
        self.number = number


class ExampleLine(NamedTuple):
    """A line of an example: `then` `score of Anna` `2`, and its number on the page."""

    number: int
    word: str
    subject: str
    value: str


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
    started, title, above, is_example = 0, "", "", False
    for number, text in enumerate(page, 1):
        is_fence = text.strip().startswith(FENCE)
        if is_fence and started:
            if is_example:
                lines = _read_lines(page[started : number - 1], started)
                yield Example(title, started, tuple(lines))
            started = 0
        elif is_fence:
            language, _, named = text.strip().removeprefix(FENCE).partition(" ")
            started, title, is_example = number, named.strip() or above, language == LANGUAGE
        elif text.strip() and not started:
            # The last sentence before the example is its title.
            above = re.split(r"(?<=[.:!?])\s+", text.strip("#*-> \t").rstrip(":"))[-1]
    if started and is_example:
        raise ExampleError(started, f"the example has no end. End it with {FENCE}")


def _read_lines(texts: list[str], before: int) -> Iterator[ExampleLine]:
    """Yield the lines of an example; an indented line goes on with the line above."""
    joined: list[tuple[int, str]] = []
    for number, text in enumerate(texts, before + 1):
        if text[:1].isspace() and text.strip() and joined:
            first, start = joined.pop()
            joined.append((first, f"{start} {text.strip()}"))
        elif text.strip():
            joined.append((number, text))
    for number, text in joined:
        yield _read_line(number, text)


def _read_line(number: int, text: str) -> ExampleLine:
    word, _, rest = text.strip().partition(" ")
    if word not in WORDS:
        hint = did_you_mean(word, WORDS)
        raise ExampleError(number, f"a line begins with given, when or then, not {word!r}.{hint}")
    subject, colon, value = rest.partition(":")
    if not colon:
        raise ExampleError(number, f"{text.strip()!r} has no colon, as `{word} …: …` has")
    if not subject.strip():
        raise ExampleError(number, "nothing is named before the colon")
    return ExampleLine(number, word, " ".join(subject.split()), value.strip())
