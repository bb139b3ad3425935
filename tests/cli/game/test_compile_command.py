"""`cardhub compile` reports a missing tool before it compiles."""

import sysconfig
from pathlib import Path

import pytest
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep builds away from the sources."""
    monkeypatch.setenv("CARDHUB_COMPILED", str(tmp_path / "compiled"))
    return tmp_path / "compiled"


def test_without_a_compiler_it_says_which_it_knows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler is not a Python package, so pip cannot install it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    done = run("compile", "gargon")
    assert done.exit_code != 0
    assert "no C compiler is installed (cc, gcc, clang). fix: install gcc" in done.stderr


def test_without_the_headers_of_python_it_names_the_package(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Distributions put them into a separate package."""
    paths = {**sysconfig.get_paths(), "include": str(tmp_path)}
    monkeypatch.setattr(sysconfig, "get_paths", lambda: paths)
    done = run("compile", "gargon")
    assert done.exit_code != 0
    assert "Python.h is missing. fix: install the package python3-dev" in done.stderr


def test_a_folder_that_cannot_be_written_is_named_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CARDHUB_COMPILED", str(tmp_path / "file" / "compiled"))
    done = run("compile", "gargon")
    assert done.exit_code != 0
    assert f"cannot write into {tmp_path / 'file'}: " in done.stderr
    assert "fix: name another folder, in the variable CARDHUB_COMPILED" in done.stderr


def test_a_name_that_is_no_game_lists_those_that_are(run: Run) -> None:
    """A folder would be named by its path."""
    done = run("compile", "gargin")
    assert done.exit_code != 0
    assert "'gargin' is neither a game nor a folder with one. fix: name one of " in done.stderr


def test_nothing_to_remove_is_no_error(run: Run, folder: Path) -> None:
    done = run("compile", "--remove")
    assert (done.exit_code, done.stdout) == (0, "there are no compiled modules\n")
