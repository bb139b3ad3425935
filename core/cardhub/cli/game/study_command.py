"""`cardhub study`: play the matches of a study and print its figures."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click
from msgspec import to_builtins

from cardhub.base.writing import NONE, amount, p_value
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
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
from cardhub.lab.match.match_spec import RUNS
from cardhub.lab.match.run.executors import AHEAD, make_executor
from cardhub.lab.study.comparison import (
    ComparedFigure,
    DealShifts,
    StudyComparison,
    compare,
    read_shifts,
)
from cardhub.lab.study.figure_text import (
    DIFFERENCES,
    bot_cells,
    bot_heads,
    deals_text,
    games_text,
    headlines,
    measure_text,
    options_text,
    ranked_uses,
    score_kind,
    span_text,
    use_cells,
    use_text,
    value_text,
)
from cardhub.lab.study.study_figures import StudyOptions
from cardhub.lab.study.study_page import write_comparison, write_page
from cardhub.lab.study.study_play import PlayedStudy, run_study
from cardhub.lab.study.study_request import (
    LADDER,
    PLAIN,
    SEARCH,
    StudyRequest,
    bot_id,
    default_bots,
    read_study,
)
from cardhub.lab.study.study_schema import StudyResult
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

# A study to play, with its folder; and a finished one, with its shifts if they are known.
Study = tuple[Path, StudyRequest]
Finished = tuple[StudyResult, DealShifts | None]


def play_and_study(
    folder: Path,
    request: StudyRequest,
    registry: PluginRegistry,
    workers: int | None,
    options: StudyOptions,
) -> PlayedStudy:
    """Play a study in its folder, and write and return its figures.

    `workers`: the number of processes, by default one for each processor. Raises CardhubError.
    """
    number = workers or processors()
    make, ahead = make_executor(number), AHEAD * number if number > 1 else 1
    played, replayed = ProgressCounter("{}: {}"), ProgressCounter("games replayed: {} of {}")
    shown = replace(options, make=make, ahead=ahead, on_played=played, on_replayed=replayed)
    try:
        return run_study(folder, request, registry, shown)
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            echo("\nInterrupted before the end of a deal. The same command continues.", err=True)
        raise
    finally:
        replayed.clear()


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
    print_paragraph(f"{deals_text(result)} This command repeats them:")
    echo(f"  {result.command}\n")


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
    names = [use_text(row) for row in shown]
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


# Minutes that a study plays by default.
MINUTES = 2.0


@click.command(
    epilog="Ctrl-C ends a study with the figures so far. The same command continues it: for as "
    "many minutes again, or up to --deals."
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
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="M",
    help="Play as many deals as this time allows, at least one with each bot, and add them to the "
    f"deals in the folder. Default: {MINUTES:.0f}, if no number of deals is given.",
)
@number_option(
    "--deals",
    "Play exactly this number of deals on which bots play copies of themselves. Default: "
    "100, if another number of deals is given.",
    least=0,
)
@number_option(
    "--search-deals",
    "The same number for bots that search, which take longer. Default: 10, as above.",
    least=0,
)
@number_option(
    "--ladder-deals",
    "Number of deals on which bots that search play one another. Default: 20, as above.",
    least=0,
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
    minutes: float | None,
    deals: int | None,
    search_deals: int | None,
    ladder_deals: int | None,
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
    seats = registry.game(game).seats.default if players is None else players
    amounts = {PLAIN: deals, SEARCH: search_deals, LADDER: ladder_deals}
    options = _options(minutes, amounts, is_played=not no_play)
    chosen = bots or default_bots(registry, game)
    request = _request(StudyRequest(game, seats, dict(settings), chosen, seed=seed), amounts)
    studies = _studies(request, variants or ({},), out)
    _check(studies, registry)
    old = _read_old(others, studies)
    played = _play_in_turn(studies, registry, workers, options)
    results = [row.result for row in played]
    pages = [write_page(at, result) for (at, _), result in zip(studies, results, strict=False)]
    _show(results, _comparison(others, old, studies, played), pages[0], out, as_json=as_json)
    if played[-1].is_interrupted:
        echo("Interrupted: these are the figures so far. The same command continues.", err=True)
        raise KeyboardInterrupt


def _request(default: StudyRequest, amounts: Mapping[str, int | None]) -> StudyRequest:
    """Return the default request with the numbers of deals that are given."""
    given = {part: number for part, number in amounts.items() if number is not None}
    return default.with_deals(default.deals_by_part | given)


def _options(
    minutes: float | None, amounts: Mapping[str, int | None], *, is_played: bool
) -> StudyOptions:
    """Return how to play: for a time, unless a number of deals is given; raises UsageError."""
    if all(number is None for number in amounts.values()):
        return StudyOptions(60 * (minutes or MINUTES), is_played)
    if minutes is not None:
        raise click.UsageError("--minutes and numbers of deals are mutually exclusive")
    return StudyOptions(None, is_played)


def _check(studies: Sequence[Study], registry: PluginRegistry) -> None:
    """Raise CardhubError or BadParameter for wrong options, players or bots."""
    request = studies[0][1]
    game = registry.game(request.game)
    for _, variant in studies:
        resolve_options(game, variant.options, request.players)
    for bot in request.bots:
        checked_bot(registry, f"--bot {bot}", bot, request.game)


def _play_in_turn(
    studies: Sequence[Study],
    registry: PluginRegistry,
    workers: int | None,
    options: StudyOptions,
) -> list[PlayedStudy]:
    """Play the studies; after Ctrl-C the others are not played."""
    played: list[PlayedStudy] = []
    for folder, request in studies:
        played.append(play_and_study(folder, request, registry, workers, options))
        if played[-1].is_interrupted:
            break
    return played


def _studies(request: StudyRequest, variants: Sequence[Options], out: Path | None) -> list[Study]:
    """Return the studies of all variants, each in a separate folder."""
    studies = []
    for options in variants:
        variant = replace(request, options={**request.options, **options})
        named = options if out else variant.options
        settings = [f"{name}-{value}" for name, value in named.items()]
        name = "-".join([bot_id(variant.game), f"{variant.players}p", *map(bot_id, settings)])
        folder = (out / name if len(variants) > 1 else out) if out else RUNS / f"study-{name}"
        studies.append((folder, variant))
    return studies


Compared = tuple[StudyComparison, Sequence[StudyResult]]


def _read_old(folders: Sequence[Path], studies: Sequence[Study]) -> list[Finished]:
    """Return the studies to compare with; raises MatchError, or UsageError for a new one."""
    for folder in folders:
        if any(folder.resolve() == new.resolve() for new, _ in studies):
            fix = "fix: choose another folder for the new study with --out"
            raise click.UsageError(f"--with {folder} is the folder of the new study\n{fix}")
    old = []
    for folder in folders:
        result = read_study(folder)
        old.append((result, read_shifts(folder, result)))
    return old


def _comparison(
    others: Sequence[Path],
    old: Sequence[Finished],
    studies: Sequence[Study],
    played: Sequence[PlayedStudy],
) -> Compared | None:
    """Compare the old studies with the new ones, or the new ones; None for one.

    `others` are the folders of the old studies.
    """
    finished = [*old, *((study.result, study.shifts) for study in played)]
    if len(finished) == 1:
        return None
    labels = [f"old: {folder.name}" for folder in others]
    if old:
        # Studies after an interrupted one are not played.
        labels += [f"new: {folder.name}" for folder, _ in studies[: len(played)]]
    results, shifts = zip(*finished, strict=True)
    return compare(results, labels, shifts), results


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
