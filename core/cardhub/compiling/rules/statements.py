"""Statements of rules: assignments, conditions, loops and returns."""

import ast
from collections.abc import Callable, Sequence

from cardhub.compiling.rules import calls, containers, iterators
from cardhub.compiling.rules.arithmetic import arithmetic
from cardhub.compiling.rules.expressions import bounds_of, item_at, row_of
from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    NOTHING,
    Assign,
    Block,
    CountUp,
    DictOf,
    Do,
    Expression,
    Field,
    Helper,
    Jump,
    Leave,
    Loop,
    Maybe,
    Numeral,
    RuleCall,
    Select,
    Statement,
    Variable,
    When,
    common_type,
    is_list,
    item_type,
)
from cardhub.compiling.rules.loops import parts_of, steps_of
from cardhub.compiling.rules.program import RefusedError, is_memo
from cardhub.compiling.rules.scope import (
    STATE,
    Closure,
    Known,
    Operand,
    Rows,
    Scope,
    Steps,
    add_to,
    converted,
    declares_int,
)


def assign(scope: Scope, node: ast.Assign) -> None:
    """Write an assignment, to one target or several."""
    if _is_left_out(scope, node.targets):
        return
    operand = scope.value(node.value)
    if len(node.targets) > 1:
        operand = scope.settled(operand)
    for target in node.targets:
        store(scope, target, operand, node)


def assign_annotated(scope: Scope, node: ast.AnnAssign) -> None:
    """Write an assignment with a type."""
    if node.value is not None and not _is_left_out(scope, [node.target]):
        store(scope, node.target, scope.value(node.value), node)


def _is_left_out(scope: Scope, targets: Sequence[ast.expr]) -> bool:
    """Return whether all targets are fields that the struct does not have."""
    return all(_field_name(target) in scope.program.layout.left_out for target in targets)


def _field_name(node: ast.expr) -> str:
    """Return the name of an attribute; empty for other expressions."""
    return node.attr if isinstance(node, ast.Attribute) else ""


def store(scope: Scope, target: ast.expr, operand: Operand, node: ast.stmt) -> None:
    """Write the assignment of an operand to a target."""
    if isinstance(target, ast.Tuple):
        for part, value in zip(target.elts, parts_of(scope, target, operand), strict=True):
            store(scope, part.value if isinstance(part, ast.Starred) else part, value, node)
    elif isinstance(target, ast.Name):
        _store_variable(scope, target, operand)
    elif isinstance(target, ast.Attribute):
        _store_field(scope, target, operand, node)
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
        if target.slice.lower or target.slice.upper or target.slice.step:
            raise RefusedError(target, "only a whole list is replaced: values[:] = ...")
        whole = scope.list(scope.value(target.value), target)
        scope.do("assign", whole, scope.list(operand, target))
    elif isinstance(target, ast.Subscript):
        settled = scope.settled(scope.expression(operand, target))
        owner, index = scope.values([target.value, target.slice])
        _store_item(scope, owner, index, scope.expression(settled, target), target)
    else:
        raise RefusedError(target, "this target is not understood")


def _store_variable(scope: Scope, target: ast.Name, operand: Operand) -> None:
    if target.id == "_" and not _is_read(scope, target.id):
        return  # it may have values of any types
    if isinstance(operand, Steps) and operand.listed is not None:
        iterators.bind(scope, target.id, operand, target)
    elif target.id in scope.iterators:
        raise RefusedError(target, f"{target.id} is an iterator elsewhere, and no iterator here")
    else:
        scope.bind(target.id, operand, target)


def _store_item(
    scope: Scope, owner: Operand, index: Operand, value: Expression, node: ast.expr
) -> None:
    if isinstance(owner, Known) and is_memo(owner.value):
        return
    if isinstance(owner, Rows):
        raise RefusedError(node, "a pile of a zone is not replaced; move its cards")
    place = scope.number(index, node)
    if isinstance(owner, Expression) and isinstance(owner.type, DictOf):
        containers.store(scope, owner, place, value, node)
        return
    listed = scope.list(owner, node)
    value = add_to(scope, listed, value, node)
    if isinstance(place, Numeral) and place.value < 0:
        scope.do("set_item_from_end", listed, Numeral(INT, -place.value), value)
    else:
        scope.do("set_item", listed, place, value)


