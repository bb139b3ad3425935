"""The result of a study, computed from the logs of its matches: populations, notes, traces."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from statistics import NormalDist, pstdev
from time import monotonic
from typing import Any

from msgspec.structs import replace

from cardhub.base.errors import MatchError
from cardhub.base.writing import amount
from cardhub.lab.estimate import Measure
from cardhub.lab.match.blocks import statistics_seed
from cardhub.lab.match.log.log_reader import GAMES, read_header
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.provenance import game_versions
from cardhub.lab.match.run.executors import InProcess, MakeExecutor
from cardhub.lab.match.seat_scores import float_scores
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.comparison import DealShifts, split_shifts
from cardhub.lab.study.figure_text import score_unit, value_text
from cardhub.lab.study.game_trace import GameTrace, trace_all
from cardhub.lab.study.measures.skill import LadderGame, skill_of_ladder, skill_of_tables
from cardhub.lab.study.measures.study_game import (
    StudyGame,
    Summand,
    choices,
    distribution,
    draws,
    leads,
    luck,
    measure,
    reached,
    seat_advantages,
    use_rows,
)
from cardhub.lab.study.study_request import (
    LADDER,
    StudyPart,
    StudyRequest,
    is_random,
    iterations_of,
    read_part,
    study_command,
)
from cardhub.lab.study.study_schema import FORMAT, Population, Settling, Skill, StudyResult
from cardhub.model.game.game import Game
from cardhub.plugins.registry import PluginRegistry

LEVEL = 0.95
SMALLEST = "no deal is finished yet\nfix: the same command continues"


@dataclass(frozen=True)
class StudyOptions:
    """How a study runs; only the first two can change its figures.

    It plays for `seconds`, or exactly the deals of its request if None. With `is_played` false only
    the deals in the folder count: all of them if `seconds` is not None. `make` and `ahead`: the
    executor, and its tasks in flight. `clock` returns the time in seconds. `on_played` is called
    with a part and how far it is; `on_replayed` with the number of replayed games and of all games.
    """

    seconds: float | None = None
    is_played: bool = True
    make: MakeExecutor = InProcess
    ahead: int = 1
    clock: Callable[[], float] = monotonic
    on_played: Callable[[str, str], object] = lambda part, progress: None
    on_replayed: Callable[[int, int], object] = lambda done, total: None


@dataclass(slots=True)
class _Logged:
    """A study's games: mirror matches by match, and ladder games.

    `deals`: the numbers of deals by part; `digests`: the SHA-256 of the logs up to these deals.
    """

    deals: dict[str, int] = field(default_factory=dict)
    digests: list[str] = field(default_factory=list)
    self_play: list[tuple[Match, list[GameResult]]] = field(default_factory=list)
    ladder: list[LadderGame] = field(default_factory=list)
    contests: dict[str, Contest] = field(default_factory=dict)
    excluded: int = 0


def study_of(
    request: StudyRequest,
    parts: Sequence[StudyPart],
    registry: PluginRegistry,
    options: StudyOptions,
) -> tuple[StudyResult, DealShifts]:
    """Return the figures of all whole deals, and their shifts; raises MatchError without a deal."""
    logged = _read(parts)
    games = _traced(logged, registry, options)
    contest, rules = next(iter(logged.contests.values())), registry.game(request.game)
    populations = _populations(request.bots, games, contest)
    bots = [bot for row in populations for bot in row.bots]
    skilled = [bot for bot in bots if not is_random(bot)] or bots
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
        sources=tuple(logged.digests),
        is_whole=all(logged.deals[part.folder.name] == part.deals for part in parts),
        games=len(games) + len(logged.ladder),
        excluded=logged.excluded,
        skilled=population(of_skilled, skilled, contest, LEVEL),
        by_bot=populations,
        skill=_skill(request, logged, games, registry),
        uses=use_rows(of_skilled, LEVEL),
        deals=logged.deals,
        command=study_command(request.with_deals(logged.deals), registry),
    )
    return _with_notes(result, of_skilled, _changes(parts, rules, registry))


def _changes(
    parts: Sequence[StudyPart], rules: Game[Any], registry: PluginRegistry
) -> tuple[str, ...]:
    """Return a note if the games were played with other rules than they are replayed with."""
    for part in parts:
        if (part.folder / GAMES).exists():
            played = read_header(part.folder)["versions"].get("games")
            if played != game_versions(part.match.contests, registry)["games"]:
                text = "has changed since these games were played: leaders, choices and uses follow"
                return (f"{rules.title} {text} from replays with the present rules.",)
    return ()


def _with_notes(
    result: StudyResult, games: Sequence[StudyGame], changes: tuple[str, ...]
) -> tuple[StudyResult, DealShifts]:
    """Return the result with its notes, and apart from it the shifts of its measures."""
    settled = replace(result, settling=_settling(result, games))
    noted = replace(settled, notes=(*changes, *_notes(settled)))
    return split_shifts(noted, (game.deal for game in games))


# The half of an interval that settles a score from 0 to 1. A seat that wins half of its games has
# a standard deviation of 0.5, so it is a tenth of that; the same share is used for points.
REACH = 0.05
REACH_OF_POINTS = 0.1


def _settling(result: StudyResult, games: Sequence[StudyGame]) -> Settling | None:
    scores = [score for game in games for score in game.scores]
    deviation = pstdev(scores)
    reach = REACH_OF_POINTS * deviation if result.scoring == "points" else REACH
    if not deviation or result.is_common:
        return None
    seats = [deals_for(row.advantage, reach, result.level) for row in result.skilled.seats]
    uses = [deals_for(row.worth, reach, result.level) for row in result.uses if row.worth]
    known_seats = [deals for deals in seats if deals is not None]
    known_uses = sorted(deals for deals in uses if deals is not None)
    return Settling(
        reach,
        max(known_seats, default=None),
        known_uses[len(known_uses) // 2] if known_uses else None,
    )


def deals_for(estimate: Measure, reach: float, level: float) -> int | None:
    """Return about how many deals make the interval of an estimate as narrow as `reach`.

    Return None if the error of the estimate is unknown.
    """
    if estimate.error is None:
        return None
    # With many deals Student's t is normal, and the error falls with the root of their number.
    error = NormalDist().inv_cdf((1 + level) / 2) * estimate.error
    return max(2, ceil(estimate.deals * (error / reach) ** 2))


def _populations(
    bots: Sequence[str], games: Sequence[StudyGame], contest: Contest
) -> tuple[Population, ...]:
    by_bot = {bot: [game for game in games if game.bot == bot] for bot in bots}
    return tuple(population(rows, [bot], contest, LEVEL) for bot, rows in by_bot.items() if rows)


def _read(parts: Sequence[StudyPart]) -> _Logged:
    logged = _Logged()
    for part in parts:
        match, games = part.match, read_part(part)
        logged.deals[part.folder.name] = games.deals
        logged.digests += [games.digest] if games.digest else []
        uses = {entrant.id: entrant.use for entrant in match.entrants}
        contests = {contest.id: contest for contest in match.contests}
        mirror_games: list[GameResult] = []
        for block in games.blocks:
            for result in block:
                if result.end != "over" or result.faults or result.absent:
                    logged.excluded += 1
                elif result.contest == LADDER:
                    logged.ladder.append(LadderGame(result, contests[LADDER], uses))
                else:
                    mirror_games.append(result)
        logged.self_play.append((match, mirror_games))
        logged.contests.update(contests)
    return logged


def _traced(logged: _Logged, registry: PluginRegistry, options: StudyOptions) -> list[StudyGame]:
    """Return the mirror matches' games with their traces; raises MatchError if there is none."""
    total = sum(len(results) for _, results in logged.self_play)
    if not total:
        raise MatchError(SMALLEST)
    games: list[StudyGame] = []
    before = 0
    for match, results in logged.self_play:
        uses = {entrant.id: entrant.use for entrant in match.entrants}
        on_replayed = _shifted(options.on_replayed, before, total)
        traced = trace_games(match, results, registry.directories, options, on_replayed)
        for result, trace in traced:
            scores = float_scores(result, match.contest(result.contest))
            games.append(StudyGame(uses[result.seats[0]], result.bots, result, scores, trace))
        before += len(results)
    return games


