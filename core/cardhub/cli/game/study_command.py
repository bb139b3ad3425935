"""`cardhub study`: play the matches of a study and print its figures."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import click
from msgspec import to_builtins

from cardhub.base.errors import MatchError
from cardhub.base.writing import NONE, amount, p_value
from cardhub.cli.console import echo
from cardhub.cli.match.run_match import processors
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    SETTINGS,
    ParsedType,
    folder_option,
    players_option,
    seed_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import checked_bot
from cardhub.lab.match.blocks import count_games
from cardhub.lab.match.match_spec import RUNS, Match
from cardhub.lab.match.run.executors import AHEAD, make_executor
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.study.comparison import ComparedFigure, StudyComparison, compare
from cardhub.lab.study.figure_text import (
    DIFFERENCES,
    FigureKind,
    bots_text,
    games_text,
    headlines,
    leader_at_half,
    measure_text,
    minus_free,
    options_text,
    score_kind,
    seats_text,
    span_text,
    value_text,
)
from cardhub.lab.study.page.study_page import write_comparison, write_page
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_request import (
    StudyRequest,
    bot_id,
    default_bots,
    prepare,
    read_study,
    write_study,
)
from cardhub.lab.study.study_schema import Population, StudyResult, UseRow
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry


@dataclass(frozen=True, slots=True)
class PlannedStudy:
    """A study to play, and its folder."""

    folder: Path
    request: StudyRequest


class _Progress(Watcher):
    """Counts the games of a match on a terminal."""

    def __init__(self, name: str, match: Match) -> None:
        self._counter = ProgressCounter("{}: {} of {} games")
        self._name, self._done, self._total = name, 0, count_games(match)

    def begin(self, state: MatchState) -> None:
        self._done = 0

    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._done += 1
        if timing is not None:
            self._counter(self._name, self._done, self._total)

    def clear(self) -> None:
        """Erase the line."""
        self._counter.clear()


def play_and_study(
    planned: PlannedStudy, registry: PluginRegistry, workers: int, *, is_played: bool
) -> StudyResult:
    """Play a study, or only read its logs if `is_played` is false; write and return its figures.

    Raises CardhubError.
    """
    parts = prepare(planned.folder, planned.request, registry)
    make, ahead = make_executor(workers), AHEAD * workers if workers > 1 else 1
    for folder, match in parts if is_played else ():
        watcher = _Progress(str(folder), match)
        try:
            run(match, registry, folder, RunOptions(make, ahead, watcher))
        except MatchError as error:
            fix = "fix: --no-play studies the games so far"
            raise MatchError(f"{error}\n{fix}") from error
        except KeyboardInterrupt:
            with suppress(OSError):  # the terminal may be closed
                text = f"\nInterrupted: {planned.folder} has the games so far. "
                echo(f"{text}The same command continues; --no-play studies them.", err=True)
            raise
        finally:
            watcher.clear()
    progress = ProgressCounter("games replayed: {} of {}")
    try:
        result = study_of(planned.request, parts, registry, StudyOptions(make, ahead, progress))
    finally:
        progress.clear()
    write_study(planned.folder, result)
    return result


# Rows of the tables of uses.
MOST_USES = 10
CERTAIN = "*"


def print_study(result: StudyResult) -> None:
    """Print the main figures, the bots, and the uses with the greatest differences in score."""
    options = options_text(result)
    table = f"{amount(result.players, 'player')}{', ' + options if options else ''}"
    echo(f"{result.title}, version {result.version}, {table}")
    echo(f"{games_text(result)}; intervals at {result.level:.0%} over deals\n")
    rows = [(row.label, row.value, row.span, row.sentence) for row in headlines(result)]
    _print(("figure", "value", "interval", ""), rows)
    echo()
    _print(*_bot_table(result))
    _print_skill(result)
    _print_uses(result)
    for note in result.notes:
        echo(f"Note: {note}")
    echo()


def _bot_table(result: StudyResult) -> tuple[Sequence[str], list[Sequence[str]]]:
    seats = [seats_text(row.seats) for row in result.by_bot[0].seats]
    heads = ["bot against itself", "deals", *seats, "decisions", "choices", "draws", "half", "deal"]
    return heads, [list(_bot_cells(row, result)) for row in result.by_bot]


def _bot_cells(population: Population, result: StudyResult) -> Iterator[str]:
    yield bots_text(population.bots)
    yield str(population.deals)
    for row in population.seats:
        mark = CERTAIN if row.is_certain else ""
        yield value_text(row.score.value, score_kind(result)) + mark
    yield value_text(population.length.mean.value, "amount")
    yield value_text(population.choices.mean.value, "amount")
    yield value_text(population.draws.value if population.draws else None, "share")
    half = leader_at_half(population.leads) if population.leads else None
    yield value_text(half.value if half else None, "share")
    yield value_text(population.luck.deal.value if population.luck else None, "share")


def _print_skill(result: StudyResult) -> None:
    if result.skill is None:
        return
    is_common = result.is_common
    kind = "amount" if is_common else score_kind(result)
    rows = [
        (
            row.bot,
            str(row.games),
            *(() if is_common else (value_text(row.elo.value if row.elo else None, "elo"),)),
            *(() if is_common else (span_text(row.elo, "elo"),)),
            measure_text(row.score, kind),
        )
        for row in result.skill.bots
    ]
    elo = () if is_common else ("Elo", "interval")
    echo()
    _print(("bot among others", "games", *elo, "score"), rows)


def _print_uses(result: StudyResult) -> None:
    shown = [row for row in result.uses if row.worth is not None]
    shown.sort(key=lambda row: (not row.is_certain, -abs(row.worth.value if row.worth else 0.0)))
    if not shown:
        return
    kind = score_kind(result, is_difference=True)
    echo(
        f"\nUses with the greatest difference in score; {CERTAIN} marks differences that are "
        f"certain among all {amount(len(result.uses), 'row')}:"
    )
    rows = [_use_cells(row, kind) for row in shown[:MOST_USES]]
    _print(("", "used by", "taken if legal", "score with use", "interval"), rows)
    echo("For actions and cards the difference is a correlation, for dealt cards an effect.")


def _use_cells(row: UseRow, kind: FigureKind) -> Sequence[str]:
    name = f"dealt {row.name}" if row.kind == "dealt" else row.name
    gain = row.worth
    return (
        name,
        value_text(row.used.value, "share"),
        value_text(row.taken.value, "share") if row.taken else NONE,
        value_text(gain.value if gain else None, kind) + (CERTAIN if row.is_certain else ""),
        span_text(gain, kind),
    )


def print_comparison(comparison: StudyComparison) -> None:
    """Print the figures of several studies side by side, with their differences."""
    echo(
        f"Compared with {comparison.labels[0]}; {CERTAIN} marks differences that are certain, "
        "in a test for all of them:"
    )
    heads = ["", comparison.labels[0]]
    for label in comparison.labels[1:]:
        heads += [label, "difference", "p"]
    _print(heads, [list(_figure_cells(row)) for row in comparison.figures])
    for sentence in (*filter(None, comparison.fairness), *comparison.notes):
        echo(sentence)


def _figure_cells(row: ComparedFigure) -> Iterator[str]:
    yield row.name
    yield value_text(row.values[0].value if row.values[0] else None, row.kind)
    for value, change in zip(row.values[1:], row.differences, strict=True):
        yield value_text(value.value if value else None, row.kind)
        if change is None:
            yield from (NONE, NONE)
            continue
        mark = CERTAIN if change.is_certain else ""
        yield measure_text(change.measure, DIFFERENCES.get(row.kind, row.kind)) + mark
        yield p_value(change.p_value)


def _print(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print_table(heads, [[minus_free(cell) for cell in row] for row in rows])


Options = dict[str, Value]


def _parse_variants(text: str) -> tuple[Options, ...]:
    """Return the options of each variant: `coins=24,coins=32+first=navy`."""
    return tuple(_variant(part.strip()) for part in text.split(","))


def _variant(text: str) -> Options:
    options: Options = {}
    for setting in [] if text == "default" else text.split("+"):
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise ValueError(f"{text!r} is not OPTION=VALUE, nor `default`")
        options[name] = value
    return options


@click.command(
    epilog="The same command continues an interrupted study; a greater --deals adds games."
)
@click.argument("game", type=GAME)
@players_option()
@SETTINGS
@click.option(
    "--compare",
    "variants",
    type=ParsedType("variants", _parse_variants),
    default=(),
    metavar="SET,SET",
    help="Study several sets of options, and compare them: coins=24,coins=32. One set is "
    "OPTION=VALUE+OPTION=VALUE, or default.",
)
@click.option(
    "--with",
    "others",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Compare with the study in this folder, for example of another version.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    help="A bot that plays, from the weakest to the strongest. Default: random, rule if the game "
    "has it, ismcts:25, ismcts:50 and ismcts:100; no search in games without determinizations.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of deals on which bots play copies of themselves.",
)
@click.option(
    "--search-deals",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="The same number for bots that search, which take longer.",
)
@click.option(
    "--ladder-deals",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of deals on which bots that search play one another.",
)
@seed_option("Random seed.", default=1, metavar="N")
@folder_option("Folder for the study. Default: runs/study-GAME, with the options.")
@workers_option("Number of processes; figures do not depend on it. Default: one per processor.")
@click.option("--no-play", is_flag=True, help="Play no games: study the games in the folder.")
@AS_JSON
@click.pass_context
def study(
    ctx: click.Context,
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[Options, ...],
    others: tuple[Path, ...],
    bots: tuple[str, ...],
    deals: int,
    search_deals: int,
    ladder_deals: int,
    seed: int,
    out: Path | None,
    workers: int | None,
    no_play: bool,
    as_json: bool,
) -> None:
    """Study a game for its designers, from matches between bots.

    The figures are the fairness of seats, length, choices, how early a game is decided, skill and
    luck, and the value of cards and actions. Bots of several strengths play themselves and one
    another.
    """
    registry = registry_of(ctx)
    rules = registry.game(game)
    seats = rules.seats.default if players is None else players
    chosen = bots or default_bots(registry, game)
    amounts = deals, search_deals, ladder_deals
    request = StudyRequest(game, seats, dict(settings), chosen, *amounts, seed)
    studies = _studies(request, variants or ({},), out)
    for planned in studies:
        resolve_options(rules, planned.request.options, seats)
    for bot in request.bots:
        checked_bot(registry, f"--bot {bot}", bot, game)
    number = workers or processors()
    results, pages = [], []
    for planned in studies:
        results.append(play_and_study(planned, registry, number, is_played=not no_play))
        pages.append(write_page(planned.folder, results[-1]))
    _show(studies, [*results, *map(read_study, others)], pages[0], out, as_json=as_json)


def _studies(
    request: StudyRequest, variants: Sequence[Options], out: Path | None
) -> list[PlannedStudy]:
    """Return the studies of all variants, each in a separate folder."""
    studies = []
    for options in variants:
        variant = replace(request, options={**request.options, **options})
        name = _name(variant, options if out else variant.options)
        folder = (out / name if len(variants) > 1 else out) if out else RUNS / f"study-{name}"
        studies.append(PlannedStudy(folder, variant))
    return studies


def _name(request: StudyRequest, options: Mapping[str, Value]) -> str:
    settings = [f"{name}-{value}" for name, value in options.items()]
    return "-".join([bot_id(request.game), f"{request.players}p", *map(bot_id, settings)])


def _show(
    studies: Sequence[PlannedStudy],
    results: Sequence[StudyResult],
    page: Path,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    comparison = compare(results) if len(results) > 1 else None
    if comparison is not None:
        parent = out or studies[0].folder.parent
        name = f"compared-{bot_id(results[0].game)}.html"
        page = write_comparison(parent / name, comparison, results)
    if as_json:
        facts = [to_builtins(result) for result in results]
        compared = {"studies": facts, "comparison": to_builtins(comparison)}
        print_json(facts[0] if comparison is None else compared)
        return
    for result in results[: len(studies)]:
        print_study(result)
    if comparison is not None:
        print_comparison(comparison)
    echo(f"Page: {page}")
