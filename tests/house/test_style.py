"""The style that holds in every room of the house."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.syntax import nodes_of
from tests.kit.paths import ROOT

PRODUCT = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")])
ROOMS = ("core", "games", "examples", "benchmarks", "docs", "tests")
SOURCES = sorted(path for room in ROOMS for path in ROOT.glob(f"{room}/**/*.py"))
CLI = ROOT / "core" / "cardhub" / "cli"
FUNCTION_LINES = 40

SILENCER = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma|fmt:)[^#]*")
SILENCER_KEY = re.compile(r".*\b(ignore|ignore_imports|filterwarnings|per-file-ignores)\b.*")
REASON = re.compile(r"#\s*\w+.*\w+")


def place(path: Path, line: int) -> str:
    """Return a location in the form that editors understand."""
    return f"{path.relative_to(ROOT)}:{line}"


def nodes(paths: list[Path]) -> Iterator[tuple[Path, ast.AST]]:
    """Yield all syntax nodes of these files."""
    for path in paths:
        for node in nodes_of(path):
            yield path, node


def test_the_rules_below_look_at_the_whole_house() -> None:
    """A check that finds no files would hold for ever."""
    rooms = {path.relative_to(ROOT).parts[0] for path in SOURCES}
    assert rooms == set(ROOMS)
    assert len(PRODUCT) > 30


def test_no_function_is_longer_than_40_lines() -> None:
    """A function fits on a screen with its docstring."""
    functions = (
        (path, node)
        for path, node in nodes(SOURCES)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lengths = {
        f"{place(path, node.lineno)} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, node in functions
    }
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}


def test_mypy_refuses_sums_of_floats_in_the_core_and_in_games(tmp_path: Path) -> None:
    """`make check` runs mypy over the house; here it reads a planted fault and an innocent sum."""
    source = tmp_path / "planted.py"
    source.write_text(
        "values = [0.1, 0.2]\nbad = sum(value for value in values)\ngood = sum([1, 2])\n"
    )
    settings = tmp_path / "mypy.ini"
    settings.write_text(f"[mypy]\nplugins = {ROOT / 'tests/house/float_sums.py'}\n")
    command = (sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", os.devnull)
    result = subprocess.run(
        [*command, source], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert f"{source.name}:2: error: `sum` of floats" in result.stdout
    assert "Found 1 error" in result.stdout


def test_randomness_comes_only_from_generators_that_are_passed_in() -> None:
    """A game repeats exactly from its seed: no code uses the module-level generator of `random`."""
    places = [
        place(path, node.lineno)
        for path, node in nodes(PRODUCT)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        # The last two do not draw numbers.
        and node.attr not in ("Random", "SystemRandom", "getstate", "setstate")
    ]
    places += [
        place(path, node.lineno)
        for path, node in nodes(PRODUCT)
        if isinstance(node, ast.ImportFrom) and node.module == "random"
        if {alias.name for alias in node.names} - {"Random", "SystemRandom"}
    ]
    assert places == []


def unexplained_comments(text: str) -> list[int]:
    """Return the lines on which a check is silenced without a comment, there or above, on why."""
    lines, numbers = ["", *text.splitlines()], []
    for number, line in enumerate(lines):
        silencer = SILENCER.search(line)
        above = lines[number - 1].strip()
        if silencer and not REASON.search(line[silencer.end() :]) and above[:1] != "#":
            numbers.append(number)
    return numbers


def unexplained_entries(pyproject: str) -> list[str]:
    """Return the lines of pyproject.toml that silence a check without a comment that says why."""
    entries, section, key = [], "", ""
    for line in pyproject.splitlines():
        code, _, reason = line.partition("#")
        if code.startswith("["):
            section = code
        elif "=" in code:
            key, code = code.split("=", 1)
        if '"' in code and not reason and SILENCER_KEY.fullmatch(f"{section} {key}".strip()):
            entries.append(line)
    return [line for line in entries if line != 'filterwarnings = ["error"]']


def test_every_check_silenced_in_the_sources_has_a_reason_next_to_it() -> None:
    """An exception from a rule has a comment that gives the reason."""
    places = [
        place(path, line)
        for path in SOURCES
        if path != Path(__file__)
        for line in unexplained_comments(path.read_text("utf-8"))
    ]
    assert places == []


def test_every_check_silenced_in_pyproject_has_a_reason_next_to_it() -> None:
    assert unexplained_entries((ROOT / "pyproject.toml").read_text("utf-8")) == []


def test_a_check_silenced_without_a_reason_is_found() -> None:
    """The two rules above find a planted example."""
    assert unexplained_comments("a()  # noqa: S102\nb()  # noqa: S102  # input is ours") == [1]
    sample = 'ignore = [\n"D1", # because\n"D2",\n]\nselect = ["E"]\nignore_imports = ["a -> b"]\n'
    assert unexplained_entries(sample) == ['"D2",', 'ignore_imports = ["a -> b"]']
    sample = '[x.per-file-ignores]\n"a/**" = ["T20"]\n"b/**" = [\n"D1",\n"D2", # because\n]\n'
    assert unexplained_entries(sample) == ['"a/**" = ["T20"]', '"D1",']


@pytest.mark.parametrize("folder", [ROOT / "core", *sorted((ROOT / "games").iterdir())])
def test_source_folders_hold_only_their_package(folder: Path) -> None:
    """They are on the import path of an editable install, but in no wheel."""
    package = "cardhub" if folder.name == "core" else f"cardhub_{folder.name}"
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == {package}


def test_every_game_is_packaged_registered_and_under_contract() -> None:
    """A package of games is in the wheel and declared; a game is kept apart from the others."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    folders = sorted(path.name for path in (ROOT / "games").iterdir())
    packages = [f"games/{name}/cardhub_{name}" for name in folders]
    tool, declared = project["tool"], project["project"]["entry-points"]
    games = declared["cardhub.games"]
    assert {*games, *declared["cardhub.plugins"]} >= set(folders)
    assert set(packages) <= set(tool["hatch"]["build"]["targets"]["wheel"]["packages"])
    for contract in tool["importlinter"]["contracts"][1:4]:
        listed = contract.get("source_modules", contract.get("modules"))
        assert {f"cardhub_{name}" for name in games} <= set(listed), contract["name"]


def test_only_the_console_prints() -> None:
    """Commands print through the function that escapes control characters.

    Gymnasium's render mode `human` prints as well, and escapes them itself.
    """
    others = CLI.parent / "learning" / "adapters" / "rendering.py"
    printers = {"print", "input", "echo", "secho", "prompt", "confirm", "pause", "echo_via_pager"}
    places = [
        place(path, node.lineno)
        for path, node in nodes(PRODUCT)
        if path != CLI / "console.py" and isinstance(node, ast.Call) and _printer(node) in printers
    ]
    places += [
        place(path, node.lineno)
        for path, node in nodes(PRODUCT)
        if isinstance(node, ast.Attribute) and node.attr == "write" and _is_stream(node.value)
        if path != others
    ]
    assert places == []


def _printer(call: ast.Call) -> str:
    """Return the called function: a builtin, or a function of click."""
    match call.func:
        case ast.Name("print" | "input" as name):
            return name
        case ast.Attribute(ast.Name("click"), name):
            return name
    return ""


def _is_stream(node: ast.expr) -> bool:
    return ast.unparse(node) in ("sys.stdout", "sys.stderr", "stdout", "stderr")
