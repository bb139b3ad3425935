"""Calls of methods of a state: cards that move, faces that are shown, answers and rounds."""

import ast
from collections.abc import Callable

from cardhub.compiling.rules import loops
from cardhub.compiling.rules.expressions import row_of
from cardhub.compiling.rules.form import (
    BOOL,
    INT,
    DictOf,
    Expression,
    Field,
    Helper,
    Numeral,
)
from cardhub.compiling.rules.program import RefusedError
from cardhub.compiling.rules.scope import (
    Closure,
    Group,
    Known,
    Operand,
    Rows,
    Scope,
    items_of,
)
from cardhub.model.table.state_declaration import Zone

# Functions without an effect, whose calls are left out together with a sentence for the log.
_WITHOUT_EFFECT = frozenset({"len", "min", "max", "sum", "sorted", "index", "count", "abs"})
_VIEWERS = {"nobody": "NOBODY", "owner": "OWNER", "others": "OTHERS", "all": "ALL"}


def call(scope: Scope, name: str, node: ast.Call) -> Operand | None:
    """Return the result of a method of the state; None if it is not one of the core's."""
    handler = METHODS.get(name)
    return handler(scope, node) if handler else None


def _unheard(scope: Scope, node: ast.Call) -> Operand:
    """Leave a sentence out, because games in C have no viewers; what has an effect is kept."""
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        if any(map(_may_have_effect, ast.walk(argument))):
            scope.value(argument)
    return Known(None)


def _may_have_effect(part: ast.AST) -> bool:
    function = part.func if isinstance(part, ast.Call) else None
    name = getattr(function, "attr", getattr(function, "id", ""))
    is_call = function is not None and name not in _WITHOUT_EFFECT
    return is_call or isinstance(part, ast.NamedExpr)


def _zone_of(scope: Scope, node: ast.expr, pile: Expression) -> tuple[Expression, Zone]:
    """Return a pile of a zone, and the zone."""
    operand = scope.value(node)
    name = operand.name if isinstance(operand, Rows | Field) else ""
    zones = scope.program.layout.declaration.zones
    zone = next((zone for zone in zones if zone.name == name), None)
    if zone is None or (isinstance(operand, Field) and operand.row is not None):
        raise RefusedError(node, "the zone must be written as an attribute of the state")
    if isinstance(operand, Rows):
        return row_of(scope, operand, pile), zone
    assert isinstance(operand, Field)
    return operand, zone