def _shifted(
    on_replayed: Callable[[int, int], object], before: int, total: int
) -> Callable[[int], object]:
    return lambda done: on_replayed(before + done, total)


def _skill(
    request: StudyRequest,
    logged: _Logged,
    games: Sequence[StudyGame],
    registry: PluginRegistry,
) -> Skill | None:
    iterations = {bot: iterations_of(registry, bot, request.game) for bot in request.bots}
    if next(iter(logged.contests.values())).is_common:
        return skill_of_tables(games, request.bots, iterations, LEVEL)
    # The tabulation is fastest if the games of a deal are consecutive.
    ladder = sorted(logged.ladder, key=lambda game: game.result.deal)
    seed = statistics_seed(request.seed, request.game, "study")
    return skill_of_ladder(ladder, request.bots, iterations, seed, LEVEL)


def population(
    games: Sequence[StudyGame], bots: Sequence[str], contest: Contest, level: float
) -> Population:
    """Return the figures of games between copies of a bot; raises ValueError without games."""
    has_rivals = not contest.is_common
    return Population(
        bots=tuple(bots),
        deals=len({game.deal for game in games}),
        games=len(games),
        seats=seat_advantages(games, level) if has_rivals else (),
        score=None if has_rivals else measure([Summand(g.deal, g.scores[0]) for g in games], level),
        reached=reached(games, contest, level),
        draws=draws(games, level) if has_rivals else None,
        length=distribution(
            [game.deal for game in games], [float(len(g.trace.choices)) for g in games], level
        ),
        choices=choices(games, level),
        leads=leads(games, level) if has_rivals else None,
        luck=luck(games, level),
    )


