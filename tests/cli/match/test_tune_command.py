"""`cardhub tune`."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result
from tests.kit.paths import TESTS

Run = Callable[..., Result]
PLUGINS = ("--plugins-dir", str(TESTS / "lab" / "tune" / "entrants"))
WORDS = ("tune", "leduc", "climber", "--option", "boldness", "--games", "200", "--blocks", "10")


def test_a_bot_is_tuned_and_tested_against_itself_as_it_was(run: Run, tmp_path: Path) -> None:
    """The same command prints the result again; its bot can be used at once."""
    words = (*PLUGINS, *WORDS, "--workers", "1", "--out", str(tmp_path))
    result = run(*words)
    assert result.exit_code == 0, result.output
    first, head, row, score, page, spec = result.stdout.splitlines()
    assert first == "climber in leduc, tuned in 200 games"
    assert head.split() == ["option", "before", "tuned"]
    assert row.split()[:2] == ["boldness", "50"]
    assert score.startswith("Score of the tuned bot on 10 new deals: ")
    assert Path(page.removeprefix("Report: ")).is_file()
    facts = json.loads(run(*words, "--json").stdout)
    assert spec == f"The bot: {facts['bot']}"
    assert facts["values"] == {"boldness": int(row.split()[2])}


def test_an_option_that_is_no_number_is_refused(run: Run) -> None:
    result = run(*PLUGINS, "tune", "leduc", "climber", "--option", "mood")
    assert result.exit_code == 2
    assert "'mood' is not a whole number\nfix: cardhub bot list leduc" in result.stderr
