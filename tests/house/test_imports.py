"""Modules loaded by importing the parts of cardhub that need no terminal."""

import json
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter

import grimp

LOADED = "import json, sys, {modules}; print(json.dumps(sorted(sys.modules)))"
WITHOUT_TERMINAL = (
    "cardhub",
    "cardhub.play.api",
    "cardhub.lab.api",
    "cardhub.bots",
    "cardhub.view.text",
    "cardhub.testing",
    "cardhub_gargon",
)


@cache
def modules_loaded_by(*modules: str) -> set[str]:
    """Return the names of all modules in a fresh interpreter after some imports."""
    command = [sys.executable, "-c", LOADED.format(modules=", ".join(modules))]
    return set(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))


def test_everything_below_the_front_ends_loads_neither_textual_nor_click() -> None:
    """Rules, bots, the referee and text rendering run on a server without a terminal."""
    loaded = modules_loaded_by(*WITHOUT_TERMINAL)
    assert {*WITHOUT_TERMINAL} <= loaded
    assert loaded & {"textual", "click", "rich.console"} == set()


def test_the_command_line_loads_textual_only_for_the_table() -> None:
    """`cardhub games` and `--plain` do not wait for a screen they never open."""
    loaded = modules_loaded_by("cardhub.cli.main")
    assert "click" in loaded
    assert "textual" not in loaded


HELP = """cardhub.cli.main as main
try:
    main.cli.main(["--help"])
except SystemExit:
    print()
import json, sys"""


def test_the_help_loads_a_small_part_of_cardhub() -> None:
    """It is printed in 0.15 seconds: without games, bots, records and any other library."""
    command = [sys.executable, "-c", f"import {HELP}; print(json.dumps(sorted(sys.modules)))"]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    loaded = json.loads(printed.splitlines()[-1])
    own = {name for name in loaded if name.split(".")[0] == "cardhub"}
    assert len(own) < 25
    slow = {"asyncio", "msgspec", "multiprocessing", "numpy", "platformdirs", "regex", "rich"}
    assert {name.split(".")[0] for name in loaded} & (slow | {"textual", "yaml"}) == set()


def test_the_command_line_loads_checks_only_for_the_check_command() -> None:
    """Players do not wait for the import of authors' tools."""
    assert "cardhub.testing" not in modules_loaded_by("cardhub.cli.main")


def test_checks_load_the_test_runner_only_for_tests() -> None:
    """`cardhub check` runs where no pytest is installed."""
    assert "pytest" not in modules_loaded_by(*WITHOUT_TERMINAL)


def test_games_are_not_imported_before_they_are_named() -> None:
    """A broken game cannot break the program."""
    assert not {name for name in modules_loaded_by("cardhub.cli.main") if "cardhub_" in name}


def test_modules_have_no_import_cycles() -> None:
    """Each module can be read and tested after those it imports; imports of types count, too."""
    # Without a cache: it would miss changes within one second.
    packages = ("cardhub", "cardhub_gargon", "cardhub_gamon", "cardhub_garner", "cardhub_openspiel")
    graph = grimp.build_graph(*packages, cache_dir=None)
    imports = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    order = TopologicalSorter(imports).static_order()  # raises CycleError, which names the modules
    assert set(order) == graph.modules
