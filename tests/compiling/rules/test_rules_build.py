"""The build of rules in C: a part of a folder of compiled modules."""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.kit.paths import ROOT

from cardhub.base.native.finder import (
    FORMAT,
    NativeFinder,
    build_status,
    read_manifest,
    rules_module,
)
from cardhub.base.native.folder import VARIABLE
from cardhub.cli.game import compile_games
from cardhub.cli.main import cli
from cardhub.compiling.hot_modules import core_folder, generator_sources
from cardhub.compiling.native_build import BuildRequest, BuildResult, build, silent
from cardhub.compiling.rules import rules_build
from cardhub.compiling.rules.rules_build import NO_COMPILER, build_rules, compiler, rules_file
from cardhub.model.game.game import Game
from cardhub.plugins.registry import find_plugins

KUHN = ROOT / "examples" / "kuhn" / "kuhn" / "game.py"
# In place of Python with mypyc, which takes seconds to begin.
MYPYC = """#!/bin/sh
mkdir -p out/kuhn
touch out/kuhn/game.so
echo '["kuhn/game.so"]' > built.json
"""
needs_compiler = pytest.mark.skipif(not compiler(), reason="no C compiler like GCC is installed")


def games(*names: str) -> Mapping[str, Game[Any]]:
    """Return installed games by their names."""
    registry = find_plugins([])
    return {name: registry.game(name) for name in names}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a build of Kuhn poker whose modules are not really compiled, but whose rules are."""
    script = tmp_path / "compiler"
    script.write_text(MYPYC, "utf-8")
    script.chmod(0o700)
    request = BuildRequest({"kuhn.game": KUHN}, {"kuhn": KUHN.parent}, {})
    monkeypatch.setattr(rules_build, "OPTIONS", ("-O0",))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(script))
        add_rules = partial(build_rules, games("kuhn", "rebels"))
        result = build(request, tmp_path / "build", ("kuhn",), silent, add_rules)
    assert not result.rules["kuhn"]
    monkeypatch.delitem(sys.modules, "cardhub_compiled.kuhn_rules", raising=False)
    return tmp_path / "build"


def test_every_header_decides_what_is_compiled() -> None:
    headers = {*(core_folder() / "compiling" / "rules").rglob("*.h")}
    assert headers <= {*generator_sources()}
    assert any(header.parent.name == "learners" for header in headers)


@needs_compiler
@pytest.mark.skipif(sys.platform == "win32", reason="the program in place of mypyc is a script")
def test_rules_in_c_are_part_of_a_build(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = read_manifest(folder)
    assert manifest is not None
    assert manifest.rules["kuhn"] == ""
    assert "rebels" in manifest.rules["rebels"]
    assert rules_file("kuhn", folder / "rules").exists()
    finder = NativeFinder(folder)
    module = finder.load_rules("kuhn", KUHN)
    assert module is not None
    monkeypatch.setitem(sys.modules, "cardhub_compiled.kuhn_rules", module)
    assert finder.load_rules("kuhn", KUHN) is module
    # Another game of the same name, and one that is not translated.
    assert finder.load_rules("kuhn", folder / "game.py") is None
    assert finder.load_rules("rebels", KUHN) is None


@needs_compiler
@pytest.mark.skipif(sys.platform == "win32", reason="the program in place of mypyc is a script")
def test_rules_in_c_are_left_alone_after_a_change(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text("utf-8").replace(f'"format": {FORMAT}', '"format": 2'), "utf-8")
    assert NativeFinder(folder).load_rules("kuhn", KUHN) is None


@needs_compiler
@pytest.mark.skipif(sys.platform == "win32", reason="the program in place of mypyc is a script")
def test_a_deleted_module_is_left_alone(folder: Path) -> None:
    rules_file("kuhn", folder / "rules").unlink()
    assert NativeFinder(folder).load_rules("kuhn", KUHN) is None


@needs_compiler
@pytest.mark.skipif(sys.platform == "win32", reason="the program in place of mypyc is a script")
def test_plugins_say_which_rules_are_in_c(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    assert build_status("kuhn") == "compiled, rules in C"
    output = CliRunner().invoke(cli, ["plugins"]).output
    assert f"compiled modules: {folder}" in output
    assert "not in C: rebels: " in output
    assert "not in C: kuhn" not in output


def test_without_a_compiler_no_rules_are_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_build, "compiler", list)
    assert build_rules(games("kuhn"), tmp_path, silent) == {"kuhn": (NO_COMPILER,)}


@needs_compiler
def test_a_fault_of_the_translation_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_build, "translate_rules", lambda _game: 1 // 0)
    [reason] = build_rules(games("kuhn"), tmp_path, silent)["kuhn"]
    assert reason.startswith("the translation failed: ZeroDivisionError: ")


@needs_compiler
def test_what_the_c_compiler_refuses_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_build, "OPTIONS", ("-D__SIZEOF_POINTER__=4",))
    [reason] = build_rules(games("kuhn"), tmp_path, silent)["kuhn"]
    assert reason.startswith("the C compiler refuses the rules: ")


def test_the_command_prints_what_is_not_in_c(capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"kuhn": (), "garner": ("a.py:1:1: why", "a.py:2:1: why"), "spades": ("b.py:3:1: why",)}
    compile_games.report_rules(BuildResult(rules=rules), {"spades"})
    assert capsys.readouterr().out.splitlines() == [
        "rules in C: kuhn",
        "not in C: garner: a.py:1:1: why",
        "not in C: garner: 1 more place",
        "not in C: spades: b.py:3:1: why",
    ]


def test_a_name_with_a_hyphen_is_a_module() -> None:
    assert rules_module("big-two") == "big_two_rules"
