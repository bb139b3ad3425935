"""Models as entrants of matches: in workers, in separate processes, and refused in time."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.learning.learn.conftest import MakeModel
from tests.learning.learn.loaders import floats

from cardhub.base.errors import BotError, MatchError
from cardhub.lab.match.match_spec import Budget, Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.match_bots import TimedBot, end_bot_processes
from cardhub.lab.match.run.preflight import start_bots
from cardhub.lab.match.run.runner import run
from cardhub.learning.arrays import Layout
from cardhub.plugins.registry import PluginRegistry

CUP = """
cardhub_match: 1
name: cup
seed: 3
bots:
  - {id: learner, use: "USE"}
  - {id: anyone, use: random}
games:
  - {game: GAME, players: PLAYERS}
schedule: {blocks: 2}
"""

ReadCup = Callable[..., Match]


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    yield
    end_bot_processes()


@pytest.fixture
def cup(tmp_path: Path, registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch) -> ReadCup:
    """Return a function that reads a match of a bot against a random one."""
    monkeypatch.chdir(tmp_path)

    def read(use: str, game: str = "kuhn", players: int = 2) -> Match:
        text = CUP.replace("USE", use).replace("GAME", game).replace("PLAYERS", str(players))
        Path("cup.yaml").write_text(text, "utf-8")
        return read_match(Path("cup.yaml"), registry)

    return read


def moves(folder: Path) -> list[object]:
    """Return the moves of all games in the log of a match."""
    lines = (folder / "games.jsonl").read_text("utf-8").splitlines()[1:]
    return [json.loads(line)["moves"] for line in lines]


def test_a_model_plays_the_same_in_a_process_of_its_own(
    cup: ReadCup, model: MakeModel, registry: PluginRegistry, tmp_path: Path
) -> None:
    """The match file names the model relative to the working folder."""
    model(floats(1, 2, 3, 4), "weighted", name="other.zip")
    loads = tmp_path / "loads.txt"
    model(str(loads).encode(), "noted")
    match = cup("model:model.zip")
    assert run(replace(match, isolate="no"), registry, tmp_path / "here").is_over
    assert run(replace(match, isolate="auto"), registry, tmp_path / "apart").is_over
    assert moves(tmp_path / "here") == moves(tmp_path / "apart")
    assert len(set(loads.read_text("utf-8").split())) == len(loads.read_text("utf-8").split()) == 2


def test_a_model_does_not_load_in_the_process_of_the_referee(
    cup: ReadCup, model: MakeModel, registry: PluginRegistry, tmp_path: Path
) -> None:
    """A model may come from anybody, and loading it runs code."""
    loads = tmp_path / "loads.txt"
    model(str(loads).encode(), "noted")
    match = cup("model:model.zip")
    start_bots(match, registry, tmp_path / "cup", is_strict=True)
    run(match, registry, tmp_path / "cup")
    processes = set(map(int, loads.read_text("utf-8").split()))
    assert processes
    assert os.getpid() not in processes


def test_a_match_with_a_model_is_not_continued_with_another_one(
    cup: ReadCup, model: MakeModel, registry: PluginRegistry, tmp_path: Path
) -> None:
    """The log has a hash of the file, without its folder."""
    model()
    match = cup("model:model.zip")
    run(match, registry, tmp_path / "cup")
    assert str(tmp_path) not in json.dumps(versions_of(match, registry))
    model(floats(1, 2, 3, 4), "weighted")
    with pytest.raises(MatchError, match=r"bots \(learner\) changed"):
        run(match, registry, tmp_path / "cup")


def test_a_model_of_another_table_is_refused_before_the_first_game(
    cup: ReadCup, model: MakeModel, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Here it was trained with fewer players."""
    model(layout=Layout(registry.game("pig"), 2))
    start_bots(cup("model:model.zip", "pig", 2), registry, tmp_path, is_strict=True)
    with pytest.raises(BotError, match=r"pig: model:model\.zip: "):
        start_bots(cup("model:model.zip", "pig", 3), registry, tmp_path, is_strict=True)


def test_the_warm_up_comes_before_the_clock_of_the_first_action() -> None:
    """Once, and before the bot is made."""
    called: list[str] = []

    class Noting:
        def __init__(self) -> None:
            called.append("make")

        def choose(self, observation: object, /) -> int:
            called.append("choose")
            return 0

    budget = Budget(60.0, None, 100)
    bot = TimedBot(Noting, budget, warm_up=lambda: called.append("warm up"))
    for _ in range(2):
        bot.ask(None)  # type: ignore[arg-type]  # it does not look
    assert called == ["warm up", "make", "choose", "choose"]
    assert bot.spent.answers == 2
