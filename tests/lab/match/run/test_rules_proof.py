"""After each game the referee proves that its rules are the same as before the bots' first line."""

import json
import shlex
import subprocess
import sys
from copy import copy
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import msgspec
import pytest
from tests.kit.paths import ROOT

from cardhub.base.errors import MatchError, RulesError
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import RESULT, read_games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import game_version
from cardhub.lab.match.run.executors import process_pool
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.run.rules_proof import RulesProof, modules_of, snapshot_of
from cardhub.lab.match.run.rules_snapshot import RulesSnapshot
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.verifier import verify
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub_garner import layouts
from cardhub_garner.strategy import playout


class Way(NamedTuple):
    """A way to change the rules: its code, which runs in a bot, and the change in the message."""

    code: str
    change: str


# The code knows the module and the class of the game, the game itself, and `win`, which is a result
# that follows from no game.
WAYS = {
    "method": Way(
        "kind.scores = lambda self, state: win", "Leduc.scores is no longer the function"
    ),
    "object": Way("game.scores = lambda state: win", "the game leduc.scores has been added"),
    "class": Way(
        "game.__class__ = type('Other', (kind,), {'scores': lambda self, state: win})",
        "class of the game leduc has changed",
    ),
    "code": Way(
        "kind.scores.__code__ = (lambda self, state: [13, -13]).__code__",
        "Leduc.scores is no longer the function",
    ),
    "namespace": Way(
        "game.__dict__ = {'scores': lambda state: win}", "the game leduc.scores has been added"
    ),
    "helper": Way(
        "module.strength = lambda state, seat: -seat", "strength is no longer the function"
    ),
    "list": Way("module.SIZE[0] = 200", "leduc.game.SIZE has changed"),
    "cards": Way("module.CARDS = object()", "leduc.game.CARDS has changed"),
    "actions": Way("kind.actions = None", "Leduc.actions has changed"),
    "inherited": Way("kind.places = 5", "Leduc.places has been added"),
    "bases": Way(
        "kind.__bases__ = (type('Evil', kind.__bases__, {}),)", "the bases of leduc.game.Leduc"
    ),
    "state": Way("module.Table.reveal = lambda self, tokens: None", "Table.reveal has been added"),
    "referee": Way(
        "from cardhub.play.referee import Referee; Referee.scores = lambda self: win",
        "Referee.scores is no longer the function",
    ),
    "places": Way(
        "import cardhub.lab.match.run.playing as playing; playing.final_places = None",
        "playing.final_places is no longer the function",
    ),
    "swap": Way(
        "kind.scores, kind.legal = kind.legal, kind.scores",
        "Leduc.legal is no longer the function",
    ),
    "builtin": Way("import builtins; builtins.min = builtins.max", "builtins.min"),
    "hidden builtin": Way("module.min = max", "leduc.game.min has been added"),
    "random": Way("import random; random.shuffle = None", "random.shuffle"),
    "thread": Way(
        "import threading; thread = threading.Thread(target=setattr, args=(kind, 'scores', None));"
        "thread.start(); thread.join()",
        "Leduc.scores",
    ),
    "moment": Way(
        "original = kind.apply\n"
        "def apply(self, state, action):\n"
        "    kind.apply = original\n"
        "    original(self, state, action)\n"
        "    state.stakes[0] += 5\n"
        "kind.apply = apply",
        "should be",
    ),
}
PLUGIN = """
from cardhub import BotEntry, hookimpl
from cardhub.bots.random_bot import RandomBot
import json, sys
from functools import partial
from pathlib import Path

WAYS = json.loads(Path(__file__).with_suffix(".json").read_text())
used = set()


class Crook(RandomBot):
    def __init__(self, rng, code):
        super().__init__(rng)
        self._code = code

    def choose(self, observation, /):
        if self._code not in used:
            used.add(self._code)
            game = observation.game
            names = {"game": game, "kind": type(game), "win": [13, -13]}
            exec(self._code, names | {"module": sys.modules[type(game).__module__]})
        return observation.legal()[-1]


@hookimpl
def register_bots():
    return [BotEntry(f"crook{n}", "", partial(Crook, code=code)) for n, code in enumerate(WAYS)]
"""
CUP = """
cardhub_match: 1
salt: none
name: cup
seed: 7
isolate: no
bots:
  - {id: a, use: crookNUMBER}
  - {id: b, use: random}
games: [{game: leduc}]
schedule: {blocks: 1}
"""
# Plays with an honest bot, so that there is a proof, and then each way in a fork.
SCRIPT = """
import json, os, sys
from copy import copy
from dataclasses import replace
from pathlib import Path
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.playing import play
from cardhub.plugins.registry import find_plugins

registry = find_plugins([Path("plugins")])
match = read_match(Path("cup.yaml"), registry)
task = Games(match, registry.directories).of(Block("leduc", 0, ("a", "b")))[0]
play(task)
for number in range(1, int(sys.argv[1])):
    sys.stdout.flush()
    if os.fork():
        os.wait()
        continue
    first = replace(task.seats[0], use=f"crook{number}")
    try:
        play(replace(task, seats=(first, *task.seats[1:])))
        answer = ""
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    os.write(1, json.dumps([number, answer]).encode() + b"\\n")
    os._exit(0)
"""


