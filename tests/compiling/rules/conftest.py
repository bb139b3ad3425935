"""Modules with rules in C, built once for all tests; without a C compiler the tests are skipped."""

import os
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from cardhub.base.native.finder import rules_module
from cardhub.compiling.rules.rules_build import (
    SANITIZERS,
    compile_rules,
    compiler,
    rules_file,
    write_rules,
)
from cardhub.model.game.game import Game

# A build for tests takes a tenth of a second; `make sanitized` looks for faults of memory in it.
OPTIONS = SANITIZERS if os.environ.get("SANITIZED_RULES") else ("-O0",)

Built = Callable[[Game[Any]], Any]


def load_module(game: str, file: Path) -> Any:
    """Import a module with the rules of a game from its file."""
    spec = spec_from_file_location(f"tests.{rules_module(game)}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return a function that builds and imports the rules of a game."""
    if not compiler():
        pytest.skip("no C compiler like GCC is installed")
    folder = tmp_path_factory.mktemp("rules")
    modules: dict[str, Any] = {}
    # All processes of a test run share what they have built: it takes longer than most tests.
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def build(game: Game[Any]) -> Any:
        name = rules_module(game.name)
        if name not in modules:
            file = rules_file(game.name, shared)
            if not file.exists():
                source, refusals = write_rules(game, folder)
                assert refusals == []
                assert source is not None
                new = rules_file(game.name, folder)
                # The libraries of the sanitizers would slow down the compiler as well.
                with pytest.MonkeyPatch.context() as patch:
                    patch.delenv("LD_PRELOAD", raising=False)
                    assert compile_rules(source, new, OPTIONS) == ""
                new.replace(file)
            modules[name] = load_module(game.name, file)
        return modules[name]

    return build
