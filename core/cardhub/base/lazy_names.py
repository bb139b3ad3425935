"""Public names of a package, which an inner module has and loads when one is first used.

Importing any module of a package imports the package; most modules do not need its public names.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_names(package: str, home: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package, see PEP 562.

    `home`: the module with the names, in its `__all__`. Type checkers need the import of all of
    them: `if TYPE_CHECKING: from … import *`.
    """

    def find(name: str) -> Any:
        module = import_module(home)
        if name not in ("__all__", *module.__all__):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *find("__all__")})

    return find, names
