"""The glossary covers the public names; no name has a replaced word."""

import ast
import re
from collections.abc import Iterator

import pytest
from tests.house.syntax import tree
from tests.kit.paths import ROOT

import cardhub
import cardhub.play
import cardhub.testing
from cardhub import Display, Game, Heuristics

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
REPLACED = CONTRIBUTING.partition("\n### Replaced words\n")[2].partition("\n## ")[0]
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Words of public names that need no explanation: plain English, or as in any Python program.
ORDINARY = {
    *("advance", "any", "apply", "by", "cardhub", "check", "clockwise"),
    *("connected", "default", "detail", "error", "everything", "find", "first", "flag"),
    *("french", "guesses", "hand", "hidden", "human", "illegal", "initial", "inspect"),
    *("left", "listed", "load", "lowest", "name", "number", "of", "one", "orthogonal"),
    *("over", "pass", "per", "play", "probe", "random", "read", "resolve", "rules"),
    *(
        "shared",
        "shuffled",
        "signed",
        "step",
        "text",
        "title",
        "type",
        "value",
        "version",
        "weights",
    ),
    *("wins",),
}


def rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the first two cells of the rows of all tables, without their heads."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] not in ("word", "not"):
            yield cells[0], cells[1]


def words(name: str) -> list[str]:
    """Return the words of a name such as `BotEntry`, in lower case and in the singular."""
    return [singular(word.lower()) for word in WORD.findall(name)]


def singular(word: str) -> str:
    """Return a regular plural without its `s`."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def own_names(kind: type) -> set[str]:
    """Return the public attributes of a class, annotated ones included."""
    hints = {name for base in kind.__mro__ for name in vars(base).get("__annotations__", {})}
    return {name for name in {*dir(kind), *hints} if not name.startswith("_")}


EXPORTED = {*cardhub.__all__, *cardhub.play.__all__, *cardhub.testing.__all__}
PUBLIC = sorted(EXPORTED.union(*map(own_names, (Game, Heuristics, Display))))
TERMS = {
    singular(word) for term, _ in rows(GLOSSARY) for word in re.findall(r"[a-z]+", term.lower())
}
QUOTED = {name for _, meaning in rows(GLOSSARY) for name in re.findall(r"`(\w+)`", meaning)}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_term_in_a_public_name_has_an_entry(name: str) -> None:
    """A name with a new term needs an entry, or the term is an ordinary word."""
    known = TERMS | {singular(word) for word in ORDINARY}
    unknown = [word for word in words(name) if word not in known]
    assert name in QUOTED or not unknown, f"{name}: no entry for {', '.join(unknown)}"


def test_every_identifier_in_the_glossary_exists() -> None:
    """An entry names exported objects and attributes of games only."""
    assert len(QUOTED) > 20
    assert sorted(QUOTED - set(PUBLIC)) == []


def test_no_term_has_two_entries() -> None:
    terms = [term for term, _ in rows(GLOSSARY)]
    assert len(terms) > 60
    assert sorted({term for term in terms if terms.count(term) > 1}) == []


@pytest.mark.interpreted("compiled classes have no annotations")
def test_every_ordinary_word_is_used() -> None:
    """The list stays short: a word that no public name needs is deleted."""
    used = {word for name in PUBLIC for word in words(name)}
    assert sorted(word for word in ORDINARY if singular(word) not in used - TERMS) == []


def names_in(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module or class defines, including names within its classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from names_in(node.body)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_no_public_name_has_a_replaced_word() -> None:
    """Folders, modules, classes, functions, attributes and constants of core and games count."""
    replaced = {word for term, _ in rows(REPLACED) for word in term.split(", ")}
    assert len(replaced) > 10
    places = [
        f"{path.relative_to(ROOT)}: {name}"
        for folder in ("core", "games")
        for path in (ROOT / folder).rglob("*.py")
        for name in (*path.parts, *names_in(tree(path).body), path.stem)
        if not name.startswith("_")
        if replaced & {word.lower() for word in WORD.findall(name)}
    ]
    assert sorted(places) == []
