"""`cardhub match` in an empty folder, with bots for matches."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import ENTRANTS

from cardhub.cli.main import cli


@pytest.fixture
def run_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs `cardhub match` with some words in an empty folder.

    Reports of matches have pages of two games: 40 take longer than most matches.
    """
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Result:
        if words and words[0].endswith(".yaml"):
            words = *words, "--pages", "2"
        arguments = ["--plugins-dir", str(ENTRANTS), "match", *words]
        return CliRunner().invoke(cli, arguments, prog_name="cardhub")

    return run
