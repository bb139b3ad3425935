"""A function under translation: its variables, the block that is being written, and operands."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cardhub.compiling.rules.form import (
    ANY_FIELD,
    BOOL,
    COMPOSED,
    FLOAT,
    INT,
    NOTHING,
    Assign,
    Block,
    Choose,
    DictOf,
    Do,
    Expression,
    Field,
    Function,
    Helper,
    ListOf,
    Maybe,
    Numeral,
    Operation,
    RuleCall,
    SetOf,
    Statement,
    Table,
    TupleOf,
    Type,
    Variable,
    When,
    assigns,
    common_type,
    has_same_bits,
    is_list,
    item_type,
    widest,
)
from cardhub.compiling.rules.program import (
    Program,
    RefusedError,
    RuleSource,
    float_numeral,
    is_rule,
)
from cardhub.model.table.actions import Amount


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A value that is known before the game: a constant, a function, the game, the state.

    `note`: the name that the rules have for it.
    """

    value: Any
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A list or tuple that the rules write out, item by item."""

    items: "tuple[Operand, ...]"
    is_list: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """A zone with several piles."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A lambda, with the variables around it."""

    node: ast.Lambda
    variables: "dict[str, Operand]"


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A method of an operand, before it is called."""

    owner: "Operand"
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """What a loop goes through: how many items, and the item at an index.

    A lazy one is an iterator in Python, which computes its items when they are asked for, once.
    `listed`: a new list that has the items of an iterator, if they are computed already.
    """

    count: Expression
    item: "Callable[[Expression], Operand]"
    is_lazy: bool = False
    listed: "Variable | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class Generated:
    """A generator expression whose loop is not written yet."""

    node: ast.GeneratorExp | ast.ListComp | ast.SetComp


Operand = Known | Group | Rows | Closure | Method | Steps | Generated | Expression
NOT_EXPRESSIONS = (Known, Group, Rows, Closure, Method, Steps, Generated)


class Marker:
    """A part of a state that rules can name, without a value in C."""

    def __init__(self, name: str) -> None:
        self.name = name


# The state, its settings, its faces, and a field that the struct does not have.
STATE, SETTINGS, FACES = Marker("state"), Marker("settings"), Marker("faces")
LEFT_OUT = Marker("left out")
# The generator of a playout.
GENERATOR = Marker("generator")
# The types of constants that are values in C.
PLAIN: tuple[type, ...] = (int, float, str, type(None), list, tuple, range, Amount)
# How many items a new list can have at least.
ROOM = Numeral(INT, 0, "ROOM", is_name=True)


class Language(NamedTuple):
    """What the translation of all nodes needs of the modules that stand above this one."""

    handlers: dict[type[ast.AST], Callable[..., Any]]
    """The translation of a node, by its type."""
    collect: "Callable[[Scope, Operand, ast.AST], Expression]"
    """Makes a list of all items of a loop."""
    call: "Callable[[Scope, Operand, list[Operand], ast.Call], Operand]"
    """Calls a function with arguments."""


class Scope:
    """A function under translation."""

    def __init__(
        self, program: Program, function: Function, source: RuleSource, language: Language
    ) -> None:
        self.program = program
        self.function = function
        self.source = source
        self.variables: dict[str, Operand] = {}
        self.types: dict[str, Type] = {}
        self.block: Block = []
        self.results: list[Type] = []
        self.loops: list[ast.AST] = []
        """The loops around the present place, by a node of each."""
        self.iterators: dict[str, list[ast.AST]] = {}
        """The variables that are iterators in Python and lists in C, with the loops around them."""
        self.chained: list[ast.AST] = []
        """Where lists are chained, which Python reads later."""
        self.is_new: dict[str, bool] = {}
        """By variable of C, whether it refers to a list that nothing else refers to."""
        self.language = language
        self.rule: ast.FunctionDef | None = None
        """The syntax tree of the function."""
        self._used: set[str] = set()

    def begin(self, node: ast.FunctionDef, types: dict[str, Type]) -> None:
        """Begin a translation of a function; `types`: the known types of its variables."""
        self.rule, self.types = node, types
        function = self.function
        function.parameters, function.variables = [], {}
        function.calls, function.aliases, function.replaced = [], set(), {}
        function.is_new_list = True

    # What the handlers of nodes use.

    def value(self, node: ast.expr) -> Operand:
        """Return the operand of an expression; what it changes is written into the block."""
        handler = self.language.handlers.get(type(node))
        if handler is None:
            raise RefusedError(node, f"this expression is not understood ({type(node).__name__})")
        operand: Operand = handler(self, node)
        return operand

    def statement(self, node: ast.stmt) -> None:
        """Write a statement into the block."""
        handler = self.language.handlers.get(type(node))
        if handler is None:
            raise RefusedError(node, f"this statement is not understood ({type(node).__name__})")
        handler(self, node)

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Write statements into the block."""
        for node in nodes:
            self.statement(node)

    def emit(self, statement: Statement) -> None:
        """Write a statement of C into the block."""
        self.block.append(statement)

    def do(self, name: str, *operands: Expression, with_state: bool = False) -> None:
        """Write a call of a helper for its effect."""
        self.emit(Do(Helper(NOTHING, name, operands, with_state)))

    @contextmanager
    def new_block(self) -> Iterator[Block]:
        """Write into a new block within the `with` statement."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    @contextmanager
    def loop(self, node: ast.AST) -> Iterator[None]:
        """Write the body of a loop within the `with` statement."""
        self.loops.append(node)
        yield
        self.loops.pop()

    def values(self, nodes: Sequence[ast.expr]) -> list[Operand]:
        """Return the operands of several expressions, evaluated from left to right."""
        operands: list[Operand] = []
        for node in nodes:
            with self.new_block() as before:
                operand = self.value(node)
            if before:
                # What follows may change what these have read.
                operands = [self._kept(known, before) for known in operands]
            self.block += before
            operands.append(operand)
        return operands

    def expressions(self, nodes: Sequence[ast.expr]) -> list[Expression]:
        """Return the expressions of C of several expressions, evaluated from left to right."""
        pairs = zip(self.values(nodes), nodes, strict=True)
        return [self.expression(operand, node) for operand, node in pairs]

    def _kept(self, operand: Operand, block: Block) -> Operand:
        """Return an operand as it is before a block."""
        is_variable = isinstance(operand, Variable)
        is_same = is_variable and not assigns(block, getattr(operand, "name", ""))
        return operand if is_same else self.settled(operand)

    def settled(self, operand: Operand) -> Operand:
        """Return an operand whose value no later statement changes."""
        if isinstance(operand, Group):
            items = tuple(self.settled(item) for item in operand.items)
            return Group(items, operand.is_list, operand.names)
        if isinstance(operand, NOT_EXPRESSIONS) or is_settled(operand):
            return operand
        return self.temporary(operand)

    # Variables.

    def new_variable(self, name: str, kind: Type, *, is_fixed: bool = False) -> Variable:
        """Return a new variable of C with this name, or one like it."""
        base = name.strip("_").lower() or "value"
        chosen, number = base, 1
        while chosen in self._used or chosen in self.program.forbidden:
            number += 1
            chosen = f"{base}_{number}"
        self._used.add(chosen)
        self.function.variables[chosen] = kind
        return Variable(kind, chosen, is_fixed)

    def temporary(self, value: Expression, name: str = "value") -> Variable:
        """Return a new variable that has a value."""
        variable = self.new_variable(name, value.type, is_fixed=True)
        self.is_new[variable.name] = self.makes_new(value)
        self.note_alias(value)
        self.emit(Assign(variable, value))
        return variable

    def makes_new(self, value: Expression) -> bool:
        """Return whether an expression is a list without another reference to it."""
        if isinstance(value, Variable):
            return value.is_fixed and self.is_new.get(value.name, False)
        if isinstance(value, RuleCall):
            return value.function.is_new_list
        if isinstance(value, Choose):
            return self.makes_new(value.first) and self.makes_new(value.second)
        return isinstance(value, Helper) and value.is_new

    def note_alias(self, value: Expression) -> None:
        """Note that a variable or argument refers to a list of the state."""
        if isinstance(value, Choose):
            self.note_alias(value.first)
            self.note_alias(value.second)
        if not is_list(value.type):
            return
        if isinstance(value, Field):
            self.function.aliases.add(value.name)
        elif isinstance(value, RuleCall) and not value.function.is_new_list:
            self.function.aliases.add(ANY_FIELD)

    def bind(self, name: str, operand: Operand, node: ast.AST) -> None:
        """Give a variable of the rules a value."""
        if isinstance(operand, NOT_EXPRESSIONS) and not self._has_form(operand):
            self._bind_known(name, operand, node)
            return
        value = self.expression(operand, node)
        kind = self.widen(name, value.type, node)
        value = converted(self, value, kind, node)
        known = self.variables.get(name)
        if isinstance(known, Variable) and not known.is_fixed:
            variable = Variable(kind, known.name)
            self.function.variables[known.name] = kind
        else:
            variable = self.new_variable(name, kind)
        self.variables[name] = variable
        is_new = self.makes_new(value)
        self.is_new[variable.name] = is_new and self.is_new.get(variable.name, True)
        self.note_alias(value)
        self.emit(Assign(variable, value))

    def _has_form(self, operand: Operand) -> bool:
        if isinstance(operand, Known):
            return is_plain(self.program, operand.value)
        return isinstance(operand, Group | Steps) and not is_iterator(operand)

    def _bind_known(self, name: str, operand: Operand, node: ast.AST) -> None:
        """Give a variable a value that exists only before the game; it keeps this value."""
        known = self.variables.get(name)
        is_same = (
            isinstance(known, Known) and isinstance(operand, Known) and known.value is operand.value
        )
        if known is not None and not is_same:
            raise RefusedError(node, f"{name} has several values that exist only before the game")
        self.variables[name] = operand

    def widen(self, name: str, kind: Type, node: ast.AST) -> Type:
        """Return the type of all values of a variable, as far as they are known."""
        known = self.types.get(name, kind)
        wide = common_type(known, kind)
        if wide is None:
            raise RefusedError(node, f"{name} has values of several types")
        self.types[name] = wide
        return wide

    # Operands as expressions of C.

    def expression(self, operand: Operand, node: ast.AST) -> Expression:
        """Return an operand as an expression of C."""
        if isinstance(operand, Known):
            if operand.value is LEFT_OUT:
                raise RefusedError(node, "a text, a tuple or a nested list of the state is read")
            if isinstance(operand.value, Marker):
                raise RefusedError(node, f"the {operand.value.name} cannot be used like this")
            constant = self.program.constant(operand.value, node)
            if isinstance(constant, Numeral) and constant.type == INT:
                return replace(constant, note=operand.note)
            return constant
        if isinstance(operand, Group):
            return _written_out(self, operand, node)
        if isinstance(operand, Steps):
            if operand.is_lazy:
                raise RefusedError(node, "an iterator is understood where it is used up at once")
            return self.language.collect(self, operand, node)
        if isinstance(operand, Rows | Closure | Method | Generated):
            raise RefusedError(node, f"a {type(operand).__name__.lower()} cannot be used like this")
        return operand

    def single(self, operand: Operand, node: ast.AST) -> Expression:
        """Return an operand as a single number; None gives the rule back."""
        value = self.expression(operand, node)
        if isinstance(value.type, Maybe):
            return Helper(INT, "present", (value,))
        if is_list(value.type) or value.type == NOTHING:
            raise RefusedError(node, "a number is needed here")
        if value.type == COMPOSED:
            raise RefusedError(node, "a text that is made while the game runs is not read")
        return value

    def number(self, operand: Operand, node: ast.AST) -> Expression:
        """Return an operand as a single number that is not a float."""
        value = self.single(operand, node)
        if value.type == FLOAT:
            raise RefusedError(node, "an int is needed here")
        return value

    def list(self, operand: Operand, node: ast.AST) -> Expression:
        """Return an operand as a list."""
        value = self.expression(operand, node)
        if not isinstance(value.type, ListOf | TupleOf):
            raise RefusedError(node, "a list is needed here")
        return value

    def truth(self, operand: Operand, node: ast.AST) -> Expression:
        """Return whether an operand is true."""
        if isinstance(operand, Known) and not isinstance(operand.value, Marker):
            return Numeral(BOOL, int(bool(operand.value)))
        if isinstance(operand, Group):
            return Numeral(BOOL, int(bool(operand.items)))
        value = operand.count if isinstance(operand, Steps) else self.expression(operand, node)
        if is_list(value.type):
            value = count_of(value)
        if value.type == COMPOSED:
            raise RefusedError(node, "a text that is made while the game runs is not read")
        if isinstance(value.type, Maybe):
            value = self.temporary(value)
            return Helper(BOOL, "IS_TRUE", (value,))
        if value.type == FLOAT:
            return Operation(BOOL, "!=", (value, float_numeral(0.0)))
        if isinstance(value, Numeral):
            return Numeral(BOOL, int(value.value != 0 and value.type != NOTHING))
        is_truth = value.type == BOOL
        return value if is_truth else Operation(BOOL, "!=", (value, Numeral(INT, 0)))

    def condition(self, node: ast.expr) -> Expression:
        """Return whether an expression is true; of `and` and `or` only what is needed."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.condition(node.operand)
            if isinstance(inner, Numeral):
                return Numeral(BOOL, int(not inner.value))
            return Operation(BOOL, "!", (inner,))
        if not isinstance(node, ast.BoolOp):
            return self.truth(self.value(node), node)
        is_and, (first, *rest) = isinstance(node.op, ast.And), node.values
        left = self.condition(first)
        others = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)
        if isinstance(left, Numeral):
            return self.condition(others) if bool(left.value) == is_and else left
        with self.new_block() as before:
            right = self.condition(others)
        if not before:
            return Operation(BOOL, "&&" if is_and else "||", (left, right))
        result = self.new_variable("is_true", BOOL)
        self.emit(Assign(result, left))
        is_needed = result if is_and else Operation(BOOL, "!", (result,))
        self.emit(When(is_needed, [*before, Assign(result, right)], []))
        return Variable(BOOL, result.name, is_fixed=True)


