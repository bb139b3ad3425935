"""The parts of a game: what belongs to which, and the classes named for them, imported late."""

import inspect
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import FunctionType, MethodDescriptorType
from typing import Any, TypeVar

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean, quoted
from cardhub.base.errors.source_lines import line_of_field
from cardhub.model.table.actions import Tokens
from cardhub.model.table.ranges import THINGS, Numbers

P = TypeVar("P")
# A method of the contract: compiled methods have signatures, but no code objects.
Method = FunctionType | MethodDescriptorType
_METHODS = (FunctionType, MethodDescriptorType)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

# By name of a public attribute or method, the class of the contract that has it: the contract
# registers its own.
PLACES: dict[str, type] = {}
# Former names of the contract.
RENAMED = {
    "outlook": "evaluate",
    "horizon": "playout_depth",
    "says": "consequence",
    "story": "narration",
    "notes": "player_statistics",
    "costly": "needs_confirmation",
}

_FORM = re.compile(r"\.*\w+(\.\w+)*:\w+")
_CLASS = re.compile(r"\bclass (\w+)")
_WORD = re.compile(r"\w+")


def refuse_misplaced(kind: type) -> None:
    """Raise TypeError if a game or a part of it has a former name, or a name of another part."""
    # The core would run without error, but without the author's method or value.
    for old, new in RENAMED.items():
        if hasattr(kind, old):
            raise TypeError(f"{kind.__name__}: `{old}` is now `{new}`. fix: rename it")
    for name, place in PLACES.items():
        if hasattr(kind, name) and not issubclass(kind, place):
            base = place.__name__
            setting = "" if base == "Game" else f", and name that class in `{base.lower()}_type`"
            raise TypeError(
                f"{kind.__name__}: `{name}` belongs to `{base}`. fix: move it into a class derived "
                f"from `{base}`{setting}"
            )


def refuse_unknown_bounds(kind: type) -> None:
    """Raise TypeError if a bound in a game's declarations names no option and no thing."""
    options = getattr(kind, "options", {})
    state_type = getattr(kind, "state_type", None)
    declaration = getattr(state_type, "_declaration", None)
    declared = dict(declaration.numbers) if declaration else {}
    if (scores := getattr(kind, "score_range", None)) is not None:
        declared["score_range"] = scores
    for name, numbers in declared.items():
        names = numbers.names if isinstance(numbers, Numbers) else set()
        for unknown in sorted(names - {*THINGS, *options}):
            owner = kind if name == "score_range" or state_type is None else state_type
            line = line_of_field(owner, name)
            where = f"{line}: " if line else ""
            raise TypeError(
                f"{where}{owner.__name__}.{name}: {numbers} names {unknown!r}."
                f"{did_you_mean(unknown, [*THINGS, *options])} "
                f"fix: an int, an option of {kind.__name__}, or {', '.join(THINGS)}"
            )


def refuse_unknown_places(kind: type) -> None:
    """Raise TypeError if a group of actions has a place that is no zone of the game's states."""
    zones = [zone.name for zone in getattr(getattr(kind, "state_type", None), "zones", ())]
    for group in getattr(getattr(kind, "actions", None), "groups", ()):
        if isinstance(group, Tokens) and group.place not in ("", *zones):
            raise TypeError(
                f"{kind.__name__}: the actions {group.verb!r} have the place {group.place!r}, "
                f"which is not a zone.{did_you_mean(group.place, zones)} "
                f"fix: one of {', '.join(zones)}"
            )


def part_class(game_type: type, attribute: str, base: type[P]) -> type[P]:
    """Return the class that `attribute` names, a class or a text, whose module is imported.

    Raises PluginError if there is no such class, or if it does not derive from `base`.
    """
    if fault := part_fault(game_type, attribute, base):
        raise PluginError(fault)
    named: Any = getattr(game_type, attribute)
    if isinstance(named, str):
        module, _, name = named.partition(":")
        named = getattr(import_module(module, _package(game_type, attribute)), name, None)
        if not _is_part(named, base):
            raise PluginError(_described(game_type, attribute, base, _no_class(base)))
        # A class that is named directly was checked when the plugin of the game was loaded.
        if fault := signature_fault(named, base):
            raise PluginError(fault)
    part: type[P] = named
    return part


def part_fault(game_type: type, attribute: str, base: type) -> str:
    """Return what is wrong with the class that `attribute` names; empty if nothing is.

    For a text it looks into the source of the module without importing it.
    """
    named = getattr(game_type, attribute)
    if isinstance(named, str):
        fault = _text_fault(named, _package(game_type, attribute))
    else:
        fault = "" if _is_part(named, base) else _no_class(base)
    return _described(game_type, attribute, base, fault) if fault else ""


