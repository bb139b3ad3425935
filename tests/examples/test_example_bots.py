"""The example bots: programs in two languages that play every game."""

import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.paths import ROOT
from tests.kit.programs import find_node, play_equal_bots

from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import play_out, seated, set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing import check_spec

BOTS = ROOT / "examples" / "bots"
GAMES = find_plugins().game_names()
# Both bots are sent the same words: of cards, of a board, of choices at the same time.
FEW = ("gargon", "garner", "goofspiel")
# A page of code, its docstring included.
LONGEST = 80

SpecOf = Callable[[str], str]


@pytest.fixture(scope="module")
def spec_of() -> SpecOf:
    """Return a function that returns an example's bot spec by the file's ending."""
    runs = {"py": sys.executable, "js": find_node()}
    return lambda kind: f"cmd:{shlex.join([runs[kind], str(BOTS / f'simple_bot.{kind}')])}"


@pytest.fixture(scope="module")
def registry() -> Iterator[PluginRegistry]:
    """Return a registry whose programs play one game after another, and are ended afterwards."""
    registry = find_plugins()
    yield registry
    registry.close()


@pytest.mark.parametrize(
    ("kind", "name"), [*(("py", name) for name in GAMES), *(("js", name) for name in FEW)]
)
def test_an_example_bot_plays_every_game_to_its_end(
    kind: str, name: str, registry: PluginRegistry, spec_of: SpecOf
) -> None:
    referee = play_equal_bots(registry, name, spec_of(kind), seed=6)
    assert min(referee.places()) == 1


@pytest.mark.parametrize("kind", ["py", "js"])
def test_nothing_is_wrong_with_an_example_bot(kind: str, spec_of: SpecOf) -> None:
    """The same seed gives the same answers, and no game leaves traces in the next one."""
    registry = find_plugins()
    report = check_spec(registry, spec_of(kind), "gargon", positions=30, seed=2)
    registry.close()
    assert report.findings == ()


@pytest.mark.parametrize(("kind", "name"), [("py", "kuhn"), ("js", "gargon")])
def test_an_example_bot_thinks_a_little(
    kind: str, name: str, registry: PluginRegistry, spec_of: SpecOf
) -> None:
    game, won = registry.game(name), 0
    for seed in range(300 if name == "kuhn" else 8):
        seats = range(game.seats.default)
        specs = [spec_of(kind) if (seat + seed) % 2 else "random" for seat in seats]
        players = [Player(NAMES[seat], specs[seat]) for seat in seats]
        referee = set_up(game, players, {}, seed)
        referee.proceed()
        with seated(registry, referee) as bots:
            play_out(referee, bots)
        scores = enumerate(referee.scores())
        won += sum(score if specs[seat] != "random" else -score for seat, score in scores)
    assert won > 0


@pytest.mark.parametrize("path", sorted(BOTS.iterdir()), ids=lambda path: path.name)
def test_an_example_bot_is_a_page_of_code(path: Path) -> None:
    """It is short enough to be read in minutes."""
    if path.is_file():
        assert len(path.read_text("utf-8").splitlines()) <= LONGEST