def is_settled(value: Expression) -> bool:
    """Return whether no statement changes the value of an expression."""
    return isinstance(value, Numeral | Table) or (isinstance(value, Variable) and value.is_fixed)


def is_iterator(operand: Operand) -> bool:
    """Return whether an operand is an iterator in Python, which can be used up once."""
    return isinstance(operand, Generated) or (isinstance(operand, Steps) and operand.is_lazy)


def makes_lacking(scope: Scope, memo: object) -> bool:
    """Return whether the function is the method of a dictionary that makes what it lacks."""
    is_method = scope.rule is not None and scope.rule.name == "__missing__"
    owners = (operand for operand in scope.variables.values() if isinstance(operand, Known))
    return is_method and any(operand.value is memo for operand in owners)


def declares_int(scope: Scope) -> bool:
    """Return whether the function is declared to return an int."""
    returns = scope.rule.returns if scope.rule else None
    return isinstance(returns, ast.Name) and returns.id == "int"


def _written_out(scope: Scope, group: Group, node: ast.AST) -> Expression:
    items = [scope.settled(scope.expression(item, node)) for item in group.items]
    kinds = tuple(scope.expression(item, node).type for item in items)
    common = widest(kinds)
    if group.is_list and kinds and common is None:
        raise RefusedError(node, "the list has values of several types")
    whole = ListOf(common) if group.is_list else TupleOf(kinds, group.names)
    room = ROOM if group.is_list else Numeral(INT, len(items))
    made = scope.temporary(Helper(whole, "new_list", (room,), is_new=True), "made")
    for item in items:
        value = scope.expression(item, node)
        if group.is_list and common is not None:
            value = converted(scope, value, common, node)
        scope.do("append", made, value)
    return made


