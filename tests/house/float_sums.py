"""A plugin for mypy that refuses `sum` over floats: a rule that needs the types of expressions.

Since Python 3.12 `sum` compensates rounding errors, so its last bits differ from those of 3.11, and
a bot that compares such sums plays another game. `math.fsum` and a loop are the same everywhere.
"""

from collections.abc import Callable
from typing import cast

from mypy.checker import TypeChecker
from mypy.plugin import FunctionContext, Plugin
from mypy.types import AnyType, Instance, Type, UnionType, get_proper_type
from typing_extensions import override

# Sums in these folders decide nothing that a player or a result depends on.
FREE = ("tests/", "benchmarks/", "docs/", ".ci/")
MESSAGE = (
    "`sum` of floats has other last bits since Python 3.12. "
    "fix: add them with `math.fsum`, or in a loop; give integers a type"
)


class FloatSums(Plugin):
    """Reports each call of the built-in `sum` whose result may be a float."""

    @override
    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return _check_sum if fullname == "builtins.sum" else None


def plugin(version: str) -> type[Plugin]:
    """Return the plugin, for mypy of any version."""
    return FloatSums


def _check_sum(call: FunctionContext) -> Type:
    checker = cast(TypeChecker, call.api)
    if _may_be_float(call.default_return_type) and not checker.path.startswith(FREE):
        # mypy tries the overloads of `sum` one after another, and takes an error for a mismatch if
        # it watches: so it must not watch, for which there is no public name.
        watchers, checker.errors._watchers = checker.errors._watchers, []
        checker.fail(MESSAGE, call.context)
        checker.errors._watchers = watchers  # the reason is above
    return call.default_return_type


def _may_be_float(result: Type) -> bool:
    proper = get_proper_type(result)
    if isinstance(proper, UnionType):
        return any(_may_be_float(item) for item in proper.items)
    if isinstance(proper, AnyType):
        return True
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.float"