# The number of deals below which a note warns that intervals are rough.
FEW_DEALS = 20


def _notes(result: StudyResult) -> Iterator[str]:
    skilled = result.skilled
    if not result.is_whole:
        yield "Not all games are played yet. The same command continues."
    if result.excluded:
        games = amount(result.excluded, "game is", "games are")
        yield f"{games} not counted, because a bot was at fault or the game did not end."
    if result.is_common:
        yield "All players share one score, so there is no comparison of seats, leads or draws."
    elif skilled.leads is None:
        yield "Scores do not show a leader before the end, so there are no figures on leads."
    if skilled.luck is None:
        yield "All scores are equal, so there is no variance to divide into shares."
    if result.skill is None:
        yield "A ladder of strengths needs at least two bots."
    elif result.skill.score_per_doubling is None:
        yield "Fewer than two bots search, so the gain from more search is unknown."
    yield from _settling_notes(result)
    if skilled.deals < FEW_DEALS:
        yield f"With {skilled.deals} deals all intervals are rough; more --minutes play more."


def _settling_notes(result: StudyResult) -> Iterator[str]:
    settling = result.settling
    if settling is None:
        return
    unit = score_unit(result)
    reach = f"±{value_text(settling.reach, 'amount' if unit else 'share')}{unit}"
    if settling.seats is not None:
        deals = amount(settling.seats, "deal")
        yield f"About {deals} settle the advantage of every seat to {reach}."
    if settling.uses is not None:
        deals = amount(settling.uses, "deal")
        yield f"About {deals} settle the difference of a typical card or action to {reach}."


# Games in one task: a replay takes milliseconds, about as long as sending it to a process.
CHUNK = 16


def trace_games(
    match: Match,
    results: Sequence[GameResult],
    directories: tuple[Path, ...],
    options: StudyOptions,
    on_replayed: Callable[[int], object] = lambda done: None,
) -> Iterator[tuple[GameResult, GameTrace]]:
    """Yield the games with their traces, in the order of `results` for any number of workers.

    `on_replayed` is called with the number of games done. Raises MatchError or RecordError.
    """
    parts = [tuple(results[at : at + CHUNK]) for at in range(0, len(results), CHUNK)]
    tasks = [partial(trace_all, match, part, directories) for part in parts]
    done = 0
    try:
        with options.make() as executor:
            in_order = _in_order(executor, tasks, options.ahead)
            for part, traces in zip(parts, in_order, strict=True):
                yield from zip(part, traces, strict=True)
                done += len(part)
                on_replayed(done)
    except BrokenExecutor as error:
        problem = "a worker died while it replayed a game"
        raise MatchError(f"{problem}\nfix: the same command continues") from error


def _in_order(
    executor: Executor, tasks: Iterable[Callable[[], tuple[GameTrace, ...]]], ahead: int
) -> Iterator[tuple[GameTrace, ...]]:
    remaining = iter(tasks)
    waiting = deque(executor.submit(task) for task in islice(remaining, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(executor.submit(task) for task in islice(remaining, 1))
