"""The syntax of the files of the repository, parsed once for all tests of a worker."""

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """Return the parsed file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file."""
    return tuple(ast.walk(tree(path)))
