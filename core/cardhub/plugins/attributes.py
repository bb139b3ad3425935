"""Whether what a plugin hands over has the attributes it should have, each of the right type.

Types are compared exactly: an object of a class derived from `str` may raise when it is printed.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cardhub.bots import BotEntry
from cardhub.cards import Cards
from cardhub.game.game import Game, Seats
from cardhub.plugins.collection import GameCollection
from cardhub.plugins.exporter import Exporter
from cardhub.plugins.guard import shown
from cardhub.plugins.theme import Theme
from cardhub.plugins.word import check_word

MISSING = object()
TEXT, FLAG, SEATS, CARDS = "text", "true or false", "a Seats", "a Cards"
GAMES, FUNCTION = "a tuple of names, or None", "a function"
FITS: dict[str, Callable[[Any], bool]] = {
    TEXT: lambda value: type(value) is str,
    FLAG: lambda value: type(value) is bool,
    FUNCTION: callable,
    SEATS: lambda value: type(value) is Seats and all(_counts(value)),
    CARDS: lambda value: isinstance(value, Cards),
    GAMES: lambda value: value is None or _is_names(value),
}
"""How attributes are described, and whether a value is such a one."""

GAME = {"name": TEXT, "title": TEXT, "version": TEXT, "seats": SEATS, "cards": CARDS}
BOT = {"name": TEXT, "summary": TEXT, "make": FUNCTION, "games": GAMES, "uses_clock": FUNCTION}
THEME = {"name": TEXT, "summary": TEXT, "is_dark": FLAG}
EXPORTER = {"name": TEXT, "summary": TEXT, "export": FUNCTION, "games": GAMES}
COLLECTION = {"name": TEXT, "summary": TEXT, "make": FUNCTION}


def wrong_attributes(
    thing: Game[Any] | BotEntry | Theme | Exporter | GameCollection,
) -> Iterator[str]:
    """Yield what is wrong with the attributes of one thing that a plugin registers."""
    match thing:
        case Game():
            yield from _wrong(f"class {type(thing).__name__}", thing, GAME)
            yield from _wrong_options(f"class {type(thing).__name__}", thing, _default_seats(thing))
        case BotEntry():
            what = f"bot {shown(thing.name)}"
            yield from _wrong(what, thing, BOT)
            yield from _wrong_word("bot", thing.name)
            yield from _wrong_options(what, thing, 0)
        case Theme():
            yield from _wrong(f"theme {shown(thing.name)}", thing, THEME)
        case Exporter():
            yield from _wrong(f"format {shown(thing.name)}", thing, EXPORTER)
        case GameCollection():
            yield from _wrong(f"collection {shown(thing.name)}", thing, COLLECTION)


def _wrong(what: str, thing: object, attributes: Mapping[str, str]) -> Iterator[str]:
    for name, wanted in attributes.items():
        value = getattr(thing, name, MISSING)
        if value is MISSING:
            yield f"{what} has no {name}"
        elif not FITS[wanted](value):
            yield f"{name} of {what} is {shown(value)}, not {wanted}"


def _wrong_word(what: str, name: object) -> Iterator[str]:
    if type(name) is str:
        try:
            check_word(what, name)
        except ValueError as error:
            yield str(error)


def _wrong_options(what: str, thing: Game[Any] | BotEntry, seats: int) -> Iterator[str]:
    options: object = thing.options
    if not isinstance(options, Mapping):
        yield f"options of {what} is {shown(options)}, not a mapping of names to options"
        return
    for name, option in options.items():
        if type(name) is not str:
            yield f"an option of {what} is named {shown(name)}, not by a text"
        else:
            yield from _wrong_option(f"option {name!r} of {what}", option, seats)


def _wrong_option(what: str, option: Any, seats: int) -> Iterator[str]:
    lacking = [n for n in ("default", "help", "describe", "read") if not hasattr(option, n)]
    if lacking:
        yield f"{what} is {shown(option)}, which has no {lacking[0]}"
        return
    if type(option.default) not in (bool, int, str):
        yield f"default of {what} is {shown(option.default)}, not text, a whole number or a flag"
    if type(option.help) is not str:
        yield f"help of {what} is {shown(option.help)}, not text"
    if type(described := option.describe(seats)) is not str:
        yield f"describe({seats}) of {what} is {shown(described)}, not text"


def _default_seats(game: Game[Any]) -> int:
    seats = getattr(game, "seats", None)
    return seats.default if type(seats) is Seats and all(_counts(seats)) else 2


def _counts(seats: Seats) -> Iterator[bool]:
    """Yield whether the numbers of seats are numbers, and in order."""
    numbers = (seats.low, seats.default, seats.high)
    yield all(type(number) is int for number in numbers)
    yield 0 < seats.low <= seats.default <= seats.high


def _is_names(value: object) -> bool:
    return type(value) is tuple and all(type(name) is str for name in value)