def _store_field(scope: Scope, target: ast.Attribute, operand: Operand, node: ast.stmt) -> None:
    owner = scope.value(target.value)
    if not isinstance(owner, Known) or owner.value is not STATE:
        raise RefusedError(target, "only the state changes")
    layout = scope.program.layout
    if target.attr in layout.left_out:
        return
    field = layout.field(target.attr)
    if field is None or field.kind == "ROWS":
        raise RefusedError(target, f"the field {target.attr} of the state is not replaced")
    if field.kind == "SCALAR":
        value = scope.number(operand, target)
        scope.emit(Assign(Field(BOOL if field.is_truth else INT, field.name), value))
        return
    _replace_list(scope, field.name, operand, node)


def _replace_list(scope: Scope, name: str, operand: Operand, node: ast.stmt) -> None:
    """Write that a field gets another list; no variable may go on to refer to either."""
    value = scope.list(operand, node)
    if item_type(value.type) not in (INT, BOOL, None) or isinstance(value.type, DictOf):
        raise RefusedError(node, f"state.{name} gets something else than a list of ints")
    if not _is_new(scope, value, node):
        why = f"state.{name} gets a list that something else may refer to; copy it: [:]"
        raise RefusedError(node, why)
    scope.function.replaced.setdefault(name, node.lineno)
    kind = value.type
    scope.do("assign", Field(kind, name), value)


def _is_new(scope: Scope, value: Expression, node: ast.stmt) -> bool:
    """Return whether a list's new place is the only reference to it afterwards."""
    if not isinstance(value, Variable):
        return not isinstance(value, Field)
    is_new = scope.is_new.get(value.name, False)
    return is_new and not _is_read_after(scope, value, node)


def _is_read(scope: Scope, name: str) -> bool:
    """Return whether a function reads a variable anywhere."""
    parts = ast.walk(scope.rule) if scope.rule else ()
    names = (part for part in parts if isinstance(part, ast.Name))
    return any(part.id == name and isinstance(part.ctx, ast.Load) for part in names)


def _is_read_after(scope: Scope, variable: Variable, node: ast.stmt) -> bool:
    """Return whether rules may read a variable after a statement."""
    names = {n for n, o in scope.variables.items() if getattr(o, "name", "") == variable.name}
    parts = ast.walk(scope.rule) if scope.rule else ()
    reads = (part for part in parts if isinstance(part, ast.Name) and part.id in names)
    end = node.end_lineno or node.lineno
    is_later = any(r.lineno > end and isinstance(r.ctx, ast.Load) for r in reads)
    return bool(names) and (is_later or bool(scope.loops))


def augment(scope: Scope, node: ast.AugAssign) -> None:
    """Write `target += value` and its like."""
    if _is_left_out(scope, [node.target]):
        return
    if isinstance(node.target, ast.Subscript):
        _augment_item(scope, node, node.target)
        return
    read = ast.copy_location(_loaded(node.target), node.target)
    before, added = scope.values([read, node.value])
    is_listed = isinstance(before, Expression) and is_list(before.type)
    if is_listed:
        if not isinstance(node.op, ast.Add):
            raise RefusedError(node, "lists are only extended")
        calls.extend(scope, scope.list(before, node), added, node)
        return
    store(scope, node.target, arithmetic(scope, node.op, [before, added], node), node)


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    assert isinstance(target, ast.Attribute)
    return ast.Attribute(target.value, target.attr, ast.Load())


