"""The contract that every bot of every installed game fulfils."""

import sys

import pytest
from tests.kit.paths import ROOT
from tests.kit.soaking import FACTOR

from cardhub.bots import CMD
from cardhub.plugins.registry import find_plugins
from cardhub.testing import check_spec

REGISTRY = find_plugins()
# Only these are small enough to be solved.
SOLVED = {"kuhn", "leduc"}
BOTS = [
    (game, bot)
    for game in REGISTRY.game_names()
    for bot in REGISTRY.bots_for(game)
    if bot != "cfr" or game in SOLVED
    # They need a file, a match or a language model, and have tests of their own.
    if bot not in ("file", "llm", "model", "net", "policy", "team")
    # A network plays at one table: only Gamon has no other number of players.
    if bot != "trained" or game == "gamon"
]
EXAMPLE = ROOT / "examples" / "bots" / "simple_bot.py"
# Options that a bot requires, or that limit its search.
SPECS = {
    CMD.name: f"cmd:'{sys.executable}' '{EXAMPLE}'",
    "hasty": "hasty:player=ismcts:iterations=10",
    "ismcts": "ismcts:iterations=10",
    "pimc": "pimc:iterations=10",
}
# How many positions a bot is asked at; `make soak` asks at twice as many.
USUAL = min(4 * FACTOR, 8)
POSITIONS = {"ismcts": USUAL // 2, "pimc": USUAL // 2}


@pytest.mark.parametrize(("game", "bot"), BOTS)
def test_nothing_is_wrong_with_a_bot(game: str, bot: str) -> None:
    """It plays by the rules, is deterministic, and depends only on its observations."""
    positions = POSITIONS.get(bot, USUAL)
    report = check_spec(REGISTRY, SPECS.get(bot, bot), game, positions=positions, seed=11)
    assert report.findings == ()
    assert report.positions == positions
