"""Every member of the contract has a docstring, and the page on the contract names it."""

import ast
import re

import pytest
from tests.house.syntax import tree
from tests.kit.paths import ROOT

from cardhub import Actions, Tokens

MODEL = ROOT / "core" / "cardhub" / "model"
PAGE = (ROOT / "docs" / "game-reference.md").read_text("utf-8")
# The names in backquotes, without the block of YAML.
INLINE = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
QUOTED = {name for code in re.findall(r"`([^`\n]+)`", INLINE) for name in re.findall(r"\w+", code)}
CLASSES = [
    ("Game", "game/game.py"),
    ("Heuristics", "game/game.py"),
    ("Display", "game/game.py"),
    ("State", "table/state.py"),
]
DECLARATIONS = [
    *((name, "table/state_declaration.py") for name in ("shared", "per_seat", "piles")),
    ("per_token", "table/state_declaration.py"),
    *((name, "table/actions.py") for name in ("Tokens", "Choice", "Sites", "Players", "Actions")),
    *((name, "table/settings.py") for name in ("Flag", "Number", "SeatNumber", "OneOf")),
    *((name, "game/scene.py") for name in ("Scene", "Area", "Grid", "Target", "SeatLine")),
    *((name, "game/scene.py") for name in ("Counter", "Tally", "Summary", "BreakdownRow", "Names")),
    *((name, "game/played_steps.py") for name in ("Frequency", "PlayedStep")),
]
# Without the arguments of methods and parts, which authors look up here, it was 1,600.
MOST_WORDS = 1_900


def definition(name: str, module: str) -> ast.ClassDef | ast.FunctionDef:
    """Return a class or function of a module."""
    body = tree(MODEL / module).body
    kinds = (ast.ClassDef, ast.FunctionDef)
    return next(node for node in body if isinstance(node, kinds) and node.name == name)


def members(kind: ast.ClassDef) -> dict[str, str]:
    """Return the docstrings of a class's public methods and attributes by name, or empty texts."""
    docstrings = {}
    for node, following in zip(kind.body, [*kind.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            docstrings[node.name] = ast.get_docstring(node) or ""
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            docstrings[node.target.id] = literal(following)
    return {name: text for name, text in docstrings.items() if not name.startswith("_")}


def literal(node: ast.stmt | None) -> str:
    """Return the text of a statement that is only a text, such as an attribute's docstring."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def contract(name: str, module: str) -> dict[str, str]:
    """Return the docstrings of the members of a class of the contract."""
    kind = definition(name, module)
    assert isinstance(kind, ast.ClassDef)
    return members(kind)


@pytest.mark.parametrize(("name", "module"), CLASSES)
def test_every_member_has_a_docstring(name: str, module: str) -> None:
    """The docstring of an attribute stands below it."""
    docstrings = contract(name, module)
    assert len(docstrings) > 5
    assert [member for member, text in docstrings.items() if len(text.split()) < 3] == []


@pytest.mark.parametrize(("name", "module"), DECLARATIONS)
def test_everything_that_a_game_declares_has_a_docstring(name: str, module: str) -> None:
    """It declares zones, groups of actions, options and the parts of what people see."""
    assert len((ast.get_docstring(definition(name, module)) or "").split()) >= 5


@pytest.mark.parametrize(("name", "module"), CLASSES)
def test_the_page_names_every_member(name: str, module: str) -> None:
    assert [member for member in contract(name, module) if member not in QUOTED] == []


def test_the_page_names_every_part_of_a_scene() -> None:
    """Left out are the line that made it, which the core notes, and methods for front ends."""
    assert contract("Scene", "game/scene.py").keys() - QUOTED == {"line", "targets"}


@pytest.mark.parametrize("name", [name for name, _ in DECLARATIONS[:13]])
def test_the_page_names_every_zone_group_and_option(name: str) -> None:
    """These are declared in the class of the state, in `Actions`, and in `options`."""
    assert name in QUOTED


def test_the_attributes_of_actions_that_the_page_names_exist() -> None:
    actions = Actions("pass", Tokens("lay", 3))
    assert actions.starts == (0, 1)
    assert actions.verb_and_index[2] == ("lay", 1)
    assert {"starts", "verb_and_index"} <= QUOTED


def test_the_page_stays_short() -> None:
    """Details belong into the docstrings, which the site shows."""
    assert len(PAGE.split()) <= MOST_WORDS