def items_of(scope: Scope, operand: Operand, node: ast.AST) -> Expression:
    """Return a list with all items of an operand: of a dictionary its keys."""
    is_other = isinstance(operand, Expression) and isinstance(operand.type, SetOf | DictOf)
    is_mapping = isinstance(operand, Known) and isinstance(operand.value, Mapping)
    if is_other or is_mapping or isinstance(operand, Generated | Steps):
        return scope.language.collect(scope, operand, node)
    return scope.list(operand, node)


def applied(scope: Scope, function: Operand, arguments: list[Operand], node: ast.AST) -> Operand:
    """Return the result of a function that the rules do not call by its name."""
    written = ast.Call(ast.Name("function", ast.Load()), [], [])
    return scope.language.call(scope, function, arguments, ast.copy_location(written, node))


def is_plain(program: Program, value: object) -> bool:
    """Return whether a constant is a value in C."""
    return isinstance(value, PLAIN) or is_rule(program, value)


def converted(scope: Scope, value: Expression, kind: Type, node: ast.AST) -> Expression:
    """Return a value as a value of a wider type: an int becomes a float."""
    if has_same_bits(value.type, kind):
        return value
    if kind == FLOAT:
        if isinstance(value, Numeral):
            return float_numeral(value.value)
        return Helper(FLOAT, "as_double", (value,))
    is_own = scope.makes_new(value) or isinstance(value, Table)
    if isinstance(kind, ListOf) and kind.item == FLOAT and is_own:
        return Helper(kind, "list_of_doubles", (value, ROOM), is_new=True)
    raise RefusedError(node, "a list has ints here and floats there")


