"""The files and the name of a new game."""

import ast
import importlib
import re
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click import Context
from tests.kit.short_suites import shorten_suites

import cardhub
from cardhub import Game
from cardhub.base.errors import AuthoringError
from cardhub.cli.game.new_package import FILES, KINDS, check_name, write_package
from cardhub.cli.main import cli
from cardhub.testing import inspect_game
from cardhub.testing.rule_examples.parsing import parse_examples


def test_the_folder_holds_a_package_a_page_of_rules_tests_and_what_to_do(tmp_path: Path) -> None:
    """No temporary file is left in the parent folder."""
    folder = write_package("tiny_trick", tmp_path)
    files = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert files == {
        "tiny_trick/AGENTS.md",
        "tiny_trick/README.md",
        "tiny_trick/match.yaml",
        "tiny_trick/pyproject.toml",
        "tiny_trick/tests/test_tiny_trick.py",
        *(
            f"tiny_trick/tiny_trick/{name}"
            for name in ("__init__.py", "cards.yaml", "game.py", "py.typed", "rules.md")
        ),
    }
    assert folder == tmp_path / "tiny_trick"


def test_the_game_is_declared_by_its_name(tmp_path: Path) -> None:
    """The class name and the title follow from the name."""
    folder = write_package("tiny_trick", tmp_path)
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "cardhub-tiny-trick"
    assert project["entry-points"] == {"cardhub.games": {"tiny_trick": "tiny_trick:TinyTrick"}}
    game = (folder / "tiny_trick" / "game.py").read_text("utf-8")
    assert 'name, title, seats = "tiny_trick", "Tiny trick", ' in game
    assert (folder / "tiny_trick" / "rules.md").read_text("utf-8").startswith("# Tiny trick\n")


@pytest.mark.parametrize("name", ["game", "area", "path", "table", "names"])
def test_no_class_hides_one_that_the_game_uses(name: str, tmp_path: Path) -> None:
    """The class name never equals a name that game.py imports."""
    folder = write_package(name, tmp_path)
    tree = ast.parse((folder / name / "game.py").read_text("utf-8"))
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    kind = f"{name.capitalize()}Game"
    assert classes == {"Table", f"{kind}Display", kind}
    assert not classes & set(cardhub.__all__)


def test_the_page_for_agents_names_files_of_the_package(tmp_path: Path) -> None:
    folder = write_package("tiny_trick", tmp_path)
    page = (folder / "AGENTS.md").read_text("utf-8")
    paths = re.findall(r"`(tiny_trick/[a-z_.]+|match\.yaml)`", page)
    assert {"tiny_trick/game.py", "tiny_trick/rules.md", "tiny_trick/cards.yaml"} <= set(paths)
    assert all((folder / path).exists() for path in paths)
    commands = re.findall(r"`(?:[^`]*\| )?cardhub ([a-z]+)", page)
    assert {*commands} <= {*cli.list_commands(Context(cli))}


def test_existing_files_are_never_overwritten(tmp_path: Path) -> None:
    """An existing folder or file stays as it is."""
    write_package("tiny_trick", tmp_path)
    game = tmp_path / "tiny_trick" / "tiny_trick" / "game.py"
    game.write_text("mine", "utf-8")
    with pytest.raises(AuthoringError, match="tiny_trick exists already, and files are not overwr"):
        write_package("tiny_trick", tmp_path)
    assert game.read_text("utf-8") == "mine"
    (tmp_path / "other").write_text("mine too", "utf-8")
    with pytest.raises(AuthoringError, match="other exists already"):
        write_package("other", tmp_path)


def test_a_folder_is_there_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If writing fails midway, as on a full disk, no file remains."""
    written: list[Path] = []

    def write(path: Path, *_: object, **__: object) -> int:
        written.append(path)
        if len(written) == 4:
            raise OSError(28, "No space left on device")
        return 0

    monkeypatch.setattr(Path, "write_text", write)
    with pytest.raises(AuthoringError, match="tiny_trick cannot be written: No space left on dev"):
        write_package("tiny_trick", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The missing parent folder is not created."""
    with pytest.raises(AuthoringError, match="cannot be written: No such file or directory"):
        write_package("tiny_trick", tmp_path / "nowhere")


def test_every_template_is_used() -> None:
    """Every template belongs to a file of the new package."""
    folder = Path(str(files("cardhub.cli.game"))) / "templates"
    templates = {path.relative_to(folder).as_posix() for path in folder.rglob("*.tmpl")}
    used = {file.template.replace("$kind", kind) for file in FILES for kind in KINDS}
    assert templates == used


def load_new_game(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    """Write the package of a new game into a folder, and return the game."""
    name = f"new_{kind}"
    monkeypatch.syspath_prepend(str(write_package(name, folder, kind)))
    game: Game[Any] = getattr(importlib.import_module(name), f"New{kind.capitalize()}")()
    return game


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_each_kind_has_no_fault(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_suites(monkeypatch)
    game = load_new_game(kind, tmp_path, monkeypatch)
    report = inspect_game(game, games=1, is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert len(parse_examples(game.display.rules())) >= 1
    assert KINDS[kind] in (sys.modules[f"new_{kind}"].__doc__ or "")


@pytest.mark.soak("more games, and more positions of each, as in the test above")
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_of_each_kind_has_no_fault_at_length(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = inspect_game(load_new_game(kind, tmp_path, monkeypatch), is_measured=False)
    assert not report.findings, "\n".join(map(str, report.findings))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_kind_is_left_to_be_filled_in(kind: str, tmp_path: Path) -> None:
    folder = write_package("tiny_trick", tmp_path, kind)
    texts = {path: path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}
    assert [path for path, text in texts.items() if re.search(r"\$|\.tmpl|TODO", text)] == []


GAMES = ("kuhn", "kuhn_game")
SHAPE = "use a-z, 0-9 and _, begin with a letter, at most 50 characters"


@pytest.mark.parametrize("name", ["highest", "tiny_trick", "x9", "match"])
def test_a_plain_name_is_accepted(name: str) -> None:
    """The name serves the package and the game."""
    check_name(name, GAMES)


@pytest.mark.parametrize(
    ("name", "why", "instead"),
    [
        ("Tiny-Trick", SHAPE, "tiny_trick"),
        ("9 lives", SHAPE, "lives"),
        ("Élan", SHAPE, "elan"),
        ("!", SHAPE, None),
        ("", SHAPE, None),
        ("Kuhn", SHAPE, None),
        ("a" * 51, SHAPE, None),
        ("class", "it is a keyword of Python", "class_game"),
        ("random", "it is a module of Python", "random_game"),
        ("click", "a package with this name is installed", "click_game"),
        ("cardhub", "a package with this name is installed", "cardhub_game"),
        ("tests", "it is the name of the folder for tests", "tests_game"),
        ("kuhn", "a game with this name is installed", "kuhn_cards"),
    ],
)
def test_an_invalid_name_is_rejected_with_a_reason_and_a_suggestion(
    name: str, why: str, instead: str | None
) -> None:
    """A suggested name is valid and available."""
    with pytest.raises(AuthoringError) as caught:
        check_name(name, GAMES)
    assert why in str(caught.value)
    hint = f" Did you mean {instead!r}?" if instead else "."
    assert str(caught.value).endswith(hint)
    if instead:
        check_name(instead, GAMES)
