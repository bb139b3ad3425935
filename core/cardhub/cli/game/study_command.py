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
from cardhub.cli.output import ProgressCounter, print_json, print_paragraph, print_table
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    SETTINGS,
    ParsedType,
    folder_option,
    number_option,
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
    games_text,
    headlines,
    measure_text,
    options_text,
    score_kind,
    span_text,
    value_text,
)
from cardhub.lab.study.page.study_page import write_comparison, write_page
from cardhub.lab.study.study_cells import bot_cells, bot_heads, ranked_uses, use_cells
from cardhub.lab.study.study_figures import StudyOptions, study_of
from cardhub.lab.study.study_request import (
    StudyRequest,
    bot_id,
    default_bots,
    prepare,
    read_study,
    write_study,
)
from cardhub.lab.study.study_schema import StudyResult
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
    planned: PlannedStudy, registry: PluginRegistry, workers: int | None, *, is_played: bool
) -> StudyResult:
    """Play a study, or only read its logs if `is_played` is false; write and return its figures.

    `workers`: the number of processes, by default one for each processor. Raises CardhubError.
    """
    number = workers or processors()
    parts = prepare(planned.folder, planned.request, registry)
    make, ahead = make_executor(number), AHEAD * number if number > 1 else 1
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
    """Print the main figures, the bots, and the uses with the most certain differences in score."""
    options = options_text(result)
    table = f"{amount(result.players, 'player')}{', ' + options if options else ''}"
    echo(f"{result.title}, version {result.version}, {table}")
    echo(f"{games_text(result)}; intervals at {result.level:.0%} over deals\n")
    figures = headlines(result)
    rows = [(row.label, row.value, row.span) for row in figures]
    print_table(("Figure", ">Value", ">Interval"), rows)
    for row in figures:
        print_paragraph(row.sentence, "- ")
    echo()
    first, *heads = bot_heads(result)
    bots = [bot_cells(row, result) for row in result.by_bot]
    print_table((first, *(f">{head}" for head in heads)), bots)
    _print_skill(result)
    _print_uses(result)
    for note in result.notes:
        print_paragraph(f"Note: {note}")
    echo()


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
    elo = () if is_common else (">Elo", ">Interval")
    echo()
    print_table(("Bot among others", ">Games", *elo, ">Score"), rows)


def _print_uses(result: StudyResult) -> None:
    shown = ranked_uses(result.uses)
    if not shown:
        return
    kind = score_kind(result, is_difference=True)
    echo()
    print_paragraph(
        f"Uses by the certainty of their difference in score, the most certain first; {CERTAIN} "
        f"marks differences that are certain among all {amount(len(result.uses), 'row')}:"
    )
    rows = [use_cells(row, kind) for row in shown[:MOST_USES]]
    names = [f"dealt {row.name}" if row.kind == "dealt" else row.name for row in shown]
    heads = ("Use", ">Used by", ">Taken if legal", ">Score with use", ">p")
    print_table(heads, [(name, *cells) for name, (_, *cells) in zip(names, rows, strict=False)])
    print_paragraph(
        "For actions and cards the difference is a correlation, for dealt cards an effect."
    )


def print_comparison(comparison: StudyComparison) -> None:
    """Print the figures of several studies side by side, with their differences."""
    print_paragraph(
        f"Compared with {comparison.labels[0]}; {CERTAIN} marks differences that are certain, "
        "in a test for all of them:"
    )
    _print_compared("Figure", comparison.figures, comparison.labels)
    if comparison.uses:
        print_paragraph(
            "Differences in the score with a use, the most certain first; "
            f"{CERTAIN} marks certain ones among all {amount(len(comparison.uses), 'row')}:"
        )
        _print_compared("Use", comparison.uses[:MOST_USES], comparison.labels)
    for sentence in (*filter(None, comparison.fairness), *comparison.notes):
        print_paragraph(sentence)


def _print_compared(head: str, rows: Sequence[ComparedFigure], labels: Sequence[str]) -> None:
    heads = [head, f">{labels[0]}"]
    for label in labels[1:]:
        heads += [f">{label}", ">Difference", ">p"]
    print_table(heads, [list(_figure_cells(row)) for row in rows])


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
@number_option("--deals", "Number of deals on which bots play copies of themselves.", default=100)
@number_option(
    "--search-deals",
    "The same number for bots that search, which take longer.",
    least=0,
    default=10,
)
@number_option(
    "--ladder-deals",
    "Number of deals on which bots that search play one another.",
    least=0,
    default=20,
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
    amounts = deals, search_deals, ladder_deals
    chosen = bots or default_bots(registry, game)
    request = StudyRequest(game, seats, dict(settings), chosen, *amounts, seed)
    studies = _studies(request, variants or ({},), out)
    for planned in studies:
        resolve_options(rules, planned.request.options, seats)
    for bot in chosen:
        checked_bot(registry, f"--bot {bot}", bot, game)
    results, pages = [], []
    for planned in studies:
        results.append(play_and_study(planned, registry, workers, is_played=not no_play))
        pages.append(write_page(planned.folder, results[-1]))
    compared = _comparison(studies, results, others)
    _show(results, compared, pages[0], out, as_json=as_json)


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


Compared = tuple[StudyComparison, Sequence[StudyResult]]


def _comparison(
    studies: Sequence[PlannedStudy], results: Sequence[StudyResult], others: Sequence[Path]
) -> Compared | None:
    """Compare the old studies in other folders with the new ones, or the new ones; None for one."""
    if not others:
        return (compare(results), results) if len(results) > 1 else None
    everything = [*map(read_study, others), *results]
    labels = [f"old: {folder.name}" for folder in others]
    labels += [f"new: {planned.folder.name}" for planned in studies]
    return compare(everything, labels), everything


def _show(
    results: Sequence[StudyResult],
    compared: Compared | None,
    page: Path,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    if compared is not None:
        comparison, everything = compared
        name = f"compared-{bot_id(results[0].game)}.html"
        page = write_comparison((out or page.parent.parent) / name, comparison, everything)
    if as_json:
        if compared is None:
            print_json(to_builtins(results[0]))
        else:
            facts = [to_builtins(result) for result in compared[1]]
            print_json({"studies": facts, "comparison": to_builtins(compared[0])})
        return
    for result in results:
        print_study(result)
    if compared is not None:
        print_comparison(compared[0])
    echo(f"Page: {page}")
