"""Options of games and bots, and the settings that they get."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from typing_extensions import override

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import did_you_mean

# The value of an option.
Value = bool | int | str

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def format_value(value: object) -> str:
    """Return a value as people type it: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Option(ABC):
    """An option of a game or bot; `help` is one sentence for people."""

    __slots__ = ()

    default: Value
    help: str

    @abstractmethod
    def describe(self, seats: int) -> str:
        """Return a description of the valid values at a table of `seats`."""

    @abstractmethod
    def read(self, value: Value, seats: int) -> Value | None:
        """Return a value or its text as the option's type; None if it is invalid."""


@dataclass(frozen=True, slots=True)
class Flag(Option):
    """An option that is true or false."""

    default: bool
    help: str

    @override
    def describe(self, seats: int) -> str:
        return "true or false"

    @override
    def read(self, value: Value, seats: int) -> bool | None:
        word = str(value).lower()
        return word in TRUE if word in TRUE + FALSE else None


@dataclass(frozen=True, slots=True)
class Number(Option):
    """An option that is an integer from `low` to `high`."""

    default: int
    help: str
    low: int
    high: int

    @override
    def describe(self, seats: int) -> str:
        return f"a number from {self.low} to {self.high}"

    @override
    def read(self, value: Value, seats: int) -> int | None:
        return _integer(value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class SeatNumber(Option):
    """An option that is a seat, counted from 0."""

    default: int
    help: str

    @override
    def describe(self, seats: int) -> str:
        return f"a seat from 0 to {seats - 1}"

    @override
    def read(self, value: Value, seats: int) -> int | None:
        return _integer(value, 0, seats - 1)


@dataclass(frozen=True, slots=True)
class OneOf(Option):
    """An option that is one of several words."""

    default: str
    help: str
    values: tuple[str, ...]

    @override
    def describe(self, seats: int) -> str:
        return "one of " + ", ".join(self.values)

    @override
    def read(self, value: Value, seats: int) -> str | None:
        return value if isinstance(value, str) and value in self.values else None


def _integer(value: Value, low: int, high: int) -> int | None:
    if isinstance(value, bool):  # int(True) would be 1
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if low <= number <= high else None


class Settings(Mapping[str, Value]):
    """The values of all options of a game or bot; immutable."""

    # Immutable because all clones of a state share them.
    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    # Many times as fast as a Mapping's, which makes dictionaries first.
    def __eq__(self, other: object) -> bool:
        return self._values == (other._values if isinstance(other, Settings) else other)

    __hash__ = None  # type: ignore[assignment]  # as other mappings

    def flag(self, name: str) -> bool:
        """Return the value of a Flag."""
        return bool(self._values[name])

    def number(self, name: str) -> int:
        """Return the value of a Number or SeatNumber."""
        return int(self._values[name])

    def word(self, name: str) -> str:
        """Return the value of a OneOf."""
        return str(self._values[name])


def read_settings(
    options: Mapping[str, Option],
    given: Mapping[str, Value],
    seats: int,
    owner: str = "This game's options",
) -> Settings:
    """Return the given values and defaults for the rest; raises OptionError with all problems."""
    # One error reports all problems, so people can fix them in one go.
    values = {name: option.default for name, option in options.items()}
    problems = []
    for name, text in given.items():
        option = options.get(name)
        value = option.read(text, seats) if option else None
        if value is None:
            problems.append(_problem(options, name, text, seats, owner))
        else:
            values[name] = value
    if problems:
        raise OptionError("; ".join(problems))
    return Settings(values)


def _problem(options: Mapping[str, Option], name: str, text: Value, seats: int, owner: str) -> str:
    if name in options:
        option = options[name]
        hint = did_you_mean(str(text), option.values) if isinstance(option, OneOf) else ""
        possible = option.describe(seats) + ("." + hint if hint else "")
        return f"option {name} cannot be {str(text)!r}: it is {possible}"
    known = ", ".join(options) or "none"
    return f"unknown option {name!r}.{did_you_mean(name, options)} {owner}: {known}"
