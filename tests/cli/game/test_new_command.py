"""`cardhub new`: the first files of a game of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_it_writes_a_game_and_says_what_to_do_next(run: Run, empty: Path) -> None:
    """Where the files are, and three commands."""
    done = run("new", "highest")
    assert done.exit_code == 0, done.output
    assert [path.name for path in empty.iterdir()] == ["highest"]
    lines = done.stdout.splitlines()
    assert "highest/highest/game.py        the rules and the display" in lines
    assert lines[-6:] == [
        "Next:",
        "  python -m pip install -e ./highest",
        "  cardhub check highest",
        "  cardhub play highest",
        "",
        "Without installing it: cardhub --plugins-dir ./highest check highest",
    ]


def test_it_can_be_played_without_being_installed(run: Run) -> None:
    """Its folder will do as a folder for plugins."""
    run("new", "highest")
    done = run(
        "--plugins-dir", "highest", "play", "highest", "--seat", "Anna=random", "--seed", "1"
    )
    assert done.exit_code == 0, done.output
    assert "Result:" in done.stdout


@pytest.mark.parametrize("game", ["highest", "./highest"])
@pytest.mark.parametrize("options", [(), ("--plugins-dir", ".")])
def test_a_package_that_is_not_installed_is_an_error(
    run: Run, game: str, options: tuple[str, ...]
) -> None:
    """A folder of that name is not a game yet, nor with the folder above as plugins directory."""
    run("new", "highest")
    done = run(*options, "check", game)
    assert done.exit_code == 2
    message = (
        "The folder 'highest' is not installed: python -m pip install -e ./highest, "
        "or start with cardhub --plugins-dir ./highest"
    )
    assert message in " ".join(done.stderr.split())


def test_a_package_in_a_plugins_directory_elsewhere_is_named_with_its_folder(
    run: Run, empty: Path
) -> None:
    (empty / "games").mkdir()
    run("new", "highest", "--dir", "games")
    done = run("--plugins-dir", "games", "check", "highest")
    assert "cardhub --plugins-dir" in done.stderr
    assert str(Path("games", "highest")) in "".join(done.stderr.split())


def test_the_folder_can_be_another_one(run: Run, empty: Path) -> None:
    """A path with spaces is quoted for the shell."""
    (empty / "my games").mkdir()
    done = run("new", "highest", "--dir", "my games")
    assert (empty / "my games" / "highest" / "pyproject.toml").exists()
    assert "  python -m pip install -e './my games/highest'\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("Tiny-Trick",), "Did you mean 'tiny_trick'?"),
        (("kuhn",), "invalid game name 'kuhn': a game with this name is installed."),
        (("there",), "there exists already, and files are not overwritten"),
        (("highest", "--dir", "nowhere"), "Directory 'nowhere' does not exist"),
        ((), "Missing argument 'NAME'"),
    ],
)
def test_invalid_names_are_refused_and_no_file_is_written(
    run: Run, empty: Path, words: tuple[str, ...], message: str
) -> None:
    """The exit code means a wrong command line."""
    (empty / "there").mkdir()
    done = run("new", *words)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
    assert [path.name for path in empty.rglob("*")] == ["there"]
