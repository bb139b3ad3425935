"""The checkpoints of a league: their parameters, the matches that rate them, and their ratings."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace as replace_struct

from cardhub.base.errors import OptionError
from cardhub.base.files import replace_text
from cardhub.lab.analysis.accumulate import BLOCK, ContestTotals
from cardhub.lab.analysis.contests import ratings_of
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.log.log_reader import has_finished, read_games
from cardhub.lab.match.match_spec import Match, Order
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.cluster import make_cluster, threads_of
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult
from cardhub.model.game.initial_state import game_scoring, resolve_options
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

PLAN = "league.json"
POOL = "pool"
MATCHES = "matches"
# For each rival's seat, the number of rivals that rotate in the games of one round.
DRAWN_RIVALS = 12


class Member(NamedTuple):
    """A bot of the pool: its id in matches, its spec, and its training steps (0 for a rival)."""

    id: str
    spec: str
    steps: int = 0


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """The parameters of a league: the parameters of `League` except the folder and the trainer.

    `learner`: the trainer's parameters, or None if they are unknown. A folder keeps and compares
    its plan; a `LeagueFile` has the keys of its file, and what changes no checkpoint as well.
    """

    game: str
    every: int
    rivals: tuple[str, ...]
    players: int | None
    options: Mapping[str, Value]
    environment: Mapping[str, Any]
    seed: int
    blocks: int
    opponents: int
    learner: Mapping[str, Any] | None = None
    format: int = field(default=1)

    def path(self, folder: Path, number: int) -> Path:
        """Return the file of a checkpoint; numbers count from 1."""
        return folder / POOL / f"step_{number * self.every:08}.zip"

    def fixed(self) -> list[Member]:
        """Return the rivals that do not learn."""
        names: dict[str, Member] = {}
        for spec in self.rivals:
            name = re.sub(r"\W+", "_", spec).strip("_") or "rival"
            while name in names:
                name += "_"
            names[name] = Member(name, spec)
        return [*names.values()]

    def checkpoint(self, folder: Path, number: int) -> Member:
        """Return the bot of a checkpoint."""
        path = self.path(folder, number)
        return Member(path.stem, f"model:{path}", number * self.every)

    def rivals_of(self, folder: Path, number: int, seats: int) -> list[str]:
        """Return the specs of the bots that a checkpoint is trained against, with repetitions.

        Half of them are the last checkpoint, if there is one; the others are drawn from the earlier
        checkpoints and the rivals that do not learn.
        """
        rng = Random(f"{self.seed} rivals {number}")
        others = [member.spec for member in self.fixed()]
        others += [self.checkpoint(folder, n).spec for n in range(1, number - 1)]
        drawn = [rng.choice(others) for _ in range(DRAWN_RIVALS * (seats - 1))]
        if number > 1:
            drawn[::2] = [self.checkpoint(folder, number - 1).spec] * len(drawn[::2])
        rng.shuffle(drawn)
        return drawn

    def opponents_of(self, folder: Path, number: int) -> list[Member]:
        """Return the bots that a checkpoint meets in its rating match.

        They are the rivals that do not learn, some earlier checkpoints, and the last one.
        """
        rng = Random(f"{self.seed} opponents {number}")
        earlier = range(1, number - 1)
        drawn = sorted(rng.sample(earlier, min(self.opponents, len(earlier))))
        last = [number - 1] if number > 1 else []
        return [*self.fixed(), *(self.checkpoint(folder, n) for n in (*drawn, *last))]

    def save(self, folder: Path) -> None:
        """Write the plan into a new folder; raises OptionError if the folder has another plan."""
        (folder / POOL).mkdir(parents=True, exist_ok=True)
        (folder / MATCHES).mkdir(exist_ok=True)
        path, mine = folder / PLAN, json.loads(json.dumps(asdict(self)))
        if not path.exists():
            replace_text(path, json.dumps(mine, indent=1) + "\n")
            return
        theirs = json.loads(path.read_text("utf-8"))
        for name in sorted({*mine, *theirs}):
            if mine.get(name) != theirs.get(name):
                raise OptionError(
                    f"the league of {folder} was begun with {name}={theirs.get(name)!r}, not "
                    f"{mine.get(name)!r}. fix: use the same value, or another folder"
                )


# The number of games in flight per worker, enough to keep all workers busy.
AHEAD = 4


def play_match(
    match: Match, folder: Path, registry: PluginRegistry, workers: int, cluster: str | None
) -> None:
    """Play or continue a match on processes or a Dask cluster; raises MatchError."""
    if has_finished(folder):
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


@dataclass(frozen=True, slots=True)
class LeagueRating:
    """The rating of a bot of a league relative to the mean of all bots, with its interval.

    `steps`: its training steps, 0 for a bot that does not learn. `unit`: `Elo`, or for a game that
    is played for points the unit of points per game. A value is None if it is not finite, because
    the bot won or lost all games, or if there are too few games.
    """

    bot: str
    steps: int
    rating: float | None
    low: float | None
    high: float | None
    games: int
    unit: str


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """The ratings of a league, as `cardhub league` writes them.

    `level`: the confidence level of the intervals.
    """

    league: str
    game: str
    players: int
    rounds: int
    every: int
    level: float
    ratings: tuple[LeagueRating, ...]


def build_standings(
    members: Sequence[Member], played: Sequence[tuple[Match, Path]]
) -> list[LeagueRating]:
    """Return the standings of the bots of all matches, in the order of `members`.

    `played` has each checkpoint's match with the folder of its log.
    """
    whole = _whole([match for match, _ in played])
    totals = ContestTotals(whole, whole.contests[0])
    first = 0
    for match, folder in played:
        size = Games(match).size
        for results in _blocks(folder, first):
            if len(results) == size(results[0].contest, results[0].bots):
                totals.add(results)
        first += match.order.blocks
    ratings = zip(whole.entrants, ratings_of(whole, totals), strict=True)
    rated = {entrant.id: rating for entrant, rating in ratings if rating}
    unit = f"{whole.contests[0].unit} a game" if whole.contests[0].in_points else "Elo"
    return [
        LeagueRating(
            name, steps, rating.value, rating.low, rating.high, totals.bots[name].games, unit
        )
        for name, _, steps in members
        if (rating := rated.get(name))
    ]


def _whole(matches: Sequence[Match]) -> Match:
    """Return a match with the bots of all matches."""
    entrants = {entrant.id: entrant for match in matches for entrant in match.entrants}
    return replace(matches[0], entrants=tuple(entrants.values()), order=Order())


def _blocks(folder: Path, first: int) -> Iterator[list[GameResult]]:
    """Yield the blocks of a log, with deals numbered from `first`."""
    # The fit treats equal numbers as equal deals, but matches have different cards.
    games = (replace_struct(game, deal=first + game.deal) for _, game in read_games(folder))
    for _, results in groupby(games, BLOCK):
        yield list(results)
