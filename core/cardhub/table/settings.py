"""Options: what a game lets its players choose before the deal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from cardhub.errors import OptionError
from cardhub.errors.suggestions import did_you_mean

Value = bool | int | str
"""What an option can be set to."""

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def format_value(value: object) -> str:
    """Return the text of a value as one types it: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Option(Protocol):
    """One option a game declares."""

    @property
    def default(self) -> Value:
        """What holds when nobody sets the option."""
        ...

    @property
    def help(self) -> str:
        """One sentence for people who choose."""
        ...

    def describe(self, seats: int) -> str:
        """Say which values are possible at a table of `seats`."""
        ...

    def read(self, value: Value, seats: int) -> Value | None:
        """Return the value meant by `value`, which may be its text, or None if it is impossible."""
        ...


@dataclass(frozen=True, slots=True)
class Flag:
    """An option that is on or off."""

    default: bool
    help: str

    def describe(self, seats: int) -> str:
        """See Option."""
        return "true or false"

    def read(self, value: Value, seats: int) -> bool | None:
        """See Option."""
        word = str(value).lower()
        return True if word in TRUE else False if word in FALSE else None


@dataclass(frozen=True, slots=True)
class Number:
    """An option that is a whole number from `low` to `high`."""

    default: int
    help: str
    low: int
    high: int

    def describe(self, seats: int) -> str:
        """See Option."""
        return f"a number from {self.low} to {self.high}"

    def read(self, value: Value, seats: int) -> int | None:
        """See Option."""
        return _whole(value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class SeatNumber:
    """An option that names a seat, counted from 0."""

    default: int
    help: str

    def describe(self, seats: int) -> str:
        """See Option."""
        return f"a seat from 0 to {seats - 1}"

    def read(self, value: Value, seats: int) -> int | None:
        """See Option."""
        return _whole(value, 0, seats - 1)


@dataclass(frozen=True, slots=True)
class OneOf:
    """An option that is one of several words."""

    default: str
    help: str
    values: tuple[str, ...]

    def describe(self, seats: int) -> str:
        """See Option."""
        return "one of " + ", ".join(self.values)

    def read(self, value: Value, seats: int) -> str | None:
        """See Option."""
        return value if isinstance(value, str) and value in self.values else None


def _whole(value: Value, low: int, high: int) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        number = int(value)
    except ValueError:
        return None
    return number if low <= number <= high else None


class Settings(Mapping[str, Value]):
    """The values of all of a game's options at one table; it never changes."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

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
    whose: str = "This game's options",
) -> Settings:
    """Fill in defaults and check what is given; raises OptionError naming every mistake."""
    values = {name: option.default for name, option in options.items()}
    problems = []
    for name, text in given.items():
        option = options.get(name)
        value = option.read(text, seats) if option else None
        if value is None:
            problems.append(_mistake(options, name, text, seats, whose))
        else:
            values[name] = value
    if problems:
        raise OptionError("; ".join(problems))
    return Settings(values)


def _mistake(options: Mapping[str, Option], name: str, text: Value, seats: int, whose: str) -> str:
    if name in options:
        option = options[name]
        hint = did_you_mean(str(text), option.values) if isinstance(option, OneOf) else ""
        possible = option.describe(seats) + ("." + hint if hint else "")
        return f"option {name} cannot be {str(text)!r}: it is {possible}"
    known = ", ".join(options) or "none"
    return f"unknown option {name!r}.{did_you_mean(name, options)} {whose}: {known}"
