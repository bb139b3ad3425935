"""Validation of imported plugins: attributes of registered objects, names, and hooks by group."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import listed
from cardhub.bots import BotEntry
from cardhub.bots.bot import warm_up_arguments
from cardhub.model.cards import Cards
from cardhub.model.game.game import Display, Game, Heuristics
from cardhub.model.game.parts import part_fault, signature_fault
from cardhub.model.table.seats import Seats
from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.loading import Plugin
from cardhub.plugins.registrations import Exporter, GameCollection, Theme, check_word
from cardhub.plugins.third_party import safe_repr

_MISSING = object()
TEXT = "text"
FLAG = "true or false"
SEATS = "a Seats"
CARDS = "a Cards"
NAMES = "a tuple of names, or None"
FUNCTION = "a function"
# By the description of a type in messages, the test for its values. Types are compared exactly: a
# subclass of str may raise when it is printed.
_ACCEPTS: dict[str, Callable[[Any], bool]] = {
    TEXT: lambda value: type(value) is str,
    FLAG: lambda value: type(value) is bool,
    FUNCTION: callable,
    SEATS: lambda value: _is_seats(value),
    CARDS: lambda value: isinstance(value, Cards),
    NAMES: lambda value: value is None or _is_names(value),
}

_ATTRIBUTES: dict[type, dict[str, str]] = {
    Game: {"name": TEXT, "title": TEXT, "version": TEXT, "seats": SEATS, "cards": CARDS},
    BotEntry: {
        "name": TEXT,
        "summary": TEXT,
        "make": FUNCTION,
        "games": NAMES,
        "uses_clock": FUNCTION,
    },
    Theme: {"name": TEXT, "summary": TEXT, "is_dark": FLAG},
    Exporter: {"name": TEXT, "summary": TEXT, "export": FUNCTION, "games": NAMES},
    GameCollection: {"name": TEXT, "summary": TEXT, "make": FUNCTION},
}


def validate_plugin(plugin: Plugin, declared: Iterable[Declaration]) -> None:
    """Raise PluginError if a registered object is invalid or does not match its declarations."""
    problems = [
        problem
        for hook in HOOKS.values()
        if hook.item is not None
        for thing in getattr(plugin, hook.attribute)
        for problem in _attribute_problems(hook.noun, hook.item, thing)
    ]
    # The checks of names compare and print names, so they rely on valid attributes.
    if not problems:
        same_module = [d for d in declared if d.value == plugin.declared.value]
        problems = [*_name_problems(plugin, same_module)]
    if problems:
        raise PluginError(f"{plugin.declared}: {'; '.join(problems)}")


def _attribute_problems(noun: str, kind: type, thing: Any) -> Iterator[str]:
    subject = f"{noun} {safe_repr(getattr(thing, 'name', None))}"
    if isinstance(thing, Game):
        subject = f"class {type(thing).__name__}"
    for name, wanted in _ATTRIBUTES[kind].items():
        value = getattr(thing, name, _MISSING)
        if value is _MISSING:
            yield f"{subject} has no {name}"
        elif not _ACCEPTS[wanted](value):
            yield f"{name} of {subject} is {safe_repr(value)}, not {wanted}"
    if isinstance(thing, BotEntry):
        yield from _word_problems(thing.name)
        yield from _options_problems(subject, thing.options, 0)
        yield from _warm_up_problems(subject, thing.warm_up)
    elif isinstance(thing, Game):
        seats = getattr(thing, "seats", None)
        default = seats.default if isinstance(seats, Seats) and _is_seats(seats) else 2
        yield from _options_problems(subject, thing.options, default)
        if fault := signature_fault(type(thing), Game):
            yield fault
        for attribute, base in (("heuristics_type", Heuristics), ("display_type", Display)):
            named = getattr(type(thing), attribute)
            is_class = isinstance(named, type)
            fault = part_fault(type(thing), attribute, base)
            if fault := fault or (signature_fault(named, base) if is_class else ""):
                yield fault


def _word_problems(name: object) -> Iterator[str]:
    if type(name) is str:
        try:
            check_word("bot", name)
        except ValueError as error:
            yield str(error)


def _warm_up_problems(subject: str, load: object) -> Iterator[str]:
    if load is None:
        return
    if not callable(load):
        yield f"warm_up of {subject} is {safe_repr(load)}, not {FUNCTION}"
        return
    try:
        warm_up_arguments(load)
    except ValueError as error:
        yield f"warm_up of {subject} {error}"


def _options_problems(subject: str, options: object, seats: int) -> Iterator[str]:
    if not isinstance(options, Mapping):
        yield f"options of {subject} is {safe_repr(options)}, not a mapping of names to options"
        return
    for name, option in options.items():
        if type(name) is not str:
            yield f"invalid option name of {subject}: {safe_repr(name)} is not text"
        else:
            yield from _option_problems(f"option {name!r} of {subject}", option, seats)


def _option_problems(subject: str, option: Any, seats: int) -> Iterator[str]:
    missing = [n for n in ("default", "help", "describe", "read") if not hasattr(option, n)]
    if missing:
        yield f"{subject} is {safe_repr(option)}, which has no {missing[0]}"
        return
    if type(option.default) not in (bool, int, str):
        yield f"default of {subject} is {safe_repr(option.default)}, not text, an integer or a flag"
    if type(option.help) is not str:
        yield f"help of {subject} is {safe_repr(option.help)}, not text"
    if type(described := option.describe(seats)) is not str:
        yield f"describe({seats}) of {subject} is {safe_repr(described)}, not text"


def _is_seats(value: object) -> bool:
    # Exact type, as everywhere here: a subclass could raise in its comparisons.
    if type(value) is not Seats:
        return False
    numbers = (value.low, value.default, value.high)
    is_int = all(type(number) is int for number in numbers)
    return is_int and 0 < value.low <= value.default <= value.high


def _is_names(value: object) -> bool:
    return type(value) is tuple and all(type(name) is str for name in value)


def _name_problems(plugin: Plugin, same_module: list[Declaration]) -> Iterator[str]:
    yield from _game_name_problems(plugin, same_module)
    for name in plugin.hooks:
        groups = HOOKS[name].groups
        if not any(declared.group in groups for declared in same_module):
            yield f"{name} is only called in the group {groups[0]}: declare the module there, too"
    for game in plugin.games:
        yield from _level_problems(game)
    for hook in HOOKS.values():
        # Bots of one name may be for different games; game names are checked above.
        if hook.item is not None and hook.groups == (PLUGINS,):
            yield from _duplicates(hook.noun, getattr(plugin, hook.attribute))


def _game_name_problems(plugin: Plugin, same_module: list[Declaration]) -> Iterator[str]:
    # Each game needs an entry point with its name: cardhub finds games without an import.
    if plugin.declared.group != GAMES:
        return
    names = [game.name for game in plugin.games]
    points = [declared.name for declared in same_module if declared.group == GAMES]
    if plugin.declared.name not in names:
        registered = listed([repr(name) for name in names]) or "none"
        yield f"it should register a game of that name, but registers {registered}"
        return
    for name in names:
        if names.count(name) > 1:
            yield f"it registers the game {name!r} {names.count(name)} times"
            return
        if name not in points:
            yield f"its game {name!r} has no entry point of that name in {GAMES}"


def _level_problems(game: Game[Any]) -> Iterator[str]:
    # Unknown bots are found later, once the common plugins are imported.
    if not isinstance(game.levels, Mapping):
        yield f"levels of {game.name!r} is {game.levels!r}, not a mapping of levels to bots"
        return
    for level, spec in game.levels.items():
        if level not in LEVELS:
            hint = did_you_mean(str(level), LEVELS)
            yield f"{game.name!r} has no level {level!r}.{hint} Levels: {', '.join(LEVELS)}"
        elif not isinstance(spec, str) or not spec:
            yield f"level {level!r} of {game.name!r} is {spec!r}, not a bot as text"


def _duplicates(noun: str, things: Iterable[Any]) -> Iterator[str]:
    for name, times in Counter(thing.name for thing in things).items():
        if times > 1:
            yield f"it registers the {noun} {name!r} {times} times"
