"""Every test asserts a requirement."""

import ast
from functools import cache
from pathlib import Path

from tests.house.syntax import nodes_of
from tests.kit.paths import ROOT

SOURCES = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("examples/*/tests/**/*.py")])
# Functions of pytest and Playwright that fail a test.
CHECKS = {"raises", "warns", "fail", "expect"}
# Tests that PettingZoo and OpenSpiel offer to authors of environments; they raise errors.
OTHERS_CHECKS = {"api_test", "seed_test", "render_test", "random_sim_test"}

# Methods of terminals in tests that fail after some seconds.
WAITING = {"until", "until_shown"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def functions(path: Path) -> list[Function]:
    """Return all functions and methods of a file."""
    return [node for node in nodes_of(path) if isinstance(node, Function)]


def called(function: Function) -> set[str]:
    """Return the names of functions and methods that a function calls."""
    targets = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    # Other methods are left out: `close` is a test helper and also a method of the core.
    methods = {target.attr for target in targets if isinstance(target, ast.Attribute)}
    known = WAITING | CHECKS | OTHERS_CHECKS
    return names | {name for name in methods if name in known or name.startswith("assert_")}


def asserting(functions: list[Function]) -> set[str]:
    """Return the names of functions that assert, directly or by calling another one."""
    helpers = {f.name for f in functions if any(isinstance(n, ast.Assert) for n in ast.walk(f))}
    helpers |= CHECKS | OTHERS_CHECKS | WAITING
    calls = {(f.name, *called(f)) for f in functions}
    while more := {name for name, *names in calls if helpers.intersection(names)} - helpers:
        helpers |= more
    return helpers


def is_asserting(test: Function, helpers: set[str]) -> bool:
    """Return whether a test asserts, or calls a helper or a check of cardhub.testing that does."""
    has_assertion = any(isinstance(node, ast.Assert) for node in ast.walk(test))
    names = called(test)
    is_check = any(name.startswith(("check_", "assert_")) for name in names)
    return has_assertion or is_check or bool(names & helpers)


def test_every_test_has_an_assertion() -> None:
    """A test without one passes unless the code raises."""
    everything = [function for path in SOURCES for function in functions(path)]
    helpers = asserting(
        [function for function in everything if not function.name.startswith("test_")]
    )
    silent = [
        f"{path.relative_to(ROOT)}:{test.lineno} {test.name}"
        for path in SOURCES
        for test in functions(path)
        if test.name.startswith("test_") and not is_asserting(test, helpers)
    ]
    assert silent == []


def test_a_test_without_an_assertion_is_found() -> None:
    """The check above sees helpers that assert, also by way of others."""
    source = """
def helper(): other()
def other(): assert find()
def test_good(): helper()
def test_bad(): find()
"""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]
    helpers = asserting([node for node in nodes if not node.name.startswith("test_")])
    assert [is_asserting(test, helpers) for test in nodes[2:]] == [True, False]
