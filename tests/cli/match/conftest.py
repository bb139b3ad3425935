"""`cardhub match` in an empty folder, with bots for matches."""

import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import ENTRANTS

from cardhub.cli.main import cli


@pytest.fixture(scope="session")
def play_match(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that plays a match file once, and returns the folder with both."""
    folders = dict[str, Path]()

    def play(text: str) -> Path:
        if text not in folders:
            folder = tmp_path_factory.mktemp("match")
            (folder / "cup.yaml").write_text(dedent(text).lstrip("\n"), "utf-8")
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                words = ["match", "cup.yaml", "--pages", "2", "--quiet"]
                arguments = ["--plugins-dir", str(ENTRANTS), *words]
                done = CliRunner().invoke(cli, arguments, prog_name="cardhub")
            assert done.exit_code == 0, done.output
            folders[text] = folder
        return folders[text]

    return play


@pytest.fixture
def copy_match(
    play_match: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Return a function that plays a match file, or copies the match if it was played before."""
    monkeypatch.chdir(tmp_path)

    def copy(text: str) -> None:
        shutil.copytree(play_match(text), tmp_path, dirs_exist_ok=True)

    return copy


@pytest.fixture
def run_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs `cardhub match` with some words in an empty folder.

    Reports of matches have pages of two games: 40 take longer than most matches.
    """
    monkeypatch.chdir(tmp_path)

    def run(*words: str, input: str | None = None) -> Result:
        if words and words[0].endswith(".yaml"):
            words = *words, "--pages", "2"
        arguments = ["--plugins-dir", str(ENTRANTS), "match", *words]
        return CliRunner().invoke(cli, arguments, input, prog_name="cardhub")

    return run
