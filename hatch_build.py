"""The build hook of compiled wheels: HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 turns it on.

Without the variable a wheel is plain Python, for every platform. With it the core's hot modules and
the rules of the games of the wheel are compiled for the Python that builds, where possible also as
C over one struct; their sources stay in the wheel beside them.
"""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Where the package looks for compiled modules.
COMPILED = Path("cardhub", "_compiled")
# As in mypyc's own builds: 0 for a quick trial, 3 is what is published.
LEVEL = "MYPYC_OPT_LEVEL"


class CompiledWheel(BuildHookInterface[BuilderConfig]):
    """Adds the folder of compiled modules to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in a copy that is laid out as it will be installed."""
        if version == "editable":
            return  # `cardhub compile` is for sources that change
        self._staged = Path(tempfile.mkdtemp(prefix="cardhub-wheel-"))
        games = self.metadata.core.entry_points["cardhub.games"]
        for package in self.build_config.packages:
            self._stage(Path(self.root, package))
        program = [sys.executable, str(Path(__file__).absolute())]
        subprocess.run(
            [*program, *(f"{name}={module}" for name, module in games.items())],
            env={**os.environ, "PYTHONPATH": str(self._staged), "CARDHUB_COMPILED": ""},
            cwd=self._staged,
            check=True,
        )
        build_data["force_include"][str(self._staged / COMPILED)] = COMPILED.as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the copy."""
        if version != "editable":
            shutil.rmtree(self._staged)

    def _stage(self, package: Path) -> None:
        unwanted = shutil.ignore_patterns("__pycache__", COMPILED.name)
        shutil.copytree(package, self._staged / package.name, ignore=unwanted)


def main(games: list[str]) -> None:
    """Compile the packages beside the package cardhub; a wheel has all its modules or none."""
    from cardhub.compiling.compiled_games import GameSource, build_request
    from cardhub.compiling.hot_modules import core_folder
    from cardhub.compiling.native_build import build, no_rules
    from cardhub.compiling.rules.rules_build import build_rules, compiler
    from cardhub.model.game.game import Game

    root = core_folder().parent
    named = dict(each.split("=") for each in games)
    sources = [GameSource(n, module, root / module / "__init__.py") for n, module in named.items()]
    request = build_request(sources, os.environ.get(LEVEL, "3"))
    rules: dict[str, Game[Any]] = {}
    for name, module in named.items():
        exported = vars(importlib.import_module(module)).values()
        [kind] = [v for v in exported if isinstance(v, type) and issubclass(v, Game)]
        rules[name] = kind()
    # Where no compiler takes rules in C, as on Windows, the wheel has the other modules.
    add_rules = partial(build_rules, rules) if compiler() else no_rules
    result = build(request, root / COMPILED, named, _report, add_rules)
    missing = [f"{name}: {why}" for name, reasons in result.rules.items() for why in reasons]
    if result.obstacles or missing:
        sys.exit("\n".join([*map(str, result.obstacles), *missing]))


def _report(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