def write_match(folder: Path, codes: list[str], number: int = 0, more: str = "") -> None:
    """Write a plugin with a bot for each code, and a match of one of them."""
    plugins = folder / "plugins"
    plugins.mkdir()
    (plugins / "crooks.py").write_text(PLUGIN)
    (plugins / "crooks.json").write_text(json.dumps(codes))
    (folder / "cup.yaml").write_text(CUP.replace("NUMBER", str(number)) + more)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the error of a game for each way to change its rules."""
    if sys.platform == "win32":
        pytest.skip("needs forks")
    folder = tmp_path_factory.mktemp("ways")
    write_match(folder, ["pass", *(way.code for way in WAYS.values())])
    words = [sys.executable, "-c", SCRIPT, str(len(WAYS) + 1)]
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    lines = dict(map(json.loads, done.stdout.splitlines()))
    return {name: lines[number] for number, name in enumerate(WAYS, 1)}


@pytest.mark.parametrize("way", WAYS)
def test_a_game_does_not_count_if_a_bot_changes_the_rules(
    way: str, answers: dict[str, str]
) -> None:
    answer = answers[way]
    assert answer.startswith("RulesError: the rules of leduc have changed in memory")
    assert WAYS[way].change in answer
    assert "bots of others run in this process (`isolate: no`): a" in answer


def test_rules_that_a_plugin_changes_at_its_import_are_refused(tmp_path: Path) -> None:
    """The plugin is imported to look up its bots, before the referee has loaded the rules."""
    write_match(tmp_path, ["pass"])
    with (tmp_path / "plugins" / "crooks.py").open("a") as file:
        file.write(
            "\nfrom cardhub.plugins.registry import find_plugins\n"
            "kind = type(find_plugins().game('leduc'))\n"
            "kind.scores = lambda self, state: [13, -13]\n"
            "sys.modules[kind.__module__].SIZE[0] = 200\n"
        )
    done = run_cardhub(tmp_path, "--workers", "1")
    assert done.returncode == 4
    assert "leduc.game.Leduc.scores differs from the one in a new process" in done.stderr
    assert "leduc.game.SIZE[0] differs from the one in a new process" in done.stderr
    assert not (tmp_path / "runs" / "cup" / RESULT).exists()


def test_a_match_ends_at_the_first_game_with_changed_rules(tmp_path: Path) -> None:
    """The games run in worker processes; the match has no result."""
    write_match(tmp_path, ["type(game).scores = lambda self, state: win"])
    done = run_cardhub(tmp_path, "--workers", "2")
    assert done.returncode == 4
    assert done.stderr.startswith("Error: the rules of leduc have changed in memory")
    assert "Traceback" not in done.stderr
    assert list(read_games(tmp_path / "runs" / "cup")) == []
    assert not (tmp_path / "runs" / "cup" / RESULT).exists()


def run_cardhub(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Play the match of a folder."""
    command = [sys.executable, "-m", "cardhub", "--plugins-dir", "plugins", "match", "cup.yaml"]
    return subprocess.run(
        [*command, "--quiet", *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("game", find_plugins().game_names())
def test_playing_changes_nothing_in_the_rules(game: str) -> None:
    rules = find_plugins().game(game)
    snapshot = snapshot_of(rules, list(modules_of(rules)))
    players = [Player(name, "random") for name in NAMES[: rules.seats.default]]
    referee = set_up(rules, players, {}, seed=0)
    referee.proceed()
    rng = Random(0)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    referee.scores()
    assert [str(change) for change in snapshot.changes()] == []
    assert rules.display is not None  # made at first use, which changes no rule
    # Libraries note in a class how its objects are copied and encoded.
    copy(referee.observe(0).state.settings)
    msgspec.msgpack.encode(rules.goal)
    assert [str(change) for change in snapshot.changes()] == []


def test_a_snapshot_looks_equal_in_any_process() -> None:
    """Plugins that were imported do not matter, unless they change the rules."""
    source = """
import json, sys
from pathlib import Path
import cardhub.tui  # modules that a new process does not have
from cardhub.lab.match.run.rules_proof import *
from cardhub.lab.match.run.rules_proof import described_elsewhere
from cardhub.plugins.registry import find_plugins
for name in ("gargon", "hearts"):
    game = find_plugins().game(name)
    game.display
    modules = list(modules_of(game))
    snapshot = snapshot_of(game, modules)
    clean = described_elsewhere(name, (), (), tuple(module.__name__ for module in modules))
    print(len(clean.texts) > 1000, list(differences(snapshot, clean)))
"""
    done = subprocess.run(
        [sys.executable, "-c", source], check=True, capture_output=True, text=True
    )
    assert done.stdout == "True []\n" * 2


# Adds a line to a file before each action.
VANDAL = """
import json, sys
for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "hello":
        print(json.dumps({"name": "vandal", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        with open(sys.argv[1], "a") as file:
            file.write("# changed" + chr(10))
        print(json.dumps({"action": message["legal"][0]["action"]}), flush=True)
"""
POCKET_CUP = """
cardhub_match: 1
salt: none
name: cup
seed: 7
bots:
  - {id: vandal, use: "cmd:PYTHON VANDAL FILE"}
  - {id: b, use: random}
games: [{game: GAME}]
schedule: {blocks: 2}
"""


@pytest.fixture
def pocket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the rules of a game, a plugin of the working folder."""
    # Another name in each test, because modules stay imported.
    folder = tmp_path / "plugins" / f"pocket_{tmp_path.name[-12:]}"
    folder.mkdir(parents=True)
    for name in ("game.py", "cards.yaml", "rules.md"):
        text = (ROOT / "examples/kuhn/kuhn" / name).read_text("utf-8")
        (folder / name).write_text(text.replace('"kuhn"', f'"{folder.name}"'), "utf-8")
    (folder / "__init__.py").write_text("from .game import Kuhn\n")
    (tmp_path / "vandal.py").write_text(VANDAL)
    monkeypatch.chdir(tmp_path)
    return folder


def pocket_cup(game: str, file: Path) -> tuple[Match, PluginRegistry]:
    """Return a match of a game, and its plugins, in which a program changes a file."""
    registry = find_plugins([Path("plugins")])
    words = {"PYTHON": sys.executable, "VANDAL": Path("vandal.py").absolute(), "FILE": file}
    text = POCKET_CUP.replace("GAME", game)
    for word, value in words.items():
        text = text.replace(word, shlex.quote(str(value)))
    Path("cup.yaml").write_text(text)
    return read_match(Path("cup.yaml"), registry), registry


@pytest.mark.parametrize("name", ["game.py", "cards.yaml"])
def test_a_match_whose_rules_change_on_the_disk_has_no_result(pocket: Path, name: str) -> None:
    file, folder = pocket / name, Path("log")
    original = file.read_bytes()
    match, registry = pocket_cup(pocket.name, file)
    with pytest.raises(RulesError, match=rf"the sources of {pocket.name} have changed while"):
        run(match, registry, folder)
    assert not (folder / RESULT).exists()
    with pytest.raises(MatchError, match=rf"games \({pocket.name}\) changed since"):
        run(match, registry, folder)
    # The games themselves were played with the rules in memory, which are proved.
    file.write_bytes(original)
    assert run(match, registry, folder).is_over
    assert (folder / RESULT).exists()
    assert verify(folder, registry).problems == []


def test_a_worker_that_loads_changed_rules_plays_no_game(pocket: Path) -> None:
    match, registry = pocket_cup(pocket.name, Path("unused"))
    versions = {pocket.name: game_version(registry.game(pocket.name))}
    with (pocket / "cards.yaml").open("a") as file:
        file.write("# another rule\n")
    games = Games(replace(match, isolate="yes"), registry.directories, versions=versions)
    task = games.of(Block(pocket.name, 0, ("vandal", "b")))[0]
    with (
        pytest.raises(RulesError, match=f"the sources of {pocket.name} have changed since"),
        process_pool(1) as pool,
    ):
        pool.submit(play, task).result()


@pytest.mark.parametrize("name", ["garner", "openspiel:tic_tac_toe"])
def test_caches_that_have_been_filled_before_may_grow(
    name: str, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games change them without bots, in this process and in a new one; other data stay the same.

    OpenSpiel's games fill their caches at loading, Garner's in earlier games.
    """
    game = registry.game(name)
    playout.largest(0b11)
    proof = RulesProof(game, ())
    for sites in (0b101, 0b1001):
        playout.largest(sites)
        if name != "garner":
            vars(type(game))["original"].at((sites % 9,))
        proof.check()
    monkeypatch.setitem(layouts.LAYOUTS, "planted", None)
    if name == "garner":
        with pytest.raises(RulesError, match=r"LAYOUTS\['planted'\] has been added"):
            proof.check()


def test_only_what_has_changed_counts_as_a_cache() -> None:
    """Sets and arrays that a game leaves alone stay compared, also in a game with caches."""
    module = ModuleType("pocket_rules")
    vars(module).update(suits={"♣"}, table=bytearray(b"ab"), known={1: 2}, order=[1])
    snapshot = RulesSnapshot([module])
    assert snapshot.changed_variables() == set()
    vars(module)["known"][3] = 4
    assert snapshot.changed_variables() == {"pocket_rules.known"}
    vars(module)["suits"].add("♦")
    vars(module)["table"][0] = 0
    snapshot.leave_out({"pocket_rules.known"})
    changed = {change.name for change in snapshot.changes()}
    assert changed == {"pocket_rules.suits", "pocket_rules.table"}
