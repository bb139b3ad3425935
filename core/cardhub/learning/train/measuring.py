"""How strong a trained player is: against bots during the training, and in a match at its end."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.schema import GameStatistics
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.report.report_files import written_result
from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout
from cardhub.learning.train.network import Network
from cardhub.learning.train.plan import TrainingPlan
from cardhub.learning.train.self_play import sample
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.plugins.registry import PluginRegistry

# The bots against which a player is measured, if the game has them.
RIVALS = ("random", "rule")
# The number of games of a measure during the training, and of their tables.
GAMES, TABLES = 128, 32
# Blocks of the match at the end against each bot: each block has a game for each seat.
BLOCKS = 100
# The id of the player in that match.
PLAYER = "trained"


def rivals_of(registry: PluginRegistry, game: str) -> list[str]:
    """Return the bots against which a player of the game is measured."""
    return [name for name in RIVALS if registry.has_bot(name, game)]


def score_against(network: Network, layout: Layout, rival: str, registry: PluginRegistry) -> float:
    """Return the mean utility of a network in games on fixed deals, with the rival elsewhere."""
    spec = TableSpec(layout, rivals=(rival,), directories=registry.directories)
    rng = np.random.default_rng(0)
    scores: list[float] = []
    counts = np.zeros(TABLES, int)
    with tables_of(spec, TABLES, 0) as tables:
        arrays = tables.reset(0)
        # The first games of each table: those that end early must not count more often.
        while counts.min() < GAMES // TABLES:
            shares = network(arrays.observations, arrays.masks)
            log_shares = np.log(np.maximum(shares, 1e-30))
            tables.step(sample(log_shares, arrays.masks, rng))
            ended = (arrays.terminated | arrays.truncated) & (counts < GAMES // TABLES)
            scores += arrays.learner_rewards[ended].tolist()
            counts += ended
    return float(np.mean(scores))


def play_final_match(
    registry: PluginRegistry, plan: TrainingPlan, path: Path, rivals: Sequence[str]
) -> GameStatistics:
    """Return the statistics of a match of the player in a file against bots, on equal deals."""
    bots = [(PLAYER, f"net:{path}"), *((rival, rival) for rival in rivals)]
    game = registry.game(plan.game)
    settings = resolve_options(game, plan.options, plan.players)
    scoring = game_scoring(game, settings, plan.players)
    table = {"game": plan.game, "players": plan.players, "rules": dict(plan.options)}
    # With more than two parties, groups of all bots would be far too many games.
    fill = {"fill": "mirror"} if len({*scoring.teams}) > 2 else {}
    content: dict[str, Any] = {
        "cardhub_match": 1,
        "name": "training",
        "seed": plan.seed,
        "bots": [{"id": name, "use": spec} for name, spec in bots],
        "games": [table | fill],
        "schedule": {"mode": "gauntlet", "challengers": [PLAYER], "blocks": BLOCKS},
        "salt": "none",
        "isolate": "no",
    }
    with TemporaryDirectory() as folder:
        match = parse_match(content, registry)
        run(match, registry, Path(folder), RunOptions(analyse=analyse))
        statistics = written_result(Path(folder)).statistics
    assert statistics is not None
    return statistics.games[0]
