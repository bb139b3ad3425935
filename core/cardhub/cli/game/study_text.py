"""A study printed as tables and sentences."""

from collections.abc import Iterator, Sequence

from cardhub.cli.console import echo
from cardhub.cli.output import print_table
from cardhub.lab.report.number_format import NONE, times
from cardhub.lab.study.comparison import ComparedFigure, StudyComparison
from cardhub.lab.study.figure_text import (
    DIFFERENCES,
    FigureKind,
    bots_text,
    games_text,
    measure_text,
    minus_free,
    options_text,
    p_text,
    score_kind,
    seats_text,
    span_text,
    value_text,
)
from cardhub.lab.study.headlines import headlines, leader_at_half
from cardhub.lab.study.study_schema import Population, StudyResult, UseRow

# Rows of the tables of uses.
MOST_USES = 10
CERTAIN = "*"


def print_study(result: StudyResult) -> None:
    """Print the main figures, the bots, and the actions and cards that are worth most."""
    options = options_text(result)
    table = f"{times(result.players, 'player')}{', ' + options if options else ''}"
    echo(f"{result.title}, version {result.version}, {table}")
    echo(f"{games_text(result)}; intervals at {result.level:.0%} over deals\n")
    rows = [(each.question, each.value, each.span, each.sentence) for each in headlines(result)]
    _print(("question", "answer", "interval", ""), rows)
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
    return heads, [list(_bot_cells(each, result)) for each in result.by_bot]


def _bot_cells(each: Population, result: StudyResult) -> Iterator[str]:
    yield bots_text(each.bots)
    yield str(each.deals)
    for row in each.seats:
        mark = CERTAIN if row.is_certain else ""
        yield value_text(row.score.value, score_kind(result)) + mark
    yield value_text(each.length.mean.value, "amount")
    yield value_text(each.choices.mean.value, "amount")
    yield value_text(each.draws.value if each.draws else None, "share")
    half = leader_at_half(each.leads) if each.leads else None
    yield value_text(half.value if half else None, "share")
    yield value_text(each.luck.deal.value if each.luck else None, "share")


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
        f"\nUses with the greatest difference in score; {CERTAIN} for all {len(result.uses)} rows:"
    )
    rows = [_use_cells(row, kind) for row in shown[:MOST_USES]]
    _print(("", "used by", "taken if legal", "score with use", "interval"), rows)
    echo("For actions and cards it is a correlation, for dealt cards an effect.")


def _use_cells(row: UseRow, kind: FigureKind) -> Sequence[str]:
    name = f"dealt {row.name}" if row.kind == "dealt" else row.name
    worth = row.worth
    return (
        name,
        value_text(row.used.value, "share"),
        value_text(row.taken.value, "share") if row.taken else NONE,
        value_text(worth.value if worth else None, kind) + (CERTAIN if row.is_certain else ""),
        span_text(worth, kind),
    )


def print_comparison(found: StudyComparison) -> None:
    """Print the figures of several studies side by side, with their differences."""
    echo(f"Compared with {found.labels[0]}; {CERTAIN} holds for all differences together:")
    heads = ["", found.labels[0]]
    for label in found.labels[1:]:
        heads += [label, "difference", "p"]
    _print(heads, [list(_figure_cells(row)) for row in found.figures])
    for sentence in (*filter(None, found.fairness), *found.notes):
        echo(sentence)


def _figure_cells(row: ComparedFigure) -> Iterator[str]:
    yield row.name
    yield value_text(row.values[0].value if row.values[0] else None, row.kind)
    for value, each in zip(row.values[1:], row.differences, strict=True):
        yield value_text(value.value if value else None, row.kind)
        if each is None:
            yield from (NONE, NONE)
            continue
        mark = CERTAIN if each.is_certain else ""
        yield measure_text(each.measure, DIFFERENCES.get(row.kind, row.kind)) + mark
        yield p_text(each.p_value)


def _print(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print_table(heads, [[minus_free(cell) for cell in row] for row in rows])
