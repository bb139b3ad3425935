"""Public names of a package, which an inner module has and loads when one is first used.

Importing any module of a package imports the package; most modules do not need its public names.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

VERSION = "__version__"


def lazy_names(
    package: str, home: str, distribution: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package, see PEP 562.

    `home`: the module with the names, in its `__all__`. Type checkers need the import of all of
    them: `if TYPE_CHECKING: from … import *`. `distribution`: the installed package whose version
    is `__version__`; by default the package has none.
    """

    def find(name: str) -> Any:
        if distribution and name == VERSION:
            from importlib.metadata import version  # takes longer than all other imports here

            value: Any = version(distribution)
        else:
            value = public(name)
        setattr(sys.modules[package], name, value)
        return value

    def public(name: str) -> Any:
        module = import_module(home)
        if name not in ("__all__", *module.__all__):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(module, name)

    def names() -> list[str]:
        own = [VERSION] if distribution else []
        return sorted({*vars(sys.modules[package]), *own, *find("__all__")})

    return find, names
