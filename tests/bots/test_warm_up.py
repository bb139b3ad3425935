"""Bots that load what takes long before the clock starts, for the table at which they play."""

import json
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import PluginError
from cardhub.bots.solving import sequence_form as cfr
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.match_bots import end_bot_processes
from cardhub.lab.match.run.preflight import start_bots
from cardhub.lab.match.run.runner import run
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import bots_of
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

PLUGIN = """
import json
from pathlib import Path
from cardhub import BotEntry, File, hookimpl

class Last:
    def __init__(self, rng, file):
        pass
    def choose(self, observation):
        return observation.legal()[-1]

def note(settings, *table):
    with Path(settings.word("file")).open("a") as file:
        file.write(json.dumps([settings.word("file") != "", *table]) + "\\n")

def for_games(game, settings):
    note(settings, game.name)

def for_tables(game, settings, seats, options):
    note(settings, game.name, seats, dict(options))

def one(settings):
    pass

OPTIONS = {"file": File("Where it is noted.")}

@hookimpl
def register_bots():
    return [BotEntry("old", "notes games", Last, options=OPTIONS, warm_up=for_games),
            BotEntry("new", "notes tables", Last, options=OPTIONS, warm_up=for_tables)]
"""
CUP = """
cardhub_match: 1
name: cup
seed: 3
salt: none
isolate: "ISOLATE"
bots:
  - {id: old, use: "old:notes.txt"}
  - {id: new, use: "new:notes.txt"}
games:
  - {game: goofspiel, rules: {cards: 3}, mirror: {order: [random, descending]}}
schedule: {blocks: 1}
"""
OLD = [True, "goofspiel"]


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PluginRegistry:
    """Return the installed plugins and a bot with each kind of warm-up, which writes notes."""
    monkeypatch.chdir(tmp_path)
    Path("plugins").mkdir()
    Path("plugins/noting.py").write_text(PLUGIN, "utf-8")
    Path("notes.txt").touch()
    return find_plugins((Path("plugins").absolute(),))


def noted() -> list[list[Any]]:
    """Return what the warm-ups were called with, each once."""
    lines = dict.fromkeys(Path("notes.txt").read_text("utf-8").splitlines())
    Path("notes.txt").write_text("", "utf-8")
    return sorted((json.loads(line) for line in lines), key=str)


def new(seats: int, **options: object) -> list[Any]:
    """Return the note of the warm-up that gets the table."""
    return [True, "goofspiel", seats, {**options, "ties": "discard"}]


@pytest.mark.parametrize("isolate", ["no", "yes"])
def test_matches_warm_bots_up_for_the_options_of_the_game(
    registry: PluginRegistry, isolate: str
) -> None:
    Path("cup.yaml").write_text(CUP.replace("ISOLATE", isolate), "utf-8")
    match = read_match(Path("cup.yaml"), registry)
    tables = [new(2, cards=3, order=order) for order in ("descending", "random")]
    start_bots(match, registry, Path("cup"), is_strict=True)
    assert noted() == sorted([OLD, *tables], key=str)
    assert run(match, registry, Path("cup")).is_over
    end_bot_processes()
    assert noted() == sorted([OLD, *tables], key=str)


def test_tables_warm_bots_up_for_their_options(registry: PluginRegistry) -> None:
    players = [Player("Anna", "new:notes.txt"), Player("Bob", "human"), Player("Cai", "random")]
    referee = set_up(registry.game("goofspiel"), players, {"cards": 4}, seed=1)
    referee.proceed()
    process = BotProcess(registry.directories, bots_of(referee, registry))
    heard: SimpleQueue[Any] = SimpleQueue()
    process.ask(referee.observe(0), heard.put)
    assert heard.get(timeout=60) in referee.observe(0).legal()
    process.close()
    assert noted() == [new(3, cards=4, order="random")]


def test_by_default_bots_are_warmed_up_for_the_default_table(registry: PluginRegistry) -> None:
    """`cardhub bot check` plays at this table."""
    warm_up(registry, "new:notes.txt", "goofspiel")
    assert noted() == [new(2, cards=13, order="random")]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("one", r"warm_up of bot 'new' takes \(settings\), not \(game, settings\) or "),
        ("5", "warm_up of bot 'new' is 5, not a function"),
    ],
)
def test_another_warm_up_is_an_error_that_names_the_possible_ones(
    registry: PluginRegistry, kind: str, said: str
) -> None:
    """When the plugin is loaded, not at the first table."""
    text = PLUGIN.replace("warm_up=for_tables", f"warm_up={kind}")
    Path("plugins/noting.py").write_text(text, "utf-8")
    with pytest.raises(PluginError, match=said):
        find_plugins((Path("plugins").absolute(),)).settings_of("new:notes.txt", "goofspiel")


def test_arguments_with_defaults_are_not_those_of_the_table(registry: PluginRegistry) -> None:
    """Arguments with defaults belong to the plugin."""
    text = PLUGIN.replace(
        "def for_games(game, settings):", "def for_games(game, settings, a=1, b=2):"
    )
    Path("plugins/noting.py").write_text(text, "utf-8")
    warm_up(find_plugins((Path("plugins").absolute(),)), "old:notes.txt", "goofspiel", 3)
    assert noted() == [OLD]


def test_a_solved_game_is_that_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    plugins, options = find_plugins(), {"cards": 2}
    warm_up(plugins, "cfr:iterations=5", "goofspiel", 2, options)
    monkeypatch.setattr(cfr, "solve", None)
    game = plugins.game("goofspiel")
    settings = resolve_options(game, options, 2)
    faces = shuffled_pack(game, settings, 2, Random(1))
    seen = Observation(game, initial_state(game, settings, 2, faces), 0)
    assert plugins.make_bot("cfr:iterations=5", "goofspiel", Random(1)).choose(seen) in seen.legal()
