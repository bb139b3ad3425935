"""Serialization of observations, for a bot in another process that has the same game.

The format is MessagePack. Decoding is safe for any bytes: a class is looked up only among the named
tuples and enumerations of the game and the core, and no other code runs.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from itertools import chain, starmap
from typing import Any, TypeGuard

from msgspec import DecodeError, Struct, msgpack

from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.faces import PendingShuffle, Shuffle, blanked
from cardhub.model.table.secrets import known_private
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import fields_of, restored

# The types that MessagePack supports.
SCALARS = frozenset({int, str, bool, float, bytes, type(None)})
NESTED = frozenset({list, dict})
# The range of integers in MessagePack; some games store sets of cards as larger integers.
SMALLEST, GREATEST = -(1 << 63), (1 << 64) - 1

Classes = Mapping[str, type]


class SerializedObservation(Struct, array_like=True):
    """A serialized observation; `steps` alternates between the seat and the action of each step."""

    seat: int
    steps: list[int]
    fields: dict[str, Any]


def serialize(observation: Observation[Any]) -> bytes:
    """Return an observation, except its game, as bytes.

    Raises TypeError with the name of a field whose value is not plain data.
    """
    state = observation.state
    fields = fields_of(state) | {"face": blanked(state.face)} | known_private(state, [])
    classes = _classes_of(observation.game)
    steps = list(chain.from_iterable(observation.history))
    try:
        data = _each_encoded(fields, classes)
        return msgpack.encode(SerializedObservation(observation.seat, steps, data))
    except OverflowError:
        # Rare: checking the size of every int each time would slow all other games.
        data = _each_encoded(fields, classes, any_size=True)
        return msgpack.encode(SerializedObservation(observation.seat, steps, data))


def deserialize(game: Game[S], data: bytes) -> Observation[S]:
    """Return the observation; raises ValueError if the bytes are invalid."""
    try:
        return _restored(game, msgpack.decode(data, type=SerializedObservation))
    except (AttributeError, DecodeError, LookupError, RecursionError, TypeError, ValueError) as why:
        raise ValueError(f"not an observation: {why!r}") from why


def _restored(game: Game[S], sent: SerializedObservation) -> Observation[S]:
    # The game gives the state's class, because a module in a plugins directory cannot be imported
    # by name.
    classes = _classes_of(game)
    fields = {name: _decoded(value, classes) for name, value in sent.fields.items()}
    state: S = restored(game.state_type, fields)
    pairs = iter(sent.steps)
    return Observation(game, state, sent.seat, tuple(starmap(Step, zip(pairs, pairs, strict=True))))


def _each_encoded(
    fields: Mapping[str, Any], classes: Classes, *, any_size: bool = False
) -> dict[str, Any]:
    encoded = {}
    for name, value in fields.items():
        try:
            encoded[name] = _encoded(value, classes, any_size)
        except TypeError as error:
            raise TypeError(f"the state's {name} {error}") from error
    return encoded


def _encoded(value: Any, classes: Classes, any_size: bool) -> Any:
    # Scalars and lists stay as they are; any other value is a mapping from one tag to its content.
    # Exact types, not isinstance: a subclass would come back as its base class.
    kind = type(value)
    if kind in SCALARS:
        is_big = any_size and kind is int and not SMALLEST <= value <= GREATEST
        return {"int": hex(value)} if is_big else value
    if kind is list:
        return _all_encoded(value, classes, any_size)
    if kind is tuple:
        return {"tuple": _all_encoded(value, classes, any_size)}
    if kind in (dict, Settings):
        parts = _all_encoded(chain.from_iterable(value.items()), classes, any_size)
        return {"dict" if kind is dict else "settings": parts}
    if kind in (set, frozenset):
        return {kind.__name__: _all_encoded(value, classes, any_size)}
    name = _name(kind)
    if classes.get(name) is not kind:
        raise TypeError(f"holds a {name}, which is no plain data and cannot be sent to a process")
    parts = value if _is_named_tuple(kind) else [value.value]
    return {"class": [name, *_all_encoded(parts, classes, any_size)]}


def _all_encoded(values: Iterable[Any], classes: Classes, any_size: bool) -> list[Any]:
    values = list(values)
    if not any_size and SCALARS.issuperset(
        map(type, values)
    ):  # the most frequent case, which needs no copy
        return values
    return [_encoded(value, classes, any_size) for value in values]


def _decoded(data: Any, classes: Classes) -> Any:
    if type(data) is list:
        return _all_decoded(data, classes)
    if type(data) is not dict:
        return data
    ((tag, content),) = data.items()
    if tag == "int":
        return int(content, 16)
    if tag == "class":
        return classes[content[0]](*_all_decoded(content[1:], classes))
    return MAKERS[tag](_all_decoded(content, classes))


def _all_decoded(data: list[Any], classes: Classes) -> list[Any]:
    if NESTED.isdisjoint(map(type, data)):
        return data
    return [_decoded(value, classes) for value in data]


def _paired(parts: list[Any]) -> dict[Any, Any]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


MAKERS: Mapping[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "dict": _paired,
    "settings": lambda parts: Settings(_paired(parts)),
    "set": set,
    "frozenset": frozenset,
}


def _classes_of(game: Game[Any]) -> Classes:
    return _classes(type(game), game.state_type)  # type: ignore[arg-type]  # a class has a hash


@cache
def _classes(*roots: type) -> Classes:
    modules = dict.fromkeys(kind.__module__ for root in roots for kind in root.__mro__)
    known = chain.from_iterable(vars(sys.modules[name]).values() for name in modules)
    return {
        _name(kind): kind for kind in chain([Shuffle, PendingShuffle], known) if _can_be_sent(kind)
    }


def _can_be_sent(kind: object) -> TypeGuard[type]:
    return isinstance(kind, type) and (_is_named_tuple(kind) or issubclass(kind, Enum))


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
