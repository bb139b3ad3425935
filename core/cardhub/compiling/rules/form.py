"""The typed form of rules between Python and C: types, expressions, statements and functions.

Every value is a number of 64 bits or a list. Nodes are made by the translation from the syntax
tree, and read by the writer of C; only statements change a value.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of values that are one number: ints, truth values, texts by their numbers, None."""

    name: str


INT, BOOL, TEXT, NOTHING = Scalar("int"), Scalar("bool"), Scalar("text"), Scalar("None")


@dataclass(frozen=True, slots=True)
class Maybe:
    """An int, or None."""


@dataclass(frozen=True, slots=True)
class Routine:
    """One of several functions, by its number."""

    keys: frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list or tuple of any length whose items have one type; None while the list is empty."""

    item: "Type | None"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of a known length, whose items have their own types and may have names."""

    items: "tuple[Type, ...]"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairsOf:
    """A dictionary of ints by seat, as pairs one after the other."""


Type = Scalar | Maybe | Routine | ListOf | TupleOf | PairsOf


def is_list(kind: Type) -> bool:
    """Return whether values of a type are lists in C."""
    return isinstance(kind, ListOf | TupleOf | PairsOf)


def common_type(first: Type, second: Type) -> Type | None:
    """Return the type of a value that has one of two types; None if there is none."""
    if first == second:
        return first
    pair = {first, second}
    if pair <= {INT, BOOL}:
        return INT
    if pair <= {INT, BOOL, NOTHING, Maybe()}:
        return Maybe()
    if isinstance(first, Routine) and isinstance(second, Routine):
        return Routine(first.keys | second.keys)
    if isinstance(first, TupleOf) and isinstance(second, TupleOf):
        return _common_tuple(first, second)
    if isinstance(first, TupleOf | ListOf) and isinstance(second, TupleOf | ListOf):
        return _common_list(first, second)
    return None


def item_type(kind: Type) -> Type | None:
    """Return the type that all items of a list or tuple have; None if there is none."""
    if isinstance(kind, ListOf):
        return kind.item
    if not isinstance(kind, TupleOf) or not kind.items:
        return None
    item: Type | None = kind.items[0]
    for other in kind.items[1:]:
        item = common_type(item, other) if item is not None else None
    return item


def _common_tuple(first: TupleOf, second: TupleOf) -> Type | None:
    if len(first.items) != len(second.items):
        return _common_list(first, second)
    items = [common_type(a, b) for a, b in zip(first.items, second.items, strict=True)]
    known = tuple(item for item in items if item is not None)
    return TupleOf(known, first.names) if len(known) == len(items) else None


def _common_list(first: ListOf | TupleOf, second: ListOf | TupleOf) -> Type | None:
    items = [item_type(kind) for kind in (first, second) if kind not in (ListOf(None), TupleOf(()))]
    if not items:
        return ListOf(None)
    item = items[0]
    for other in items[1:]:
        item = common_type(item, other) if item is not None and other is not None else None
    return None if item is None else ListOf(item)


# Expressions.


@dataclass(frozen=True, slots=True)
class Numeral:
    """A constant; `note` says in C what the number stands for.

    With `is_name`, the note is a name of the headers, which is written instead of the number.
    """

    type: Type
    value: int
    note: str = ""
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A list of constants, by its name in C."""

    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; a `fixed` one gets its value once."""

    type: Type
    name: str
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the state; `row` is the number of a pile of a zone with several."""

    type: Type
    name: str
    row: "Expression | None" = None


@dataclass(frozen=True, slots=True)
class Operation:
    """Operands with a sign of C between them, or before a single one."""

    type: Type
    sign: str
    operands: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Helper:
    """A call of a function of the headers, by its name; `with_state`: the state is an argument."""

    type: Type
    name: str
    operands: "tuple[Expression, ...]" = ()
    with_state: bool = False
    is_new: bool = False
    """Whether the list that it returns is a new one."""


@dataclass(frozen=True, slots=True)
class Choose:
    """One of two values."""

    type: Type
    condition: "Expression"
    first: "Expression"
    second: "Expression"


@dataclass(frozen=True, slots=True)
class RuleCall:
    """A call of a rule's function."""

    function: "Function"
    operands: "tuple[Expression, ...]"

    @property
    def type(self) -> Type:
        """The type of the result."""
        return self.function.result


Expression = Numeral | Table | Variable | Field | Operation | Helper | Choose | RuleCall

# Statements.


@dataclass(frozen=True, slots=True)
class Assign:
    """Give a variable, or a field with a single number, a value."""

    target: Variable | Field
    value: Expression


@dataclass(frozen=True, slots=True)
class Do:
    """Evaluate an expression for its effect."""

    value: Expression


@dataclass(frozen=True, slots=True)
class When:
    """Carry out one of two blocks."""

    condition: Expression
    then: "Block"
    otherwise: "Block"


@dataclass(frozen=True, slots=True)
class Loop:
    """Repeat `body` while a condition holds; `before` is carried out before each test of it."""

    before: "Block"
    condition: Expression
    body: "Block"


@dataclass(frozen=True, slots=True)
class CountUp:
    """Carry out `body` for each value of `index` from 0 on below `count`, which may change."""

    index: Variable
    count: Expression
    body: "Block"


@dataclass(frozen=True, slots=True)
class Select:
    """Carry out the block of a number."""

    value: Expression
    cases: "tuple[tuple[tuple[Numeral, ...], Block], ...]"
    otherwise: "Block"


@dataclass(frozen=True, slots=True)
class Leave:
    """Return from the function."""

    value: Expression | None


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on after the loop (`break`), or with its next step (`continue`)."""

    word: str


Statement = Assign | Do | When | Loop | CountUp | Select | Leave | Jump
Block = list[Statement]


# Instead of the name of a field: a list that a rule returned may be that of any field.
ANY_FIELD = "*"


@dataclass(slots=True, eq=False)
class Function:
    """A function of C, from a function of the rules and the types of its arguments."""

    name: str
    path: Path
    line: int
    """The place of the rule."""
    parameters: list[Variable] = field(default_factory=list)
    result: Type = NOTHING
    body: Block = field(default_factory=list)
    variables: dict[str, Type] = field(default_factory=dict)
    is_new_list: bool = True
    """Whether the list that it returns is a new one."""
    calls: "list[tuple[Function, int, frozenset[str]]]" = field(default_factory=list)
    """The rules that it calls, with the line, and the fields of lists in the arguments."""
    aliases: set[str] = field(default_factory=set)
    """The fields whose lists variables refer to."""
    replaced: dict[str, int] = field(default_factory=dict)
    """The fields to which it assigns new lists, with the line."""
