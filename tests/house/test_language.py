"""Docstrings, comments and pages are plain English; the count of odd phrases may only fall.

A hit is a place to look at, not a fault in itself: write as you would say it to a colleague. The
limits by room are in `language.yaml`. Libraries that read well have 0.4 (pluggy) to 3.1 (click)
hits in 1,000 words.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from tests.house.syntax import nodes_of
from tests.kit.paths import ROOT

LIMITS: dict[str, float] = yaml.safe_load(Path(__file__).with_name("language.yaml").read_text())
# No room may get a higher limit than this.
MOST = 3.0
PATTERNS = {
    "someone is told": r"\b(told|tells?)\b",
    "those of": r"\b(those|that) of\b",
    "is no X": r"\b(is|are|was) no \w+",
    "so that": r"\bso that\b",
    "as for because": r"(?<=, )as (it|they|the|a|an|this|these|no|most|some|each|its|their|both)\b",
    "only so, so many": r"\b([Oo]nly (so|then|there)|so (many|much|often|far|long))\b",
    "have X do": r"\b([Hh]ave|[Ll]et) (the|a|an|all|no|each|another|bots?|people|it|them|chance)\b",
    "anew, at once": r"\b(anew|once more|again and again|by (itself|themselves))\b",
    "of its own": r"\b(of (its|their) own|for now|at once|for good)\b",
    "where it is": r"\bwhere (it|they|that|there|this) (is|are|can|has)\b",
    "whoever, nothing": r"\b(whoever|whatever|wherever|whichever|(some|no|any)(body|thing))\b",
    "beside, hence": r"\b(besides?|likewise|meanwhile|altogether|thereby|thereof|hence)\b",
    "lies on": r"\b(lies|lie) (in|on|at|within|below|above|over|before|there|beside)\b",
    "of some": r"\bof some\b",
}
# Empty names: an error, a match, a card and a list of rows have better ones.
EMPTY_NAMES = {"found", "each", "what", "told"}
PYTHON, COMMENT = ("*.py",), re.compile(r"^\s*# (.*)$", re.MULTILINE)
JAVASCRIPT = re.compile(r"^\s*(?:// |\* |/\*\*? )(.*)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class Text(NamedTuple):
    """A docstring, a comment or a page: its place and its words."""

    place: str
    words: str


def python_texts(path: Path) -> Iterator[Text]:
    """Yield the docstrings and the whole-line comments of a module."""
    place = path.relative_to(ROOT).as_posix()
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in nodes_of(path):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield Text(f"{place}:{getattr(node, 'lineno', 1)}", text)
    source = path.read_text("utf-8")
    for comment in COMMENT.finditer(source):
        yield Text(f"{place}:{source.count(chr(10), 0, comment.start()) + 1}", comment[1])


@cache
def texts(room: str) -> tuple[Text, ...]:
    """Return all texts of a folder or file, as far as their language counts."""
    folder = ROOT / room
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*"))
    collected: list[Text] = []
    for path in paths:
        if "templates" in path.parts or "node_modules" in path.parts or path == Path(__file__):
            continue
        if path.suffix == ".py":
            collected += python_texts(path)
        elif path.suffix in (".js", ".md"):
            source = path.read_text("utf-8")
            place = path.relative_to(ROOT).as_posix()
            is_page = path.suffix == ".md"
            prose = CODE_BLOCK.sub("", source) if is_page else "\n".join(JAVASCRIPT.findall(source))
            collected.append(Text(place, prose))
    return tuple(collected)


def hits(text: str) -> Iterator[str]:
    """Yield the phrases of a text that match a pattern."""
    for pattern in PATTERNS.values():
        for hit in re.finditer(pattern, text):
            yield " ".join(text[max(hit.start() - 30, 0) : hit.end() + 30].split())


@pytest.mark.parametrize("room", LIMITS)
def test_a_room_has_at_most_its_limit_of_odd_phrases(room: str) -> None:
    words = sum(len(re.findall(r"[A-Za-z']+", text.words)) for text in texts(room))
    assert words > 100
    places = [f"{text.place}: {hit}" for text in texts(room) for hit in hits(text.words)]
    rate = 1000 * len(places) / words
    assert rate <= LIMITS[room], "\n".join([f"{rate:.1f} in 1,000 words", *places])


def test_every_room_has_a_limit_and_none_is_high() -> None:
    wings = [path for path in (ROOT / "core" / "cardhub").iterdir() if any(path.glob("*.py"))]
    rooms = {path.relative_to(ROOT).as_posix() for path in wings} | {"games", "examples", "tests"}
    assert rooms <= set(LIMITS)
    assert max(LIMITS.values()) <= MOST


def empty_names(path: Path) -> Iterator[str]:
    """Yield the places where a module assigns to one of the empty names."""
    place = path.relative_to(ROOT).as_posix()
    for node in nodes_of(path):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                if name.lstrip("_") in EMPTY_NAMES:
                    yield f"{place}:{node.lineno} {name}"


@pytest.mark.parametrize("room", ["core", "games", "examples", "benchmarks", "docs", "tests"])
def test_names_say_what_they_stand_for(room: str) -> None:
    names = [name for path in sorted((ROOT / room).rglob("*.py")) for name in empty_names(path)]
    assert names == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody is told of it.",
        "Return those of the game.",
        "This is no text.",
        "It waits, as it is slow.",
        "Only so it can raise.",
        "Have the bot answer.",
        "Deal anew.",
        "A process of its own.",
        "Zero where there is none, where it is so.",
        "It lies on the table.",
        "Bots of some kinds.",
        "Hints beside the table.",
        "Wait so that it ends.",
    ],
)
def test_each_pattern_sees_a_planted_phrase(sentence: str) -> None:
    assert list(hits(sentence))
