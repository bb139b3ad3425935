"""The result of a study, computed from the logs of its matches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cardhub.base.errors import MatchError
from cardhub.lab.match.block_seeds import statistics_seed
from cardhub.lab.match.log.log_reader import GAMES, file_digest
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.run.executors import InProcess, MakeExecutor
from cardhub.lab.match.seat_scores import float_scores
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.measures.skill_slope import LadderGame, skill_of_ladder, skill_of_tables
from cardhub.lab.study.measures.study_game import StudyGame
from cardhub.lab.study.measures.use_worth import use_rows
from cardhub.lab.study.population_figures import population
from cardhub.lab.study.study_folder import is_whole, whole_blocks
from cardhub.lab.study.study_notes import notes_of
from cardhub.lab.study.study_request import LADDER, StudyRequest, is_random, iterations_of
from cardhub.lab.study.study_schema import FORMAT, Population, Skill, StudyResult
from cardhub.lab.study.trace_run import trace_games
from cardhub.plugins.registry import PluginRegistry

LEVEL = 0.95
SMALLEST = "no block of games is finished yet\nfix: the same command continues"

Part = tuple[Path, Match]


@dataclass(frozen=True)
class StudyOptions:
    """How a study runs, which changes none of its figures.

    `tell` gets the numbers of games replayed and of all.
    """

    make: MakeExecutor = InProcess
    ahead: int = 1
    tell: Callable[[int, int], object] = lambda done, total: None


@dataclass(slots=True)
class _Logged:
    """The games of a study: those of copies of one bot by match, and those of the ladder."""

    self_play: list[tuple[Match, list[GameResult]]] = field(default_factory=list)
    ladder: list[LadderGame] = field(default_factory=list)
    contests: dict[str, Contest] = field(default_factory=dict)
    excluded: int = 0


def study_of(
    request: StudyRequest,
    parts: Sequence[Part],
    registry: PluginRegistry,
    options: StudyOptions,
) -> StudyResult:
    """Return the figures of all whole blocks; raises MatchError if there are none."""
    logged = _read(parts)
    games = list(_traced(logged, registry, options))
    if not games:
        raise MatchError(SMALLEST)
    contest, rules = next(iter(logged.contests.values())), registry.game(request.game)
    populations = _populations(request.bots, games, contest)
    skilled = [bot for each in populations for bot in each.bots if not is_random(bot)]
    skilled = skilled or list(request.bots)
    of_skilled = [game for game in games if game.bot in skilled]
    result = StudyResult(
        cardhub_study=FORMAT,
        game=rules.name,
        title=rules.title,
        version=contest.version,
        players=contest.players,
        options=dict(contest.rules),
        teams=contest.teams,
        scoring=contest.score,
        unit=contest.unit,
        target=contest.target,
        is_common=contest.is_common,
        level=LEVEL,
        seed=request.seed,
        sources=_sources(parts),
        is_whole=all(is_whole(*part) for part in parts),
        games=len(games) + len(logged.ladder),
        excluded=logged.excluded,
        skilled=population(of_skilled, skilled, contest, LEVEL),
        by_bot=populations,
        skill=_skill(request, logged, games, registry),
        uses=use_rows(of_skilled, LEVEL),
    )
    return notes_of(result)


def _sources(parts: Sequence[Part]) -> tuple[str, ...]:
    logs = [folder / GAMES for folder, _ in parts]
    return tuple(file_digest(log) for log in logs if log.exists())


def _populations(
    bots: Sequence[str], games: Sequence[StudyGame], contest: Contest
) -> tuple[Population, ...]:
    by_bot = {bot: [game for game in games if game.bot == bot] for bot in bots}
    return tuple(population(own, [bot], contest, LEVEL) for bot, own in by_bot.items() if own)


def _read(parts: Sequence[Part]) -> _Logged:
    found = _Logged()
    for folder, match in parts:
        uses = {entrant.id: entrant.use for entrant in match.entrants}
        contests = {contest.id: contest for contest in match.contests}
        own: list[GameResult] = []
        for block in whole_blocks(folder, match):
            for result in block:
                if result.end != "over" or result.faults or result.absent:
                    found.excluded += 1
                elif result.contest == LADDER:
                    found.ladder.append(LadderGame(result, contests[LADDER], uses))
                else:
                    own.append(result)
        found.self_play.append((match, own))
        found.contests.update(contests)
    return found


def _traced(
    logged: _Logged, registry: PluginRegistry, options: StudyOptions
) -> Iterator[StudyGame]:
    total = sum(len(results) for _, results in logged.self_play)
    before = 0
    for match, results in logged.self_play:
        uses = {entrant.id: entrant.use for entrant in match.entrants}
        tell = _shifted(options.tell, before, total)
        make, ahead = options.make, options.ahead
        for result, trace in trace_games(match, results, registry.directories, make, ahead, tell):
            scores = float_scores(result, match.contest(result.contest))
            yield StudyGame(uses[result.seats[0]], result.bots, result, scores, trace)
        before += len(results)


def _shifted(
    tell: Callable[[int, int], object], before: int, total: int
) -> Callable[[int], object]:
    return lambda done: tell(before + done, total)


def _skill(
    request: StudyRequest,
    logged: _Logged,
    games: Sequence[StudyGame],
    registry: PluginRegistry,
) -> Skill | None:
    iterations = {bot: iterations_of(registry, bot, request.game) for bot in request.bots}
    if next(iter(logged.contests.values())).is_common:
        return skill_of_tables(games, request.bots, iterations, LEVEL)
    # Consecutive games of a deal, as the tabulation is fastest with.
    ladder = sorted(logged.ladder, key=lambda game: game.result.deal)
    seed = statistics_seed(request.seed, request.game, "study")
    return skill_of_ladder(ladder, request.bots, iterations, seed, LEVEL)