def _augment_item(scope: Scope, node: ast.AugAssign, target: ast.Subscript) -> None:
    if isinstance(target.slice, ast.Slice):
        raise RefusedError(node, "a slice is not changed like this")
    owner, index = scope.values([target.value, target.slice])
    with scope.new_block() as block:
        added = scope.value(node.value)
    if block:
        owner = scope.settled(owner)
    index = scope.settled(index)
    if isinstance(owner, Rows):
        scope.block += block
        pile = row_of(scope, owner, scope.number(index, node))
        scope.do("extend", pile, scope.list(added, node))
        return
    before = item_at(scope, owner, index, node)
    if block:
        before = scope.settled(before)
    scope.block += block
    if isinstance(before, Expression) and is_list(before.type) and isinstance(node.op, ast.Add):
        calls.extend(scope, before, added, node)
        return
    value = scope.single(arithmetic(scope, node.op, [before, added], node), node)
    _store_item(scope, owner, index, value, target)


def condition(scope: Scope, node: ast.If) -> None:
    """Write a condition; one that is known before the game leaves a branch out."""
    truth = scope.condition(node.test)
    if isinstance(truth, Numeral):
        scope.statements(node.body if truth.value else node.orelse)
        return
    with scope.new_block() as then:
        scope.statements(node.body)
    with scope.new_block() as otherwise:
        scope.statements(node.orelse)
    scope.emit(When(truth, then, otherwise))


def repeat(scope: Scope, node: ast.While) -> None:
    """Write a loop with a condition."""
    if node.orelse:
        raise RefusedError(node, "a loop with else is not understood")
    with scope.new_block() as before:
        truth = scope.condition(node.test)
    with scope.new_block() as body, scope.loop(node):
        scope.statements(node.body)
    scope.emit(Loop(before, truth, body))


def go_through(scope: Scope, node: ast.For) -> None:
    """Write a loop over a list, a range, or the like."""
    if node.orelse:
        raise RefusedError(node, "a loop with else is not understood")
    steps = steps_of(scope, scope.value(node.iter), node.iter)
    index = scope.new_variable("i", INT, is_fixed=True)
    with scope.new_block() as body, scope.loop(node):
        store(scope, node.target, steps.item(index), node)
        scope.statements(node.body)
    scope.emit(CountUp(index, steps.count, body))


def leave(scope: Scope, node: ast.Return) -> None:
    """Write a return."""
    if iterators.YIELDED in scope.variables:
        iterators.end(scope, node)
        return
    operand = Known(None) if node.value is None else scope.value(node.value)
    value = scope.expression(operand, node)
    if value.type == Maybe() and declares_int(scope):
        value = scope.single(value, node)  # a type checker knows that it is not None
    known = common_type(scope.function.result, value.type)
    if known is not None:
        value = converted(scope, value, known, node)
    scope.results.append(value.type)
    if value.type == NOTHING:
        scope.emit(Leave(None))
        return
    if is_list(value.type):
        is_new = scope.is_new.get(value.name, False) if isinstance(value, Variable) else False
        scope.function.is_new_list = scope.function.is_new_list and is_new
    scope.emit(Leave(value))


def evaluate(scope: Scope, node: ast.Expr) -> None:
    """Write an expression for its effect; one on a field that is left out has none."""
    if isinstance(node.value, ast.Constant):
        return  # a docstring
    call = node.value
    method = call.func if isinstance(call, ast.Call) else None
    changed = _field_name(method.value) if isinstance(method, ast.Attribute) else ""
    if changed in scope.program.layout.left_out:
        return
    operand = scope.value(node.value)
    if isinstance(operand, Helper | RuleCall):
        scope.emit(Do(operand))


def require(scope: Scope, node: ast.Assert) -> None:
    """Write an assertion: if it fails, Python says so."""
    scope.do("require", scope.condition(node.test))


