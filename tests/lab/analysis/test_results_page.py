"""Every field of `result.json` is explained: at the field, at its struct, or on docs/results.md."""

import ast
import inspect
import re
from itertools import pairwise
from types import ModuleType

import pytest
from msgspec import Struct
from tests.kit.paths import ROOT

from cardhub.lab.analysis import schema
from cardhub.lab.match.log import result_file


def structs(module: ModuleType) -> list[type[Struct]]:
    """Return the structs that a module defines."""
    classes = [thing for thing in vars(module).values() if inspect.isclass(thing)]
    return [c for c in classes if issubclass(c, Struct) and c.__module__ == module.__name__]


def code_words(text: str) -> set[str]:
    """Return all words in code in a text."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", text))))


def explained(struct: type[Struct]) -> set[str]:
    """Return the fields with a docstring, and the words in code in all docstrings of a struct."""
    (node,) = ast.parse(inspect.getsource(struct)).body
    assert isinstance(node, ast.ClassDef)
    names = set()
    for field, text in pairwise([ast.Pass(), *node.body]):
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            names |= code_words(str(text.value.value))
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                names.add(field.target.id)
    return names


PAGE = (ROOT / "docs" / "results.md").read_text("utf-8")
ON_PAGE = code_words(re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("struct", [*structs(schema), *structs(result_file)])
def test_every_field_is_explained(struct: type[Struct]) -> None:
    keys = {*struct.__struct_fields__, *struct.__struct_encode_fields__}
    assert keys - explained(struct) - ON_PAGE == set()