def add_to(scope: Scope, owner: Expression, value: Expression, node: ast.AST) -> Expression:
    """Return a value as an item that is added to a list; the list's variable gets a wider type."""
    item = item_type(owner.type)
    kind = common_type(item, value.type) if item is not None else value.type
    if kind is None or kind == NOTHING:
        raise RefusedError(node, "the list has values of several types")
    scope.note_alias(value)
    if kind != item:
        _widen_list(scope, owner, kind, node)
    return converted(scope, value, kind, node)


def _widen_list(scope: Scope, owner: Expression, kind: Type, node: ast.AST) -> None:
    """Note the type of the items of a list to which another one is added."""
    if isinstance(owner, Variable) and scope.is_new.get(owner.name, False):
        widen_variable(scope, owner, ListOf(kind), node)
        return
    item = item_type(owner.type)
    is_number = not is_list(kind) and kind != FLOAT
    if not is_number or (item is not None and not has_same_bits(item, kind)):
        raise RefusedError(node, "the items of the list have another type")


def widen_variable(scope: Scope, owner: Variable, kind: Type, node: ast.AST) -> Variable:
    """Give the variable of a list that nothing else refers to a wider type."""
    if not scope.is_new.get(owner.name, False):
        raise RefusedError(node, "something else may refer to this list, which has another type")
    wider = Variable(kind, owner.name, owner.is_fixed)
    for name, operand in scope.variables.items():
        if getattr(operand, "name", "") == owner.name:
            scope.widen(name, kind, node)
            scope.variables[name] = wider
    scope.function.variables[owner.name] = kind
    return wider


def count_of(value: Expression) -> Expression:
    """Return how many items a list or dictionary has."""
    return Helper(INT, "PAIRS" if isinstance(value.type, DictOf) else "COUNT", (value,))