def delete(scope: Scope, node: ast.Delete) -> None:
    """Write the deletion of an item or a part of a list."""
    for target in node.targets:
        if not isinstance(target, ast.Subscript):
            raise RefusedError(target, "only items of lists are deleted")
        owner = scope.list(scope.value(target.value), target)
        if isinstance(target.slice, ast.Slice):
            if target.slice.step:
                raise RefusedError(target, "a slice with this step is not understood")
            scope.do("delete_slice", owner, *bounds_of(scope, target.slice))
        else:
            index = scope.number(scope.value(target.slice), target)
            scope.emit(Do(Helper(INT, "pop_at", (owner, index))))


def select(scope: Scope, node: ast.Match) -> None:
    """Write `match`, with constants as patterns."""
    subject = scope.value(node.subject)
    cases: list[tuple[tuple[Numeral, ...], Block]] = []
    otherwise: Block = []
    value = scope.expression(subject, node)
    for case in node.cases:
        with scope.new_block() as block:
            scope.statements(case.body)
        if case.guard is not None:
            raise RefusedError(case.pattern, "a condition of a case is not understood")
        if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
            if case.pattern.name:
                raise RefusedError(case.pattern, "a name as a pattern is not understood")
            otherwise = block
            break
        cases.append((tuple(_patterns(scope, case.pattern)), block))
    scope.emit(Select(value, tuple(cases), otherwise))


def _patterns(scope: Scope, pattern: ast.pattern) -> list[Numeral]:
    if isinstance(pattern, ast.MatchOr):
        return [number for part in pattern.patterns for number in _patterns(scope, part)]
    if isinstance(pattern, ast.MatchValue):
        value = scope.expression(scope.value(pattern.value), pattern)
        if isinstance(value, Numeral):
            return [value]
    raise RefusedError(pattern, "only constants are understood as patterns")


def jump(scope: Scope, node: ast.Break | ast.Continue) -> None:
    """Write `break` or `continue`."""
    scope.emit(Jump("break" if isinstance(node, ast.Break) else "continue"))


def nothing(scope: Scope, node: ast.stmt) -> None:
    """Leave `pass` out."""


def define(scope: Scope, node: ast.FunctionDef) -> None:
    """Keep a function within a function, if it only returns an expression, as a lambda."""
    body = node.body[ast.get_docstring(node) is not None :]
    last = body[0] if len(body) == 1 else None
    if not isinstance(last, ast.Return) or last.value is None or node.decorator_list:
        raise RefusedError(node, "a function within a function must only return an expression")
    written = ast.copy_location(ast.Lambda(node.args, last.value), node)
    scope.variables[node.name] = Closure(written, scope.variables)


def falls_through(block: Sequence[Statement]) -> bool:
    """Return whether what follows a block may be reached."""
    last = block[-1] if block else None
    if isinstance(last, Leave | Jump):
        return False
    if isinstance(last, When):
        return falls_through(last.then) or falls_through(last.otherwise)
    if isinstance(last, Select):
        blocks = [last.otherwise, *(block for _, block in last.cases)]
        return any(falls_through(block) for block in blocks)
    if isinstance(last, Loop):
        endless = isinstance(last.condition, Numeral) and last.condition.value
        return not endless or _has_break(last.body)
    return True


def _has_break(block: Sequence[Statement]) -> bool:
    inner: list[Statement] = []
    for statement in block:
        if isinstance(statement, Jump) and statement.word == "break":
            return True
        if isinstance(statement, When):
            inner += [*statement.then, *statement.otherwise]
        if isinstance(statement, Select):
            inner += [part for _, case in statement.cases for part in case]
    return bool(inner) and _has_break(inner)


STATEMENTS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Assign: assign,
    ast.AnnAssign: assign_annotated,
    ast.AugAssign: augment,
    ast.If: condition,
    ast.While: repeat,
    ast.For: go_through,
    ast.Return: leave,
    ast.Expr: evaluate,
    ast.Assert: require,
    ast.Delete: delete,
    ast.Match: select,
    ast.Break: jump,
    ast.Continue: jump,
    ast.Pass: nothing,
    ast.FunctionDef: define,
}
