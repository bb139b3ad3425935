"""A match that is played for points, with a bot that hardly loses and one that often wins."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from cardhub.lab.analysis import analyse
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry

LEDUC = """
    cardhub_match: 1
    name: leduc
    seed: 7
    bots:
      - {id: solved, use: "cfr:iterations=200"}
      - {id: search, use: "ismcts:5"}
      - {id: random, use: random}
    games: [{game: leduc}]
    schedule: {mode: gauntlet, challengers: [solved], blocks: 300}
    rating: {bootstrap: 100}
    isolate: no
"""


def test_near_perfect_play_comes_first_in_leduc_poker(
    match: Callable[..., Match], registry: PluginRegistry
) -> None:
    run(match(LEDUC), registry, folder := Path("out"), RunOptions(analyse=analyse))
    result: dict[str, Any] = msgspec.json.decode((folder / "result.json").read_bytes())
    (game,) = result["statistics"]["games"]
    assert [row["bot"] for row in game["bots"]] == ["solved", "search", "random"]
    assert game["bots"][0]["worst"] == 1
    assert [row["verdict"] for row in game["pairs"]] == ["better", "better"]
    # By places the order is another one: search wins more games, and smaller pots.
    elo = {row["bot"]: row["elo"]["value"] for row in game["bots"]}
    assert elo["search"] > elo["solved"]
