"""Write the folder of a new game or bot from templates: with all of its files, or not at all."""

import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template

from cardhub.base.errors import AuthoringError


def filled_template(package: str, path: str, words: Mapping[str, str]) -> str:
    """Return the text of a template in the folder `templates` of a package, with these words."""
    text = files(package).joinpath("templates", *path.split("/")).read_text("utf-8")
    return Template(text).substitute(words)


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Write a new folder of texts by their paths in it.

    Raises AuthoringError; existing files are never overwritten.
    """
    if folder.exists():
        raise AuthoringError(f"{folder} exists already, and files are not overwritten")
    try:
        # In the same folder as the result: a rename is atomic only within a file system.
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as temporary:
            draft = Path(temporary, folder.name)
            for name, text in texts.items():
                path = draft / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8", newline="\n")
            draft.rename(folder)
    except OSError as error:
        raise AuthoringError(f"{folder} cannot be written: {error.strerror}") from error
