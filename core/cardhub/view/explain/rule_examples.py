"""The examples on a page of rules, as sentences for players instead of lines for tests."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from cardhub.base.writing import capitalized, listed

FENCE, LANGUAGE = "```", "example"
# A zone whose name says how its cards got there: “Anna has won A1 and A2”.
PARTICIPLE = re.compile(r"(?:\w+e[dn]|won|laid)")
PLURAL = re.compile(r"(.+)s (\d+)")


class Statement(NamedTuple):
    """A line of an example: `then` `won of Anna` `A1`; `drawing`: the lines of a drawn value."""

    word: str
    subject: str
    value: str
    drawing: list[str]


def readable_rules(page: str, labels: Mapping[str, str]) -> str:
    """Return a page of rules with its examples in sentences; `labels`: of the cards, by name."""
    lines: list[str] = []
    example: list[str] | None = None
    for line in page.splitlines():
        is_fence = line.strip().startswith(FENCE)
        if example is not None and is_fence:
            lines += _paragraphs(example, labels)
            example = None
        elif example is not None:
            example.append(line)
        elif is_fence and line.strip().removeprefix(FENCE).split(" ")[0] == LANGUAGE:
            example = [line]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _paragraphs(example: Sequence[str], labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the title of an example, then an item each for what is given, done and expected."""
    title = example[0].strip().partition(" ")[2].strip()
    if title:
        yield from (f"**{title}**", "")
    sentences = _Sentences(example[1:], labels)
    for _, group in groupby(_merged(_statements(example[1:])), key=itemgetter(0)):
        texts: list[str] = []
        drawings: list[str] = []
        for statement in group:
            texts.append(sentences.of(statement))
            drawings += statement.drawing
        yield f"- {' '.join(texts)}"
        if drawings:
            yield from ("", FENCE, *drawings, FENCE, "")
    yield ""


def _merged(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements, with the actions that a player takes in a row as one."""
    for (word, subject), group in groupby(statements, key=itemgetter(0, 1)):
        parts = list(group)
        if word == "when":
            yield Statement(word, subject, ", ".join(part.value for part in parts), [])
        else:
            yield from parts


def _statements(lines: Sequence[str]) -> Iterator[Statement]:
    """Yield the statements of an example; an indented line goes on with the line above."""
    heads = [number for number, line in enumerate(lines) if line[:1].strip()]
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        word, _, rest = lines[head].partition(" ")
        subject, _, value = rest.partition(":")
        more = [line for line in lines[head + 1 : following] if line.strip()]
        drawing = [] if value.strip() else more
        joined = value if drawing else " ".join([value, *(line.strip() for line in more)])
        yield Statement(word, subject.strip(), joined.strip(), drawing)


class _Sentences:
    """Writes the statements of an example as sentences."""

    def __init__(self, lines: Sequence[str], labels: Mapping[str, str]) -> None:
        named = (statement.subject.rpartition(" of ")[2] for statement in _statements(lines))
        # The players of examples are named in alphabetical order.
        self._players = sorted({name for name in named if name[:1].isupper()})
        self._labels = labels

    def of(self, statement: Statement) -> str:
        """Return a statement as a sentence."""
        word, subject, value, drawing = statement
        if drawing:
            return f"The {subject.replace('_', ' ')} looks like this:"
        if word == "when":
            return self._actions(subject, value)
        if subject in ("legal", "only legal", "not legal"):
            return self._legality(subject, value)
        if subject == "turn":
            return f"It is {value}'s turn."
        if value in ("yes", "no") and subject.startswith("is_"):
            state = subject.removeprefix("is_").replace("_", " ")
            return f"“{capitalized(state)}” {'holds' if value == 'yes' else 'does not hold'}."
        return self._fact(subject.replace("_", " "), value)

    def _actions(self, player: str, value: str) -> str:
        names = [f"“{self._action(text)}”" for text in value.split(",")]
        return f"{player} chooses {', then '.join(names)}."

    def _legality(self, subject: str, value: str) -> str:
        names = [f"“{self._action(text)}”" for text in value.split(",")]
        only = "Only " if subject == "only legal" else ""
        verb = "is" if len(names) == 1 else "are"
        denied = "not " if subject == "not legal" else ""
        return f"{only}{listed(names)} {verb} {denied}legal."

    def _action(self, text: str) -> str:
        """Return the name of an action with a card's label, as on its button."""
        verb, _, rest = text.strip().partition(" ")
        return capitalized(f"{verb} {self._labels.get(rest, rest)}".strip())

    def _fact(self, subject: str, value: str) -> str:
        texts = [text.strip() for text in value.split(",")]
        values = [self._labels.get(text, text) for text in texts]
        zone, _, owner = subject.rpartition(" of ")
        is_done = PARTICIPLE.fullmatch(zone or subject)
        if zone:
            if is_done or zone == "hand":
                return f"{owner} {f'has {zone}' if is_done else 'holds'} {listed(values)}."
            return f"{owner}'s {zone} has {listed(values)}."
        if subject.startswith("option "):
            return f"The option “{subject.removeprefix('option ')}” is “{value}”."
        if all(text.lstrip("-").isdigit() for text in values) and len(values) > 1:
            return self._numbers(subject, values, is_done=bool(is_done))
        counted = PLURAL.fullmatch(subject)
        named = f"{capitalized(counted[1])} {counted[2]}" if counted else f"The {subject}"
        verb = "has" if all(text in self._labels for text in texts) else "is"
        return f"{named} {verb} {listed(values)}."

    def _numbers(self, subject: str, values: Sequence[str], *, is_done: bool) -> str:
        """Return a number for each player."""
        if len(values) != len(self._players):
            return f"The {subject} are {listed(values)}."
        pairs = zip(self._players, values, strict=True)
        if is_done:
            return f"{listed([f'{player} has {subject} {number}' for player, number in pairs])}."
        return (
            f"The {subject} are {listed([f'{number} for {player}' for player, number in pairs])}."
        )
