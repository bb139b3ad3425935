"""Compiled games behave the same as without the build."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.compiling.conftest import GAMES, Build, cardhub, probe

from cardhub.base.native.finder import LIBRARY
from cardhub.compiling.hot_modules import core_folder, package_modules
from cardhub.compiling.native_build import BuildRequest, build

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


def test_a_module_that_cannot_be_compiled_is_an_obstacle(tmp_path: Path) -> None:
    """It stays interpreted; the modules beside it are compiled."""
    package = tmp_path / "jackdaw"
    package.mkdir()
    texts = {"__init__": "", "odd": ODD, "rules": RULES}
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    modules = dict(package_modules("jackdaw", package / "__init__.py"))
    # Of the core, what runs mypyc and what the text imports: mypy takes seconds for all the rest.
    core = tmp_path / "core"
    for room in ("base", "compiling"):
        shutil.copytree(core_folder() / room, core / room)
    core.joinpath("__init__.py").touch()
    packages = {"jackdaw": package, "cardhub": core}
    request = BuildRequest(modules, packages, {}, optimization="0")
    result = build(request, tmp_path / "build", ())
    [obstacle] = result.obstacles
    assert obstacle.path == package / "odd.py"
    assert obstacle.line == 6
    assert "str" in obstacle.why
    assert {*result.files} == {LIBRARY, "jackdaw.rules"}