def _arguments(node: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    """Return the arguments of a call by their names."""
    given = dict(zip(names, node.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    for unknown in sorted(given.keys() - {*names}):
        raise RefusedError(node, f"the argument {unknown} is not understood")
    return given


def _placed(scope: Scope, node: ast.Call, names: tuple[str, ...]) -> tuple[Expression, ...]:
    """Return the first arguments, then the pile, its viewers, and its number."""
    given = _arguments(node, names)
    first = [given[name] for name in names[:-2]]
    values = scope.values([*first, given["pile"]] if "pile" in given else first)
    values = [scope.settled(value) for value in values]
    pile = scope.number(values.pop(), node) if "pile" in given else Numeral(INT, 0)
    zone, declared = _zone_of(scope, given["zone"], pile)
    who = Numeral(INT, 0, _VIEWERS[declared.faces], is_name=True)
    return (*(scope.expression(value, node) for value in values), zone, who, pile)


def _put(scope: Scope, node: ast.Call) -> Operand:
    token, *place = _placed(scope, node, ("token", "zone", "pile"))
    _put_token(scope, token, place, node)
    return Known(None)


def _put_token(scope: Scope, token: Expression, place: list[Expression], node: ast.Call) -> None:
    """Write that a token enters a pile, which an owner may mix."""
    if _is_mixed(scope):
        moved = scope.list(Group((token,), is_list=True), node)
        scope.do("leave_mixed_zones", moved, with_state=True)
    scope.do("put", token, *place, with_state=True)
    _mix(scope, place)


def _put_all(scope: Scope, node: ast.Call) -> Operand:
    tokens, *place = _placed(scope, node, ("tokens", "zone", "pile"))
    listed = scope.list(tokens, node)
    if _is_mixed(scope):
        scope.do("leave_mixed_zones", listed, with_state=True)
    scope.do("put_all", listed, *place, with_state=True)
    _mix(scope, place)
    return Known(None)


def _is_mixed(scope: Scope) -> bool:
    """Return whether any zone is mixed, so that tokens have to leave shuffles that are to come."""
    return any(zone.mixed for zone in scope.program.layout.declaration.zones)


def _mix(scope: Scope, place: list[Expression]) -> None:
    """Write that the owner of a pile shuffles it, if its zone is mixed."""
    pile, _, keeper = place
    assert isinstance(pile, Field)
    if any(
        zone.name == pile.name and zone.mixed for zone in scope.program.layout.declaration.zones
    ):
        scope.do("mix", pile, keeper, with_state=True)


def _move(scope: Scope, node: ast.Call) -> Operand:
    token, source, *place = _placed(scope, node, ("token", "source", "zone", "pile"))
    scope.do("remove_from", scope.list(source, node), token)
    _put_token(scope, token, place, node)
    return Known(None)


def _tokens(scope: Scope, node: ast.Call) -> Expression:
    return items_of(scope, scope.value(node.args[0]), node)


def _reveal(scope: Scope, node: ast.Call) -> Operand:
    scope.do("reveal", _tokens(scope, node), with_state=True)
    return Known(None)


def _show(scope: Scope, node: ast.Call) -> Operand:
    if node.keywords:
        raise RefusedError(node, "a secret look is not understood")
    token, seat = scope.expressions(node.args)
    scope.do("show", token, seat, with_state=True)
    return Known(None)


def _answer(scope: Scope, node: ast.Call) -> Operand:
    question = scope.value(node.args[0])
    if not isinstance(question, Closure):
        raise RefusedError(node, "the question must be a lambda")
    answer = scope.truth(loops.called(scope, question, [], node, scope.condition), node)
    return scope.temporary(Helper(BOOL, "answered", (answer,)), "answer")


def _disclose(scope: Scope, node: ast.Call) -> Operand:
    (number,) = scope.expressions(node.args)
    return scope.temporary(Helper(INT, "disclosed", (number,)), "number")


def _ask(scope: Scope, node: ast.Call) -> Operand:
    seats = loops.collect(scope, scope.value(node.args[0]), node)
    scope.do("ask", seats, with_state=True)
    return Known(None)


def _choose(scope: Scope, node: ast.Call) -> Operand:
    (action,) = scope.expressions(node.args)
    return scope.temporary(Helper(DictOf(INT, INT), "choose", (action,), with_state=True), "made")


def _shuffle(scope: Scope, node: ast.Call) -> Operand:
    scope.do("shuffle", _tokens(scope, node), with_state=True)
    return Known(None)


def _gather(scope: Scope, node: ast.Call) -> Operand:
    given = _arguments(node, ("zone", "pile"))
    pile = scope.number(scope.value(given["pile"]), node) if "pile" in given else Numeral(INT, 0)
    zone, declared = _zone_of(scope, given["zone"], pile)
    if declared.faces != "nobody":
        raise RefusedError(node, "gather() needs a pile of hidden cards")
    scope.do("gather", zone, with_state=True)
    return Known(None)


def _has_face(scope: Scope, node: ast.Call) -> Operand:
    (token,) = scope.expressions(node.args)
    return scope.temporary(Helper(BOOL, "HAS_FACE", (token,), with_state=True), "has_face")


METHODS: dict[str, Callable[[Scope, ast.Call], Operand]] = {
    "put": _put,
    "put_all": _put_all,
    "move": _move,
    "reveal": _reveal,
    "show": _show,
    "answer": _answer,
    "disclose": _disclose,
    "ask": _ask,
    "choose": _choose,
    "shuffle": _shuffle,
    "gather": _gather,
    "has_face": _has_face,
    "log": _unheard,
    "pause": _unheard,
}
