"""Expressions that are rewritten for mypyc keep their values."""

import ast
from random import Random

import pytest

from cardhub.compiling.native_source import NativeIdioms


def rewritten(text: str, *, is_sum_a_loop: bool = True) -> str:
    """Return the text of a module as it is compiled."""
    tree = ast.parse(text)
    idioms = NativeIdioms(tree, is_sum_a_loop=is_sum_a_loop)
    return ast.unparse(ast.fix_missing_locations(idioms.visit(tree)))


def test_a_sum_is_not_a_loop_if_python_rounds_sums_less_often() -> None:
    assert rewritten("sum((c for c in cards))", is_sum_a_loop=False) == "sum([c for c in cards])"
    assert rewritten("sum(cards)", is_sum_a_loop=False) == "sum(cards)"


@pytest.mark.parametrize("name", ["any", "all", "sum"])
def test_a_reduction_of_a_list_becomes_a_loop(name: str) -> None:
    """The compiler loops itself over a generator expression."""
    assert rewritten(f"{name}(cards)") == f"{name}((_each for _each in cards))"


@pytest.mark.parametrize("text", ["sum(rows, [])", "any((c for c in cards))", "all(*cards)"])
def test_other_reductions_stay_as_they_are(text: str) -> None:
    """They are loops already, or have further arguments."""
    assert rewritten(text) == text


@pytest.mark.parametrize("text", ["sum = 3", "def f(sum): pass", "def sum(cards): pass"])
def test_names_that_the_module_binds_itself_stay_as_they_are(text: str) -> None:
    assert rewritten(f"{text}\nsum(cards)").endswith("\nsum(cards)")


@pytest.mark.parametrize("text", ["any(rows)", "all(rows)", "sum(map(len, rows))"])
def test_reductions_keep_their_values(text: str) -> None:
    """Empty and full rows have both answers."""
    rows = [[1], [], [2, 3]]
    assert eval(rewritten(text), {"rows": rows}) == eval(text, {"rows": rows})


def test_a_random_index_is_a_product_of_two_floats() -> None:
    """The generator may be bound or not; the index stays the same."""
    text = "int(rng.random() * len(legal))"
    assert rewritten(text) == "int(rng.random() * float(len(legal)))"
    assert rewritten("int(random() * len(legal))") == "int(random() * float(len(legal)))"
    values = {"legal": [0] * 51}
    indexes = [eval(t, {**values, "rng": Random(7)}) for t in (text, rewritten(text))]
    assert indexes[0] == indexes[1]


def test_other_products_stay_as_they_are() -> None:
    """A product of two ints has to stay an int."""
    assert rewritten("width * len(cards)") == "width * len(cards)"


def test_a_zip_that_is_not_strict_needs_no_keyword() -> None:
    """A strict one keeps it: it raises for lists of other lengths."""
    assert rewritten("zip(cards, faces, strict=False)") == "zip(cards, faces)"
    assert rewritten("zip(cards, faces, strict=True)") == "zip(cards, faces, strict=True)"
