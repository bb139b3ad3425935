"""The build of modules of translated rules: C text, and a C compiler alone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cardhub.base.native.finder import RULES_FOLDER, rules_module
from cardhub.bots.search.struct_tree import why_no_tree
from cardhub.compiling.rules.c_writer import CText
from cardhub.compiling.rules.translate import translate_rules
from cardhub.model.game.game import Game

COMPILERS = ("cc", "gcc", "clang")
OPTIONS = ("-O2", "-fvisibility=hidden")
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# Lists of the struct are lists of other sizes to the functions that read them.
# A product and a sum are rounded one by one, as in Python.
_ALWAYS = ("-fPIC", "-fno-strict-aliasing", "-ffp-contract=off")
_LINKING = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)
NO_COMPILER = "there is no compiler like GCC for a system of 64 bits"


def build_rules(
    games: Mapping[str, Game[Any]], folder: Path, progress: Callable[[str], None]
) -> dict[str, tuple[str, ...]]:
    """Build the rules of games into a folder of compiled modules.

    Returns by game why its rules are not built, with file, line and column; empty if they are.
    """
    reasons: dict[str, tuple[str, ...]] = {}
    for name, game in games.items():
        progress(f"rules in C: {name}")
        reasons[name] = tuple(_built(name, game, folder / RULES_FOLDER, progress))
    return reasons


def rules_file(name: str, folder: Path) -> Path:
    """Return the file of the module with the rules of a game."""
    return folder / (rules_module(name) + EXTENSION_SUFFIXES[0])


def compiler() -> list[str]:
    """Return the command of the C compiler; empty if there is none that will do."""
    configured = str(sysconfig.get_config_var("CC") or "")
    named = [shlex.split(os.environ.get("CC", "")), shlex.split(configured)]
    candidates = [*named, *([command] for command in COMPILERS)]
    if sys.platform == "win32" or sys.maxsize < 1 << 32:
        return []
    return next((words for words in candidates if words and shutil.which(words[0])), [])


def write_rules(game: Game[Any], folder: Path) -> tuple[Path | None, list[str]]:
    """Write the C text of a game's rules; return its file, or None with what is not understood.

    With a file, it is the heuristics that are not understood, so playouts stay in Python.
    """
    rules = translate_rules(game)
    if rules.refusals:
        return None, [str(refusal) for refusal in rules.refusals]
    text, module = CText(rules), rules_module(game.name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}_text.h").write_text(text.rules(), "utf-8")
    path = folder / f"{module}.c"
    path.write_text(text.module(module, f"{module}_text.h"), "utf-8")
    return path, [str(refusal) for refusal in rules.playout_refusals]


def compile_rules(source: Path, target: Path, options: tuple[str, ...]) -> str:
    """Compile the C text of a module; return the compiler's errors, or an empty text."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folders = (Path(__file__).parent, Path(sysconfig.get_paths()["include"]))
    includes = [f"-I{folder}" for folder in folders]
    command = [*compiler(), *_LINKING, *_ALWAYS, *options, *includes, str(source)]
    done = subprocess.run(
        [*command, "-o", str(target)], capture_output=True, text=True, check=False
    )
    return done.stderr if done.returncode else ""


def _built(
    name: str, game: Game[Any], folder: Path, progress: Callable[[str], None]
) -> Iterator[str]:
    """Build the rules of a game; yield why not, if they are not built."""
    if not compiler():
        yield NO_COMPILER
        return
    with TemporaryDirectory(prefix="cardhub-rules-") as temporary:
        try:
            source, refusals = write_rules(game, Path(temporary))
        except Exception as error:  # noqa: BLE001  # anybody's rules: none may end the whole build
            source, refusals = None, [f"the translation failed: {type(error).__name__}: {error}"]
        if source is None:
            yield from refusals
        else:
            for refusal in refusals:
                progress(f"playouts in Python: {refusal}")
            if not refusals and (reason := why_no_tree(game)):
                progress(f"search tree in Python: {reason}")
            output = compile_rules(source, rules_file(name, folder), OPTIONS)
            if output:
                message = re.search(r"error: (.*)", output)
                why = message[1] if message else output.strip()
                yield f"the C compiler refuses the rules: {why}"
