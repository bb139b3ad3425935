"""All that the rules of one game become: functions, tables of constants, and numbers of texts."""

import ast
import importlib
import re
import struct
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.compiling.rules.form import (
    AMOUNT,
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    TEXT,
    Function,
    ListOf,
    Numeral,
    Routine,
    Table,
    TupleOf,
    Type,
    has_same_bits,
    item_type,
    widest,
)
from cardhub.compiling.rules.struct_layout import StructLayout, struct_layout
from cardhub.model.game.game import Game
from cardhub.model.table.actions import Amount

# Numbers of the struct have 64 bits, and the least one stands for None.
LEAST, GREATEST = 1 - (1 << 63), (1 << 63) - 1
NONE = -(1 << 63)
HEADERS = (
    *("fields.h", "floats.h", "generator.h", "lists.h", "memo.h", "module.h", "table.h"),
    *("learners/dealing.h", "learners/encoding.h", "learners/group.h", "learners/seeding.h"),
    "growing.h",
    *("search/amounts.h", "search/infosets.h", "search/iteration.h", "search/tree.h"),
    *("search/values.h", "search/views.h", "search/widening.h", "search/worlds.h"),
)
KEYWORDS = {"auto", "break", "case", "char", "const", "continue", "default", "do", "double"}
KEYWORDS |= {"else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long"}
KEYWORDS |= {"register", "return", "short", "signed", "sizeof", "static", "struct", "switch"}
KEYWORDS |= {"typedef", "union", "unsigned", "void", "volatile", "while", "state", "main"}


class RefusedError(Exception):
    """A construct that is not understood; `node` has its place."""

    def __init__(self, node: ast.AST, why: str) -> None:
        super().__init__(why)
        self.node = node


@dataclass(frozen=True, slots=True)
class Refusal:
    """A construct of the rules that is not understood; so the game gets no rules in C."""

    path: Path
    line: int
    column: int
    why: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.why}"


class RuleKey(NamedTuple):
    """A function or method of a module of rules."""

    module: str
    name: str


@dataclass(slots=True)
class RuleSource:
    """A module of rules: its file, its names, and its functions and methods."""

    path: Path
    names: Mapping[str, Any]
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)


def forbidden_names() -> frozenset[str]:
    """Return the words of C and the functions of the headers: no variable may have their names."""
    folder = Path(__file__).parent
    texts = "\n".join((folder / name).read_text("utf-8") for name in HEADERS)
    code = re.sub(r"/\*.*?\*/", "", texts, flags=re.DOTALL)
    return frozenset(KEYWORDS | set(re.findall(r"([A-Za-z_]\w*)\(", code)))


