"""The typed form of rules between Python and C: types, expressions, statements and functions.

Every value is a number of 64 bits or a list. Nodes are made by the translation from the syntax
tree, and read by the writer of C; only statements change a value.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of values that are one number: ints, truth values, texts by their numbers, None."""

    name: str


INT, BOOL, TEXT, NOTHING = Scalar("int"), Scalar("bool"), Scalar("text"), Scalar("None")
# In lists, floats are 64 bits like the rest; elsewhere they are of the type `double`.
FLOAT = Scalar("float")
# A text that is made while the game runs; no rule can read it.
COMPOSED = Scalar("composed text")


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


# A group of amounts, by its first action, its bounds and its step; no rule has these names.
AMOUNT = TupleOf((INT, INT, INT, INT), ("start", "lowest", "highest", "step of amounts"))


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of numbers: a list in ascending order that does not change."""


@dataclass(frozen=True, slots=True)
class DictOf:
    """A dictionary: keys and values in turns, in one list; None while it is empty.

    `is_counter`: whether a key that it does not have counts as 0.
    """

    key: "Type | None"
    value: "Type | None"
    is_counter: bool = False


Type = Scalar | Maybe | Routine | ListOf | TupleOf | SetOf | DictOf


def is_list(kind: Type) -> bool:
    """Return whether values of a type are lists in C."""
    return isinstance(kind, ListOf | TupleOf | SetOf | DictOf)


def common_type(first: Type, second: Type) -> Type | None:
    """Return the type of a value that has one of two types; None if there is none."""
    if first == second:
        return first
    pair = {first, second}
    if pair <= {INT, BOOL, FLOAT}:
        return FLOAT if FLOAT in pair else INT
    if pair == {TEXT, COMPOSED}:
        return COMPOSED
    if pair <= {INT, BOOL, NOTHING, Maybe()}:
        return Maybe()
    if isinstance(first, Routine) and isinstance(second, Routine):
        return Routine(first.keys | second.keys)
    if isinstance(first, TupleOf) and isinstance(second, TupleOf):
        return _common_tuple(first, second)
    if isinstance(first, TupleOf | ListOf) and isinstance(second, TupleOf | ListOf):
        return _common_list(first, second)
    if isinstance(first, DictOf) and isinstance(second, DictOf):
        return _common_dict(first, second)
    return None


def nesting(kind: Type) -> int | None:
    """Return how deep lists are in one another, 0 for a number; None if the items differ."""
    if not is_list(kind):
        return 0
    if isinstance(kind, TupleOf):
        depths = {*map(nesting, kind.items)}
    elif isinstance(kind, ListOf):
        depths = {0 if kind.item is None else nesting(kind.item)}
    elif isinstance(kind, DictOf):
        # Keys are numbers, so values must be as well.
        depths = {0, *(nesting(value) for value in (kind.value,) if value is not None)}
    else:
        return None
    (depth, *others) = depths or {0}
    return None if depth is None or others else depth + 1


def has_same_bits(first: Type, second: Type) -> bool:
    """Return whether a value of one type is a value of the other without a conversion."""
    if isinstance(first, ListOf | TupleOf) and isinstance(second, ListOf | TupleOf):
        if isinstance(first, TupleOf) and isinstance(second, TupleOf):
            return all(map(has_same_bits, first.items, second.items))
        item, other = item_type(first), item_type(second)
        return item is None or other is None or has_same_bits(item, other)
    if isinstance(first, DictOf) and isinstance(second, DictOf):
        value, other = first.value, second.value
        return value is None or other is None or has_same_bits(value, other)
    return (first == FLOAT) == (second == FLOAT)


def item_type(kind: Type) -> Type | None:
    """Return the type that all items of a list or tuple have; None if there is none."""
    if isinstance(kind, ListOf):
        return kind.item
    if isinstance(kind, SetOf):
        return INT
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


def _common_dict(first: DictOf, second: DictOf) -> Type | None:
    keys = [kind.key for kind in (first, second) if kind.key is not None]
    values = [kind.value for kind in (first, second) if kind.value is not None]
    key, value = widest(keys), widest(values)
    if (keys and key is None) or (values and value is None):
        return None
    return DictOf(key, value, first.is_counter) if first.is_counter == second.is_counter else None


def widest(kinds: Sequence[Type]) -> Type | None:
    """Return the type of values of several types; None if there is none."""
    kind: Type | None = kinds[0] if kinds else None
    for other in kinds[1:]:
        kind = common_type(kind, other) if kind is not None else None
    return kind


# Expressions.


@dataclass(frozen=True, slots=True)
class Numeral:
    """A constant; `note` says in C what the number stands for.

    With `is_name`, the note is a name of the headers, which is written instead of the number.
    """

    type: Type
    value: int
    """The number; of a float its 64 bits."""
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


def inner_blocks(statement: Statement) -> list[Block]:
    """Return the blocks of a statement."""
    if isinstance(statement, When):
        return [statement.then, statement.otherwise]
    if isinstance(statement, Loop):
        return [statement.before, statement.body]
    if isinstance(statement, Select):
        return [statement.otherwise, *(block for _, block in statement.cases)]
    return [statement.body] if isinstance(statement, CountUp) else []


def assigns(block: Block, name: str) -> bool:
    """Return whether a block gives a variable a value."""
    for statement in block:
        target = statement.target if isinstance(statement, Assign) else None
        if isinstance(target, Variable) and target.name == name:
            return True
        if any(assigns(inner, name) for inner in inner_blocks(statement)):
            return True
    return False


# Instead of the name of a field: a rule may return the list of any field.
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
    is_generator: bool = False
    """Whether it yields the items of its list, so the list is an iterator in Python."""
    is_remembered: bool = False
    """Whether Python remembers its results, which depend on numbers only."""
    replaced: dict[str, int] = field(default_factory=dict)
    """The fields to which it assigns new lists, with the line."""
