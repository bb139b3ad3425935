"""`cardhub cite`, and the file CITATION.cff, which says the same."""

from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from cardhub.cli.main import cli
from cardhub.cli.match.cite_match import AUTHORS, TITLE
from cardhub.lab import run_match
from cardhub.lab.match.log.log_reader import file_digest, read_header
from cardhub.lab.match.provenance import cardhub_version

ROOT = Path(__file__).parents[3]


def _cite(*words: str) -> str:
    result = CliRunner().invoke(cli, ["cite", *words], prog_name="cardhub")
    assert result.exit_code == 0, result.output
    return result.output


def test_the_citation_file_has_the_version_of_the_package() -> None:
    content = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert content["version"] == version("cardhub")
    assert (content["title"], content["authors"]) == (TITLE, [{"name": AUTHORS}])


def test_cardhub_is_cited_with_its_version_and_digest() -> None:
    printed = _cite()
    assert f"@software{{cardhub-{version('cardhub')}," in printed
    assert f"note = {{Sources: {cardhub_version().split(' ')[2]}}}" in printed


def test_a_match_is_cited_with_the_digests_of_its_log_and_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = "class Mine:\n    def choose(self, observation):\n        return 0\n"
    Path("my_bot.py").write_text(source, "utf-8")
    match = {
        "cardhub_match": 1,
        "name": "cup",
        "seed": 3,
        "salt": "none",
        "isolate": "no",
        "bots": [{"id": "my_bot", "use": "file:my_bot.py"}, {"id": "dice", "use": "random"}],
        "games": [{"game": "kuhn"}],
        "blocks": 1,
    }
    run_match(match, "out")
    printed = _cite("out")
    header = read_header(Path("out"))
    assert f"@misc{{match-{header['sha256'][:12]}," in printed
    assert r"title = {{Match of my\_bot and dice in kuhn}}" in printed
    assert f"log sha256:{file_digest(Path('out/games.jsonl'))};" in printed
    assert r"my\_bot: my\_bot.py sha256:" in printed
    assert header["versions"]["games"]["kuhn"] in printed
    assert "not finished" not in printed


def test_a_folder_without_a_match_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["cite", str(tmp_path)], prog_name="cardhub")
    assert result.exit_code == 1
