"""Which numbers a field of a state can have, as its annotation declares them.

`turn: Annotated[int, Range(0, 40)]` is an int for type checkers, compilers and rules. Arrays of
learners and checks read the declaration.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import prod
from typing import NamedTuple

from typing_extensions import override

# What a bound can name besides options of the game; `tokens` are the cards in play.
THINGS = ("seats", "tokens", "faces", "actions")

# A number, or its text: "seats", an option's name, a product such as "seats * chips".
Bound = int | str


class TableSize(NamedTuple):
    """The numbers of things at one table, with the values of the options that are numbers."""

    numbers: Mapping[str, int]

    def value(self, bound: Bound) -> int:
        """Return the value of a bound at this table; raises LookupError for an unknown name."""
        if isinstance(bound, int):
            return bound
        return prod(_factor(factor, self.numbers) for factor in factors(bound))


def factors(bound: str) -> list[str]:
    """Return the factors of a bound's text."""
    return [factor.strip() for factor in bound.split("*")]


def _factor(text: str, numbers: Mapping[str, int]) -> int:
    sign = -1 if text.startswith("-") else 1
    name = text.lstrip("-")
    return sign * (int(name) if name.isdecimal() else numbers[name])


class Span(NamedTuple):
    """The least and the greatest number, and for sets of bits how many bits they have, else 0."""

    low: int
    high: int
    bits: int = 0

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Numbers(ABC):
    """The numbers of a field; `Range`, `IndexOf` and `BitsOf` say which.

    A list has one number for each seat, or `count` numbers, or from none to `most` numbers.
    """

    count: Bound = ""
    most: Bound = ""

    def __post_init__(self) -> None:
        if self.count != "" and self.most != "":
            raise ValueError("a list has `count` numbers or up to `most`. fix: give one of them")

    @abstractmethod
    def span(self, table: TableSize) -> Span:
        """Return the numbers at a table; raises LookupError for an unknown name in a bound."""

    def lengths(self, table: TableSize) -> tuple[int, int]:
        """Return the least and the greatest length of a list at a table."""
        if self.most != "":
            return 0, table.value(self.most)
        count = table.value("seats" if self.count == "" else self.count)
        return count, count

    @property
    def names(self) -> set[str]:
        """The names in the bounds."""
        bounds = (getattr(self, part.name) for part in fields(self))
        texts = [text for bound in bounds if isinstance(bound, str) for text in factors(bound)]
        names = {text.lstrip("-") for text in texts}
        return {name for name in names if name and not name.isdecimal()}

    # It is source code: compiled states declare their fields by it, and messages quote it.
    def __repr__(self) -> str:
        words = [repr(getattr(self, part.name)) for part in fields(self) if not part.kw_only]
        for part in fields(self):
            if part.kw_only and (value := getattr(self, part.name)) != part.default:
                words.append(f"{part.name}={value!r}")
        return f"{type(self).__name__}({', '.join(words)})"


@dataclass(frozen=True, slots=True, repr=False)
class Range(Numbers):
    """Numbers from `low` to `high`, both included."""

    low: Bound
    high: Bound

    @override
    def __post_init__(self) -> None:
        Numbers.__post_init__(self)
        if isinstance(self.low, int) and isinstance(self.high, int) and self.low > self.high:
            raise ValueError(f"{self} has no number. fix: Range({self.high}, {self.low})")

    @override
    def span(self, table: TableSize) -> Span:
        """Return the numbers at a table; raises LookupError for an unknown name in a bound."""
        return Span(table.value(self.low), table.value(self.high))


class Usual(Range):
    """Numbers that are mostly from `low` to `high`, because no rule bounds them.

    Arrays scale them like a `Range`, and show numbers beyond it, too.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, repr=False)
class IndexOf(Numbers):
    """The index of one of the `things`, such as "seats", counted from 0; or also -1 for none."""

    things: Bound
    or_none: bool = field(default=False, kw_only=True)

    @override
    def span(self, table: TableSize) -> Span:
        """Return the numbers at a table; raises LookupError for an unknown name in a bound."""
        return Span(-1 if self.or_none else 0, table.value(self.things) - 1)


@dataclass(frozen=True, slots=True, repr=False)
class BitsOf(Numbers):
    """A set with one bit for each of the `things`, such as "faces"."""

    things: Bound

    @override
    def span(self, table: TableSize) -> Span:
        """Return the numbers at a table; raises LookupError for an unknown name in a bound."""
        bits = table.value(self.things)
        return Span(0, (1 << bits) - 1, bits)


class Omitted:
    """A field that arrays of learners leave out, because they know it from elsewhere.

    For example tokens in a list: a token is another card in every deal.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "Omitted()"