class Program:
    """The functions, constants and refusals of one game's rules.

    `translate` makes the body of a function: it gets the program, the function, its syntax tree and
    source, and its arguments.
    """

    def __init__(self, game: Game[Any], translate: Callable[..., None]) -> None:
        self.game = game
        self.layout: StructLayout = struct_layout(game)
        self.functions: dict[Hashable, Function] = {}
        self.tables: dict[str, list[Numeral | Table]] = {}
        """By its name in C the items of a list of constants: numbers, or other tables."""
        self.texts: dict[str, int] = {"": 0}
        self.routines: dict[RuleKey, int] = {}
        self.refusals: list[Refusal] = []
        self.forbidden = forbidden_names()
        self.observed: list[str] | None = None
        """The nested fields that rules read of an observed state; None where they may change."""
        self._translate = translate
        self._sources: dict[str, RuleSource] = {}
        self._names: set[str] = set()
        self._tables_by_content: dict[Hashable, Table] = {}
        self._kept: list[object] = []  # so that no other object gets the same id

    def source(self, module: str) -> RuleSource:
        """Return a module of rules."""
        if module not in self._sources:
            loaded = sys.modules.get(module) or importlib.import_module(module)
            path = Path(str(loaded.__file__))
            source = RuleSource(path, vars(loaded))
            for node in ast.parse(path.read_text("utf-8")).body:
                _add_functions(source.functions, node, "")
            self._sources[module] = source
        return self._sources[module]

    def function(self, key: RuleKey, arguments: Sequence[Any], identity: Hashable) -> Function:
        """Return the function of C for a rule and the types of its arguments."""
        place = (key, identity)
        if place not in self.functions:
            source = self.source(key.module)
            node = source.functions[key.name]
            name = self._new_name(f"{key.module.rpartition('.')[2]}_{key.name}")
            function = self.functions[place] = Function(name, source.path, node.lineno)
            try:
                self._translate(self, function, node, source, arguments)
            except RefusedError as error:
                at: Any = error.node if hasattr(error.node, "lineno") else node
                why = str(error)
                refusal = Refusal(source.path, at.lineno, at.col_offset + 1, why)
                if refusal not in self.refusals:
                    self.refusals.append(refusal)
        return self.functions[place]

    def dispatcher(
        self, identity: Hashable, path: Path, line: int, build: Callable[[Function], None]
    ) -> Function:
        """Return the function that calls one of several by its number, first at a line."""
        if identity not in self.functions:
            self.functions[identity] = Function(self._new_name("by_number"), path, line)
            build(self.functions[identity])
        return self.functions[identity]

    def text(self, text: str) -> Numeral:
        """Return the number of a text."""
        number = self.texts.setdefault(text, len(self.texts))
        return Numeral(TEXT, number, text)

    def constant(self, value: object, node: ast.AST, kind: Type | None = None) -> Numeral | Table:
        """Return a constant of the rules; raises RefusedError for one that has no form in C.

        `kind`: the type that it has beside others in a list.
        """
        if value is None:
            return Numeral(NOTHING, NONE, "None")
        if isinstance(value, bool):
            return Numeral(BOOL, int(value))
        if isinstance(value, int):
            if not LEAST <= value <= GREATEST:
                raise RefusedError(node, "the number has more than 64 bits")
            return float_numeral(value) if kind == FLOAT else Numeral(INT, int(value))
        if isinstance(value, float):
            return float_numeral(value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple | range):
            return self._table(value, getattr(value, "_fields", ()), node, kind)
        record = _record(value)
        if record is not None:
            return self._table(record[1], record[0], node, kind)
        key = rule_key(value)
        if key is not None and is_rule(self, value):
            number = self.routines.setdefault(key, len(self.routines))
            return Numeral(Routine(frozenset({key})), number, key.name)
        raise RefusedError(node, f"a value of type {type(value).__name__} has no form in C")

    def kept_id(self, value: object) -> int:
        """Return the id of a constant that a function is translated for."""
        self._kept.append(value)
        return id(value)

    def _table(
        self, values: Sequence[Any], names: tuple[str, ...], node: ast.AST, whole: Type | None
    ) -> Table:
        wanted = item_type(whole) if whole is not None else None
        items = [self.constant(value, node, wanted) for value in values]
        is_tuple = isinstance(values, tuple)
        kind = _table_type(items, is_tuple=is_tuple, names=names)
        if kind is None:
            raise RefusedError(node, "the list has values of several types")
        inner = kind.item if isinstance(kind, ListOf) else None
        if inner is not None and not all(has_same_bits(item.type, inner) for item in items):
            if whole == kind:
                raise RefusedError(node, "the list has ints here and floats there")
            return self._table(values, names, node, kind)
        content = (*((i.type, i.value) if isinstance(i, Numeral) else i.name for i in items),)
        identity = (is_tuple, names, content)
        if identity not in self._tables_by_content:
            name = f"TABLE_{len(self.tables)}"  # no variable has capitals
            self.tables[name] = items
            self._tables_by_content[identity] = Table(kind, name)
        return self._tables_by_content[identity]

    def _new_name(self, text: str) -> str:
        base = re.sub(r"\W", "_", text).lower()
        name, number = base, 1
        while name in self._names or name in self.forbidden:
            number += 1
            name = f"{base}_{number}"
        self._names.add(name)
        return name


def is_record(value: object) -> bool:
    """Return whether a value is an instance of a frozen data class, whose fields never change."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


def _record(value: Any) -> tuple[tuple[str, ...], tuple[Any, ...]] | None:
    """Return the names and values of a record, or of a group of amounts; None for others."""
    if isinstance(value, Amount):
        amounts = value.amounts
        return AMOUNT.names, (value.start, amounts[0], amounts[-1], amounts.step)
    if not is_record(value):
        return None
    names = tuple(part.name for part in fields(value))
    return names, tuple(getattr(value, name) for name in names)


def is_memo(value: object) -> bool:
    """Return whether a value is a dictionary that makes what it lacks (`__missing__`)."""
    return isinstance(value, dict) and hasattr(type(value), "__missing__")


def float_numeral(value: float) -> Numeral:
    """Return a constant float."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return Numeral(FLOAT, bits)


def rule_key(value: object) -> RuleKey | None:
    """Return the module and name of a function or method, or None."""
    owner = getattr(value, "__self__", None)
    name = getattr(value, "__name__", "")
    if not callable(value) or isinstance(value, type) or not name.isidentifier():
        return None
    if owner is not None and not isinstance(owner, type(sys)):
        kinds = (kind for kind in type(owner).__mro__ if name in vars(kind))
        kind = next(kinds, None)
        return RuleKey(kind.__module__, f"{kind.__qualname__}.{name}") if kind else None
    module = getattr(value, "__module__", None)
    if module is None or not getattr(sys.modules.get(module), "__file__", None):
        return None
    return RuleKey(module, name)


def is_rule(program: Program, value: object) -> bool:
    """Return whether a value is a function whose source is there."""
    key = rule_key(value)
    return key is not None and key.name in program.source(key.module).functions


def _table_type(
    items: list[Numeral | Table], *, is_tuple: bool, names: tuple[str, ...]
) -> Type | None:
    types = tuple(item.type for item in items)
    common = widest(types)
    if is_tuple and (names or (types and common is None)):
        return TupleOf(types, names)
    return ListOf(common) if common is not None or not types else None


def _add_functions(functions: dict[str, ast.FunctionDef], node: ast.stmt, prefix: str) -> None:
    if isinstance(node, ast.FunctionDef):
        functions[prefix + node.name] = node
    elif isinstance(node, ast.ClassDef):
        for part in node.body:
            _add_functions(functions, part, f"{prefix}{node.name}.")
