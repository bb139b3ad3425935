"""The bot `file`: classes in files without registration, each file with its own names."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub.base.errors import BotError
from cardhub.bots.file_bot import load_class, make_file_bot
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import sources_of
from cardhub.lab.match.run.match_bots import end_bot_processes
from cardhub.lab.match.run.preflight import find_isolation, start_bots
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.secret import has_third_party_bots
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import check_spec

FIRST = """
class Mine:
    def choose(self, observation, /):
        return observation.legal()[0]
"""
LAST = FIRST.replace("[0]", "[-1]")
DERIVED = """
from dataclasses import dataclass
from cardhub import Bot

@dataclass
class Dice(Bot):
    rng: object

class Mine(Dice):
    def choose(self, observation, /):
        return self.rng.choice(observation.legal())
"""
PAIR = FIRST + LAST.replace("Mine", "Other")
CUP = """
cardhub_match: 1
name: cup
seed: 3
bots:
  - {id: ann, use: "file:ann.py"}
  - {id: bob, use: "file:bob.py"}
  - {id: cid, use: "file:cid.py"}
games: [{game: kuhn}]
schedule: {blocks: 2}
"""


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PluginRegistry:
    """Return the installed plugins, in a folder of files with bots."""
    monkeypatch.chdir(tmp_path)
    files = {"ann": FIRST, "bob": LAST, "dice": DERIVED, "pair": PAIR, "cid": "import nowhere"}
    for name, source in files.items():
        Path(f"{name}.py").write_text(source, "utf-8")
    return find_plugins(())


def _observation(registry: PluginRegistry) -> Observation[Any]:
    players = [Player("Anna", "random"), Player("Bob", "random")]
    referee = set_up(registry.game("kuhn"), players, {}, 1)
    referee.proceed()
    return referee.observe(referee.seat)


def test_two_files_may_have_classes_of_one_name(registry: PluginRegistry) -> None:
    seen = _observation(registry)
    ann, bob = (registry.make_bot(f"file:{name}.py", "kuhn", Random(1)) for name in ("ann", "bob"))
    assert type(ann).__name__ == type(bob).__name__ == "Mine"
    assert [ann.choose(seen), bob.choose(seen)] == [seen.legal()[0], seen.legal()[-1]]


def test_a_class_gets_the_generator_if_it_takes_one(registry: PluginRegistry) -> None:
    rng = Random(1)
    bot = registry.make_bot("file:dice.py", "kuhn", rng)
    assert vars(bot)["rng"] is rng


@pytest.mark.parametrize(
    ("parameters", "gets_generator"),
    [
        ("self", False),
        ("self, rng", True),
        ("self, rng=None", True),
        ("self, depth=3", False),
        ("self, *, depth=3", False),
    ],
)
def test_only_a_parameter_for_it_gets_the_generator(
    parameters: str, gets_generator: bool, tmp_path: Path
) -> None:
    source = FIRST + f"    def __init__({parameters}):\n        self.given = locals().get('rng')\n"
    path = tmp_path / "bot.py"
    path.write_text(source, "utf-8")
    rng = Random(1)
    assert (vars(make_file_bot(rng, path))["given"] is rng) is gets_generator


def test_a_file_with_several_bots_needs_a_name(registry: PluginRegistry) -> None:
    with pytest.raises(BotError, match=r"several bots: Mine and Other\. fix: .*pair\.py,name=Mine"):
        registry.make_bot("file:pair.py", "kuhn", Random(1))
    seen = _observation(registry)
    other = registry.make_bot("file:pair.py,name=Other", "kuhn", Random(1))
    assert other.choose(seen) == seen.legal()[-1]
    with pytest.raises(BotError, match=r"no class 'Othr' .*Did you mean 'Other'\?"):
        registry.make_bot("file:pair.py,name=Othr", "kuhn", Random(1))


def test_a_file_without_a_bot_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("from cardhub import Bot\nfrom cardhub.bots import RandomBot\n", "utf-8")
    with pytest.raises(BotError, match=r"no class with a method choose"):
        load_class(path)
    with pytest.raises(BotError, match=r"cannot be read: No such file"):
        load_class(tmp_path / "nothing.py")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(FIRST, "utf-8")
    before = load_class(path)
    assert load_class(path) is before
    path.write_text(LAST.replace("[-1]", "[1]"), "utf-8")  # as long as before
    assert load_class(path) is not before
    assert not (tmp_path / "__pycache__").exists()


def test_a_match_plays_them_like_any_bots_of_strangers(registry: PluginRegistry) -> None:
    Path("cup.yaml").write_text(CUP, "utf-8")
    match = read_match(Path("cup.yaml"), registry)
    folder = Path("out")
    assert has_third_party_bots(match, registry)
    assert find_isolation(match, registry, folder).bots.keys() >= {("kuhn", "file:ann.py")}
    try:
        match = start_bots(match, registry, folder)
        run(match, registry, folder)
    finally:
        end_bot_processes()
    # The error of one file costs this bot only.
    assert list(match.absent) == ["cid"]
    assert "No module named 'nowhere'" in match.absent["cid"]
    games = [game for _, game in read_games(folder)]
    assert {bot for game in games for bot in game.seats} == {"ann", "bob"}
    assert not any(game.faults for game in games)


def test_the_log_has_the_digest_of_the_file(registry: PluginRegistry) -> None:
    def sources() -> list[str]:
        parts = registry.parts("file:ann.py", "kuhn")
        return [source for source in sources_of(parts) if source.startswith("ann.py sha256:")]

    before = sources()
    assert len(before) == 1
    Path("ann.py").write_text(LAST, "utf-8")
    assert len(sources()) == 1
    assert sources() != before


def test_a_file_is_checked_like_any_bot(registry: PluginRegistry) -> None:
    assert check_spec(registry, "file:ann.py", "kuhn", positions=10).findings == ()
    (finding,) = check_spec(registry, "file:cid.py", "kuhn", positions=10).findings
    assert (finding.check, "cid.py:1" in finding.problem) == ("handshake", True)
