"""The folder of a build: when it is used, and how it is replaced and deleted."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.compiling.conftest import Build, run
from tests.kit.waiting import wait_until

from cardhub.base.errors import CardhubError
from cardhub.base.native.finder import NativeFinder, read_manifest
from cardhub.base.native.folder import MANIFEST, VARIABLE
from cardhub.cli.main import cli
from cardhub.compiling.native_build import BuildRequest, build, remove, reserved

IS_NATIVE = "from cardhub import State; print(hasattr(State, '__mypyc_attrs__'))"

# In place of Python with mypyc and the C compiler, which take seconds to begin. All compilers write
# temporary files; this one writes its process id, in one piece, once it has read the request.
ENDLESS_COMPILER = """#!/bin/sh
cat > /dev/null
echo $$ > "$TMPDIR/unit.new" && mv "$TMPDIR/unit.new" "$TMPDIR/unit.s"
exec sleep 600
"""
SLOW_BUILD = """
import signal, sys
from pathlib import Path
from cardhub.compiling.native_build import build
from cardhub.compiling.native_build import BuildRequest

signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as the command line does
folder = Path(sys.argv[1])
sys.executable = str(folder / "compiler")
build(BuildRequest({}, {}, {}), folder / "build", ())
"""


def is_used(folder: Path) -> bool:
    """Return whether a program that starts now runs compiled modules."""
    done = run(("-c", IS_NATIVE), folder)
    assert not done.returncode, done.stderr
    return done.stdout == "True\n"


def change(folder: Path, changed: Callable[[Any], object]) -> None:
    """Change the manifest of a build."""
    path = folder / MANIFEST
    manifest = json.loads(path.read_text("utf-8"))
    changed(manifest)
    path.write_text(json.dumps(manifest), "utf-8")


@pytest.fixture
def copied(copied: Build, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Have commands look for compiled modules in the copy."""
    monkeypatch.setenv(VARIABLE, str(copied.folder))
    return copied


def output_of(*words: str) -> str:
    """Return what a command prints that lists or deletes compiled modules without their import."""
    done = CliRunner().invoke(cli, words)
    assert not done.exit_code, done.output
    return done.stdout


def runs(build: Build) -> dict[str, str]:
    """Return how the games run, as `cardhub plugins` lists it."""
    listing = json.loads(output_of("--plugins-dir", str(build.plugins), "plugins", "--json"))
    return {game["name"]: game["runs"] for game in listing if game["runs"]}


def test_the_listing_of_plugins_says_which_games_are_compiled(copied: Build) -> None:
    """Another version of Python cannot use them."""
    listed = runs(copied)
    assert (listed["wren"], listed["leduc"]) == ("compiled", "interpreted")
    assert output_of("plugins").splitlines()[-1] == f"compiled modules: {copied.folder}"
    change(copied.folder, lambda fields: fields.update(suffix=".cpython-27.so"))
    assert runs(copied)["wren"] == "interpreted: compiled by another version"
    assert not is_used(copied.folder)


def test_all_modules_run_interpreted_if_a_source_has_changed(copied: Build) -> None:
    """Compiled modules rely on one another; with the old text they are used again."""
    wren = copied.plugins / "wren.py"
    before = wren.read_text("utf-8")
    wren.write_text(before + "\n", "utf-8")
    try:
        assert runs(copied)["kuhn"] == "interpreted: wren.py has changed"
        assert not is_used(copied.folder)
    finally:
        wren.write_text(before, "utf-8")
    assert is_used(copied.folder)


def test_a_game_of_the_same_name_elsewhere_runs_interpreted(copied: Build, tmp_path: Path) -> None:
    """The compiled module was made from another file."""
    other = shutil.copytree(copied.plugins, tmp_path / "plugins")
    (other / "wren.py").write_text(
        (other / "wren.py").read_text("utf-8").replace("pot = 10", "pot = 6")
    )
    code = (
        "import sys; from pathlib import Path; from cardhub.plugins.registry import find_plugins\n"
        "game = find_plugins([Path(sys.argv[1])]).game('wren')\n"
        "print('__mypyc_attrs__' in vars(type(game)), sys.modules[type(game).__module__].share(3))"
    )
    for folder, output in ((copied.plugins, "True 3\n"), (other, "False 2\n")):
        assert run(("-c", code, str(folder)), copied.folder).stdout == output


@pytest.mark.parametrize(
    "changed",
    [
        lambda fields: fields.clear(),
        lambda fields: fields.update(format=0),
        lambda fields: fields.update(modules=[]),
        lambda fields: fields.update(sources=5),
        lambda fields: fields["sources"].update({"missing.py": "0"}),
        lambda fields: fields["modules"].update({"../elsewhere": "x.py"}),
        lambda fields: fields["modules"].update({"kuhn.game": 5}),
        lambda fields: fields.update(more=1),
    ],
)
def test_a_damaged_manifest_turns_the_build_off(
    copied: Build, changed: Callable[[Any], object]
) -> None:
    """No file outside of the folder is ever loaded."""
    change(copied.folder, changed)
    manifest = read_manifest(copied.folder)
    assert manifest is None or not manifest.is_own or any(manifest.changed())


@pytest.mark.parametrize("text", ["", "[]", "5", '"text"', "{", "\0"])
def test_a_manifest_that_is_none_turns_the_build_off(copied: Build, text: str) -> None:
    (copied.folder / MANIFEST).write_text(text, "utf-8")
    assert read_manifest(copied.folder) is None
    assert NativeFinder(copied.folder).find_spec("kuhn.game") is None


def test_a_deleted_build_leaves_no_file(copied: Build) -> None:
    """Deleting the folder is all it takes to go back."""
    assert output_of("compile", "--remove") == f"deleted {copied.folder}\n"
    assert not [*copied.folder.parent.iterdir()]
    assert output_of("compile", "--remove") == "there are no compiled modules\n"
    assert not is_used(copied.folder)


def test_a_module_deleted_while_a_program_runs_is_named(copied: Build) -> None:
    """Its source cannot take its place: other compiled modules refer to its classes."""
    code = "import sys, shutil; from cardhub import State; shutil.rmtree(sys.argv[1]); import kuhn"
    done = run(("-c", code, str(copied.folder)), copied.folder)
    assert "kuhn.game has been deleted. fix: start this program again" in done.stderr


def test_one_program_builds_at_a_time(tmp_path: Path) -> None:
    """The second program is asked to wait."""
    with reserved(tmp_path / "build"), pytest.raises(CardhubError, match="fix: wait"):
        build(BuildRequest({}, {}, {}), tmp_path / "build", ())
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_cannot_be_written_is_reported_before_the_build(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "build"
    with pytest.raises(CardhubError, match=r"cannot write into .*fix: .*CARDHUB_COMPILED"):
        build(BuildRequest({}, {}, {}), target, ())
    assert not remove(target)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_file_of_a_build(tmp_path: Path, number: signal.Signals) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "compiler").write_text(ENDLESS_COMPILER, "utf-8")
    (tmp_path / "compiler").chmod(0o700)
    environment = {"TMPDIR": str(temporary), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen([sys.executable, "-c", SLOW_BUILD, tmp_path], env=environment) as process:
        wait_until(lambda: any(tmp_path.rglob("unit.s")))
        compiler = int(next(tmp_path.rglob("unit.s")).read_text("utf-8"))
        process.send_signal(number)
        process.wait(60)
    assert not [*temporary.iterdir()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["compiler", "temporary"]
    with pytest.raises(ProcessLookupError):
        os.kill(compiler, 0)
