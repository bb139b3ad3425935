"""No code of a bot runs in the process of the referee, so no bot changes the rules."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cardhub.base.errors import PluginError, SandboxError
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
from cardhub.plugins.registry import PluginRegistry, find_plugins, for_referee

# At its import this plugin changes who wins, and leaves a trace of the process that imported it.
CROOK = """
import os
import sys
from pathlib import Path
from cardhub import BotEntry, hookimpl
from cardhub.bots.random_bot import RandomBot
from cardhub.plugins.registry import find_plugins

kind = type(find_plugins().game("leduc"))
kind.scores = lambda self, state: (13, -13)
Path(r"TRACES", str(os.getpid())).touch()


class Peeping(RandomBot):
    def choose(self, observation, /):
        raise ValueError(str(sorted(n for n in sys.modules if n.startswith("cardhub_plugins"))))


@hookimpl
def register_bots():
    return [BotEntry("crook", "changes the rules", RandomBot), BotEntry("peep", "looks", Peeping)]
"""
OTHER = """
from cardhub import BotEntry, hookimpl
from cardhub.bots.random_bot import RandomBot

@hookimpl
def register_bots():
    return [BotEntry("honest", "plays", RandomBot)]
"""
CUP = """
cardhub_match: 1
salt: none
name: cup
seed: 7
bots:
  - {id: a, use: ONE}
  - {id: b, use: honest}
games: [{game: leduc}]
schedule: {blocks: 2}
faults: {max: 100}
"""
MakeMatch = Callable[..., Match]


@pytest.fixture
def registry(tmp_path: Path) -> PluginRegistry:
    """Return the plugins of a folder with a dishonest and an honest bot."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    (tmp_path / "traces").mkdir()
    (folder / "crook.py").write_text(CROOK.replace("TRACES", str(tmp_path / "traces")))
    (folder / "other.py").write_text(OTHER)
    return find_plugins([folder])


@pytest.fixture
def match(tmp_path: Path, registry: PluginRegistry) -> MakeMatch:
    """Return a function that reads a match of a bot against the honest one."""

    def read(use: str = "crook", more: str = "") -> Match:
        (tmp_path / "cup.yaml").write_text(CUP.replace("ONE", use) + more)
        return read_match(tmp_path / "cup.yaml", registry)

    return read


def importers(folder: Path) -> set[int]:
    """Return the processes that have imported the dishonest plugin."""
    return {int(path.name) for path in (folder / "traces").iterdir()}


def test_a_plugin_with_only_bots_cannot_change_the_scores(
    match: MakeMatch, registry: PluginRegistry, tmp_path: Path
) -> None:

    run(match(), registry, tmp_path / "log")
    assert importers(tmp_path) - {os.getpid()}
    assert os.getpid() not in importers(tmp_path)
    assert not [name for name in sys.modules if name == "cardhub_plugins_dir_crook"]
    scores = [result.scores for _, result in read_games(tmp_path / "log")]
    assert len(scores) == 4
    assert set(scores) != {(13, -13)}
    assert verify(tmp_path / "log", registry, rerun=1.0).problems == []
    assert os.getpid() not in importers(tmp_path)


def test_a_match_with_changed_scores_is_found_by_verify(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    """The rules are changed in the process of a referee that proves nothing, as older ones did."""
    (tmp_path / "cup.yaml").write_text(CUP.replace("ONE", "crook") + "isolate: no\n")
    source = """
from pathlib import Path
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.rules_proof import RulesProof
from cardhub.lab.match.run.runner import run
from cardhub.plugins.registry import find_plugins
RulesProof.__init__ = lambda self, game, directories: None
RulesProof.require_version = RulesProof.check = lambda self, argument=None: None
registry = find_plugins([Path("plugins")])
run(read_match(Path("cup.yaml"), registry), registry, Path("log"))
"""
    subprocess.run([sys.executable, "-c", source], cwd=tmp_path, check=True)
    assert {result.scores for _, result in read_games(tmp_path / "log")} == {(13, -13)}
    problems = verify(tmp_path / "log", registry).problems
    assert any("scores should be" in problem for problem in problems)


def test_a_bot_runs_without_the_plugins_of_others(
    match: MakeMatch, registry: PluginRegistry, tmp_path: Path
) -> None:
    run(match("peep"), registry, tmp_path / "log")
    faults = sorted((tmp_path / "log" / "faults").iterdir())
    messages = {json.loads(path.read_text())["message"] for path in faults}
    assert messages == {"ValueError: ['cardhub_plugins_dir_crook']"}


def test_no_plugin_is_imported_if_the_sandbox_is_missing(
    match: MakeMatch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardhub.bots.processes.sandbox.which", lambda name: None)
    with pytest.raises(SandboxError):
        match(more="sandbox: yes\n")
    assert importers(tmp_path) == set()


def test_a_bot_cannot_be_created_in_the_process_of_the_referee(registry: PluginRegistry) -> None:

    with pytest.raises(PluginError, match="its bots play in processes of their own"):
        for_referee(registry).make_bot("crook", "leduc", Random(1))
