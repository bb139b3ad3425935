"""A bot that cannot play here does not stop the others: they play, and the report names it."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardhub.cli.exit_codes import ABSENT, BOT, UNPLAYED
from cardhub.cli.main import cli
from cardhub.lab.match.run import match_bots, preflight

BOTS = """
from cardhub import BotEntry, hookimpl
from cardhub.bots.random_bot import RandomBot

@hookimpl
def register_bots():
    return [BotEntry("{}", "plays", RandomBot)]
"""
# By file, a plugin that is broken in its own way.
BROKEN = {
    "syntax": "def register_bots(:\n",
    "missing": "import no_such_library\n" + BOTS.format("missing"),
    "dying": "import os\nos._exit(7)\n" + BOTS.format("dying"),
    "one": BOTS.format("twice"),
    "other": BOTS.format("twice"),
    "sound": BOTS.format("sound"),
}
USES = {
    "syntax": "syntax",
    "missing": "missing",
    "dying": "dying",
    "twice": "twice",
    "gone": "cmd:no_such_program --fast",
    "silent": f"cmd:{sys.executable} -c pass",
}
TEAMS = [f"team{number}" for number in range(4)]
CUP = """
cardhub_match: 1
salt: none
name: cup
seed: 5
bots: BOTS
games: [{game: kuhn}]
schedule: {mode: gauntlet, challengers: [team0], blocks: 1}
rating: {bootstrap: 100}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with a cup of ten teams, six of them broken in six ways."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plugins").mkdir()
    for name, source in BROKEN.items():
        (tmp_path / "plugins" / f"{name}.py").write_text(source)
    uses = dict.fromkeys(TEAMS, "random") | {"team1": "sound"} | USES
    bots = [{"id": name, "use": use} for name, use in uses.items()]
    (tmp_path / "cup.yaml").write_text(CUP.replace("BOTS", json.dumps(bots)))
    return tmp_path


def play(*more: str) -> "tuple[int, str]":
    """Play the cup; return the exit code and all output."""
    words = ["--plugins-dir", "plugins", "match", "cup.yaml", "--workers", "1", "--pages", "none"]
    result = CliRunner().invoke(cli, [*words, "--out", "log", *more])
    return result.exit_code, result.output


def test_six_broken_teams_of_ten_stop_nobody(folder: Path) -> None:
    code, output = play()
    assert code == ABSENT, output
    result = json.loads((folder / "log" / "result.json").read_text())
    assert result["is_finished"]
    assert result["games"] == 2 * (len(TEAMS) - 1)
    assert set(result["spec"]["absent"]) == set(USES)
    report = (folder / "log" / "report.md").read_text()
    for name in USES:
        assert f"{name} is absent" in output
        assert f"{name} could not play here" in report
    assert "no_such_library" in output
    assert "claimed twice" in output
    # The same command continues, and everything follows from the log.
    assert play()[0] == ABSENT
    verified = CliRunner().invoke(cli, ["--plugins-dir", "plugins", "match", "verify", "log"])
    assert verified.exit_code == 0, verified.output


def test_a_strict_match_names_every_broken_team(folder: Path) -> None:
    code, output = play("--strict")
    assert code == UNPLAYED
    assert not (folder / "log").exists()
    for word in ("'syntax'", "'missing'", "'dying'", "'twice'", "no_such_program"):
        assert word in output


def test_a_match_that_needs_the_absent_bot_is_refused(folder: Path) -> None:
    bots = [{"id": "a", "use": "random"}, {"id": "b", "use": USES["silent"]}]
    (folder / "cup.yaml").write_text(CUP.replace("BOTS", json.dumps(bots)).replace("team0", "a"))
    assert play()[0] == BOT


def test_a_file_whose_import_never_ends_is_absent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow the machine is, this import lasts longer than any limit.
    monkeypatch.setattr(match_bots, "START", 0.2)
    for name in ("BOOT", "WARM_UP"):
        monkeypatch.setattr(preflight, name, 0.0)
    (folder / "hangs.py").write_text("while True:\n    pass\n")
    bots = [*TEAMS, {"id": "hangs", "use": "file:hangs.py"}]
    uses = [{"id": bot, "use": "random"} if isinstance(bot, str) else bot for bot in bots]
    (folder / "cup.yaml").write_text(CUP.replace("BOTS", json.dumps(uses)))
    code, output = play()
    assert code == ABSENT, output
    assert "hangs is absent: kuhn: file:hangs.py: no answer within" in output
