"""Compiled games behave the same as without the build."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.compiling.conftest import (
    GAMES,
    Build,
    cardhub,
    probe,
    write_part_of_core,
    write_plugins,
)

from cardhub.base.native.finder import LIBRARY
from cardhub.compiling.compiled_games import build_request, game_sources
from cardhub.compiling.hot_modules import core_folder, package_modules
from cardhub.compiling.mypyc_run import LIBRARIES
from cardhub.compiling.native_build import BuildRequest, BuildResult, build
from cardhub.plugins.registry import find_plugins

# mypy takes no return of another type.
ODD = '''"""A module that cannot be compiled."""


def name(number: int) -> str:
    """Return a number."""
    return number
'''
RULES = '''"""A module that can be compiled beside it."""

from jackdaw.odd import name


def title(number: int) -> str:
    """Return the name of a number."""
    return name(number)
'''
# In place of Python with mypyc and the C compiler, which take seconds to begin.
REFUSING_COMPILER = """#!/bin/sh
if grep -q odd.py; then
    line=$(grep -n "return number" jackdaw/odd.py | cut -d: -f1)
    echo "jackdaw/odd.py:$line: error: Incompatible return value type (expected \\"str\\")"
    exit 1
fi
mkdir -p out/jackdaw
touch out/cardhub_compiled__mypyc.so out/jackdaw/rules.so
echo '["cardhub_compiled__mypyc.so", "jackdaw/rules.so"]' > built.json
"""
# The rooms that mypy reads for compiled modules, and the libraries of few modules that they import.
ROOMS = ("base", "bots", "model", "plugins", "view")
SMALL = {"msgspec", "packaging", "pluggy", "typing_extensions", "yaml"}


@pytest.fixture(scope="module")
def both(compiled: Build) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return a program's output with the build, and without."""
    return probe(compiled, compiled.folder), probe(compiled, None)


def test_installed_games_and_games_of_a_folder_are_compiled(both: Any) -> None:
    """The first program ran compiled code, the second none."""
    native, interpreted = both
    assert native["compiled"] == [*GAMES, "core"]
    assert interpreted["compiled"] == []


@pytest.mark.parametrize(
    "fact", ["games", "search", "copies", "hidden", "doc", "file", "error", "subclass", "areas"]
)
def test_a_program_finds_the_same(both: Any, fact: str) -> None:
    """The facts are games, searches, copies, errors with file and line, and texts."""
    native, interpreted = ([result["found"][name][fact] for name in GAMES] for result in both)
    assert native == interpreted
    assert any(native)


def test_copies_are_equal_and_errors_name_the_line_of_the_source(both: Any) -> None:
    for result in both:
        magpie = result["found"]["magpie"]
        assert magpie["copies"] == [True] * 4
        assert magpie["error"][1:] == ["share", "return pot // players"]
        assert magpie["error"][0].endswith("rules.py")
        assert magpie["areas"][0].startswith("magpie/rules.py:")
        assert "hidden" in magpie["hidden"]


def test_mypy_reads_no_large_library() -> None:
    """It follows imports within functions too; one client of language models has 1,800 modules."""
    pattern = re.compile(r"^ *(?:from|import) (\w+)(?=[\w.]*(?: import |$))", re.MULTILINE)
    imported = {
        library
        for room in ROOMS
        for path in (core_folder() / room).rglob("*.py")
        for library in pattern.findall(path.read_text("utf-8"))
    }
    others = imported - {"cardhub", *sys.stdlib_module_names, *LIBRARIES, *SMALL}
    assert others == set()
    assert imported >= SMALL  # the pattern finds them


def test_records_have_the_same_bytes(compiled: Build, tmp_path: Path) -> None:
    """Two programs write a whole game."""
    texts = []
    for folder in (compiled.folder, None):
        path = tmp_path / f"{folder is None}.jsonl"
        seats = ("--seat", "A=ismcts:20", "--seat", "B=random", "--record", str(path))
        done = cardhub(folder, "play", "kuhn", "--plain", "--seed", "3", *seats)
        assert not done.returncode, done.stderr
        first, *lines = path.read_text("utf-8").splitlines()
        texts.append([{**json.loads(first), "created": ""}, *lines])
    assert texts[0] == texts[1]


def test_methods_are_compared_with_those_of_the_compiled_core(compiled: Build) -> None:
    errors = set()
    for folder in (compiled.folder, None):
        done = cardhub(folder, "--plugins-dir", str(compiled.plugins), "rules", "rook")
        errors.add(done.stderr)
    [error] = errors
    assert "Rook has scores(self, state, more), but cardhub calls scores(self, state)" in error


@pytest.fixture
def jackdaw(tmp_path: Path) -> BuildRequest:
    """Return a request for a package with a module that cannot be compiled."""
    package = tmp_path / "jackdaw"
    package.mkdir()
    texts = {"__init__": "", "odd": ODD, "rules": RULES}
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    modules = dict(package_modules("jackdaw", package / "__init__.py"))
    return BuildRequest(modules, {"jackdaw": package}, {}, optimization="0")


def check_obstacle(result: BuildResult, request: BuildRequest) -> None:
    """Check that the module stays interpreted, and that the module beside it is compiled."""
    [obstacle] = result.obstacles
    place, _, why = obstacle.partition(": ")
    assert place == f"{request.modules['jackdaw.odd']}:6"
    assert "str" in why
    assert {*result.files} == {LIBRARY, "jackdaw.rules"}


@pytest.mark.skipif(sys.platform == "win32", reason="the program in place of mypyc is a script")
def test_a_module_that_cannot_be_compiled_is_an_obstacle(
    jackdaw: BuildRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script prints what mypyc prints, which takes ten seconds."""
    compiler = tmp_path / "compiler"
    compiler.write_text(REFUSING_COMPILER, "utf-8")
    compiler.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(compiler))
    check_obstacle(build(jackdaw, tmp_path / "build", ()), jackdaw)


@pytest.mark.soak("mypyc itself runs twice; a script takes its place in the test above")
def test_a_module_that_mypyc_refuses_is_an_obstacle(jackdaw: BuildRequest, tmp_path: Path) -> None:
    core = write_part_of_core(tmp_path / "core")
    request = replace(jackdaw, packages={**jackdaw.packages, "cardhub": core})
    check_obstacle(build(request, tmp_path / "build", ()), request)


@pytest.mark.soak("a minute; other tests compile a part of the core, and `.ci/run` a whole wheel")
def test_all_hot_modules_are_compiled_and_search_the_same(tmp_path: Path) -> None:
    plugins = write_plugins(tmp_path / "plugins")
    sources = game_sources(find_plugins([plugins]))
    request = build_request((sources[name] for name in GAMES), optimization="0")
    whole = Build(tmp_path / "build", plugins)
    result = build(request, whole.folder, GAMES)
    assert (result.obstacles, {*result.files}) == ([], {LIBRARY, *request.modules})
    assert probe(whole, whole.folder)["found"] == probe(whole, None)["found"]
