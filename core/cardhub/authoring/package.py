"""The package of a new game, written from templates."""

import tempfile
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import NamedTuple

import cardhub
from cardhub.errors import AuthoringError

FILES = {
    "README.md": "readme.tmpl",
    "match.yaml": "match.tmpl",
    "pyproject.toml": "pyproject.tmpl",
    "$name/__init__.py": "init.tmpl",
    "$name/cards.yaml": "cards.tmpl",
    "$name/game.py": "game.tmpl",
    "$name/py.typed": "typed.tmpl",
    "$name/rules.md": "rules.tmpl",
    "tests/test_$name.py": "tests.tmpl",
}
"""Where each template goes; `$name` is the name of the game."""


class Written(NamedTuple):
    """What was written: the folder, and the files within it."""

    folder: Path
    files: tuple[Path, ...]


def write_package(name: str, where: Path) -> Written:
    """Write the package of a new game into a new folder; raises AuthoringError.

    The folder is there with all its files, or not at all; nothing is overwritten.
    """
    folder = where / name
    if folder.exists():
        raise AuthoringError(f"{folder} exists already; nothing is ever overwritten")
    words = _words(name)
    try:
        with tempfile.TemporaryDirectory(dir=where, prefix=f".{name}-") as workshop:
            draft = Path(workshop, name)
            paths = [
                _write(draft, Template(path), template, words) for path, template in FILES.items()
            ]
            draft.rename(folder)
    except OSError as error:
        raise AuthoringError(f"{folder} cannot be written: {error.strerror}") from error
    return Written(folder, tuple(path.relative_to(draft) for path in paths))


def _write(draft: Path, path: Template, template: str, words: dict[str, str]) -> Path:
    file = draft / path.substitute(words)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = _templates().joinpath(template).read_text("utf-8")
    file.write_text(Template(text).substitute(words), "utf-8", newline="\n")
    return file


def _templates() -> Traversable:
    return files("cardhub.authoring").joinpath("templates")


def _words(name: str) -> dict[str, str]:
    """Return what stands for each word of the templates."""
    words = name.replace("_", " ").split()
    kind = "".join(map(str.capitalize, words))
    is_used = kind in {*cardhub.__all__, "Path", "Table"}
    return {
        "name": name,
        "title": " ".join(words).capitalize(),
        "kind": f"{kind}Game" if is_used else kind,
        "distribution": "-".join(["cardhub", *words]),
    }
