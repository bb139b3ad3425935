"""The match that rates a checkpoint of a league against other bots."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardhub.base.files import replace_text
from cardhub.lab.match.log.log_reader import RESULT, read_json
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.cluster import make_cluster, threads_of
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.learning.learn.league.league_plan import MATCHES, LeaguePlan, Member
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.plugins.registry import PluginRegistry

# The number of games in flight per worker, enough to keep all workers busy.
AHEAD = 4


def play_match(
    match: Match, folder: Path, registry: PluginRegistry, workers: int, cluster: str | None
) -> None:
    """Play or continue a match on processes or a Dask cluster; raises MatchError."""
    if (folder / RESULT).exists() and read_json(folder / RESULT).get("is_finished"):
        return
    if cluster is not None:
        make = make_cluster(cluster, match, versions_of(match, registry))
        options = RunOptions(make, AHEAD * threads_of(cluster))
    else:
        ahead = AHEAD * workers if workers > 1 else 1
        options = RunOptions(make_executor(workers), ahead)
    run(match, registry, folder, options)


def match_folder(folder: Path, member: Member) -> Path:
    """Return the folder of the match that rates a checkpoint."""
    return folder / MATCHES / member.id


def match_of(
    plan: LeaguePlan,
    folder: Path,
    member: Member,
    opponents: Sequence[Member],
    registry: PluginRegistry,
) -> Match:
    """Write the file of a checkpoint's match, read it, and return it; raises MatchFileError."""
    path = folder / MATCHES / f"{member.id}.yaml"
    out = {"out": str(match_folder(folder, member))}  # `cardhub match` writes its report there
    text = json.dumps(_match_data(plan, member, opponents, registry) | out, indent=1)
    if not path.exists() or path.read_text("utf-8") != text:
        replace_text(path, text)  # JSON is YAML
    return read_match(path, registry)


def _match_data(
    plan: LeaguePlan, member: Member, opponents: Sequence[Member], registry: PluginRegistry
) -> dict[str, Any]:
    game = registry.game(plan.game)
    players = game.seats.default if plan.players is None else plan.players
    scoring = game_scoring(game, resolve_options(game, plan.options, players), players)
    parties = len(set(scoring.shared_teams)) or players
    contest = {"game": plan.game, "players": players, "rules": dict(plan.options)}
    # With more than two parties, groups of all bots would be far too many games.
    fill = {"fill": "mirror"} if parties > 2 else {}
    return {
        "cardhub_match": 1,
        "name": member.id,
        "seed": plan.seed + member.steps,
        "bots": [{"id": bot.id, "use": bot.spec} for bot in (member, *opponents)],
        "games": [contest | fill],
        "schedule": {"mode": "gauntlet", "challengers": [member.id], "blocks": plan.blocks},
        # The league trusts its models: seeds need no secret salt, and bots no separate processes.
        "salt": "none",
        "isolate": "no",
    }