def signature_fault(kind: type, base: type) -> str:
    """Return which method the core cannot call with the arguments of the contract, or "".

    `base`: the class of the contract, which may be compiled. Its methods and the overriding ones
    are compared by the number of their arguments.
    """
    for owner in kind.__mro__[: kind.__mro__.index(base)]:
        for name, method in vars(owner).items():
            declared = vars(base).get(name)
            # A build has compared the methods that are compiled.
            if not isinstance(method, FunctionType) or not isinstance(declared, _METHODS):
                continue
            # A build adds methods without signatures, such as `__getstate__`.
            if getattr(declared, "__text_signature__", "()") is None:
                continue
            if not _accepts(method, _arguments(declared)):
                code = method.__code__
                return (
                    f"{code.co_filename}:{code.co_firstlineno}: {owner.__name__} has "
                    f"{_heading(method)}, but cardhub calls {_heading(declared)}. "
                    f"fix: give it these arguments"
                )
    return ""


def _arguments(method: Method) -> int:
    """Return the number of positional arguments of a method, with `self`."""
    if isinstance(method, FunctionType):
        return method.__code__.co_argcount
    parameters = inspect.signature(method).parameters.values()
    return sum(parameter.kind in _POSITIONAL for parameter in parameters)


def _accepts(function: FunctionType, number: int) -> bool:
    """Return whether a function can be called with this number of positional arguments."""
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    named = code.co_kwonlyargcount - len(function.__kwdefaults__ or {})
    takes_any = bool(code.co_flags & inspect.CO_VARARGS)
    return required <= number and (number <= code.co_argcount or takes_any) and named == 0


def _heading(method: Method) -> str:
    return f"{method.__name__}({', '.join(inspect.signature(method).parameters)})"


def _is_part(named: object, base: type) -> bool:
    return isinstance(named, type) and issubclass(named, base)


def _no_class(base: type) -> str:
    return f"which is no class derived from {base.__name__}"


def _text_fault(text: str, package: str) -> str:
    if not _FORM.fullmatch(text):
        return "which does not have the form 'module:Class'"
    module, _, name = text.partition(":")
    if module.startswith(".") and not package:
        return "but the module of the game is in no package"
    spec = None
    with suppress(ModuleNotFoundError):
        spec = find_spec(module, package)
    if spec is None or spec.origin is None:
        return f"but {_missing_module(resolve_name(module, package))}"
    source = ""
    # A source that cannot be read, or that has an error, says so when it is imported.
    with suppress(OSError, UnicodeDecodeError):
        source = Path(spec.origin).read_text("utf-8")
    if not source or name in _WORD.findall(source):
        return ""
    return f"but {module} has no {name}.{did_you_mean(name, _CLASS.findall(source))}"


def _missing_module(name: str) -> str:
    """Return that there is no such module, and which of the same package is meant."""
    parent, _, last = name.rpartition(".")
    package, hint = sys.modules.get(parent), ""
    for folder in getattr(package, "__path__", ()):
        hint = hint or did_you_mean(last, [path.stem for path in Path(folder).glob("*.py")])
    return f"there is no module {name}.{hint}"


def _described(game_type: type, attribute: str, base: type, fault: str) -> str:
    """Return a fault with the file and line of the attribute, and the remedy."""
    named = getattr(game_type, attribute)
    remedy = f"a class derived from {base.__name__}, or its name such as '.display:MyDisplay'"
    shown = quoted(named) if isinstance(named, str) else named
    end = "" if fault.endswith(("?", ".")) else "."
    where = _line_of(game_type, attribute)
    return f"{where}{attribute} of {game_type.__name__} is {shown}, {fault}{end} fix: name {remedy}"


def _owner(game_type: type, attribute: str) -> type:
    """Return the game, or the base of it, that sets an attribute."""
    return next((kind for kind in game_type.__mro__ if attribute in vars(kind)), game_type)


def _package(game_type: type, attribute: str) -> str:
    """Return the package in which a relative name is looked up."""
    module = sys.modules.get(_owner(game_type, attribute).__module__)
    return getattr(module, "__package__", None) or ""


def _line_of(game_type: type, attribute: str) -> str:
    """Return the file and the line where an attribute is set, for the start of a message."""
    with suppress(OSError, TypeError):
        path = inspect.getfile(_owner(game_type, attribute))
        lines = Path(path).read_text("utf-8").splitlines()
        setting = re.compile(rf"\s.*\b{attribute}\b.*=")
        number = next((n for n, line in enumerate(lines, 1) if setting.match(line)), 1)
        return f"{path}:{number}: "
    return ""
