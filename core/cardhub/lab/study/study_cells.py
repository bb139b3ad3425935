"""The rows of the tables of a study, as cells for the page and for the terminal."""

from cardhub.base.writing import NONE, capitalized, p_value, percent
from cardhub.lab.study.figure_text import (
    FigureKind,
    bots_text,
    leader_at_half,
    measure_text,
    score_kind,
    seats_text,
    value_text,
)
from cardhub.lab.study.study_schema import Population, StudyResult, UseRow


def use_cells(row: UseRow, kind: FigureKind) -> tuple[str, ...]:
    """Return the figures of a use: used, taken if legal, the difference in score, and p."""
    gain = measure_text(row.worth, kind) + (" *" if row.is_certain else "")
    taken = value_text(row.taken.value if row.taken else None, "share")
    return row.name, value_text(row.used.value, "share"), taken, gain, p_value(row.p_value)


def bot_heads(result: StudyResult) -> tuple[str, ...]:
    """Return the heads of the columns of `bot_cells`."""
    common = ("Table",) if result.is_common else ()
    seats = tuple(capitalized(seats_text(row.seats)) for row in result.skilled.seats)
    figures = (
        "Decisions",
        "Choices",
        "Forced",
        "Draws",
        "Leader at half time wins",
        "Lead changes",
        "Deal",
    )
    return ("Bot against itself", "Deals", "Games", *common, *seats, *figures)


def bot_cells(population: Population, result: StudyResult) -> tuple[str, ...]:
    """Return the figures of a bot against copies of itself; * marks a certain advantage."""
    leads, kind = population.leads, score_kind(result)
    half = leader_at_half(leads) if leads else None
    common = (value_text(population.score.value, "amount"),) if population.score else ()
    seats = tuple(
        value_text(row.score.value, kind) + (" *" if row.is_certain else "")
        for row in population.seats
    )
    return (
        bots_text(population.bots),
        str(population.deals),
        str(population.games),
        *common,
        *seats,
        value_text(population.length.mean.value, "amount"),
        value_text(population.choices.mean.value, "amount"),
        percent(population.choices.forced.value),
        percent(population.draws.value) if population.draws else NONE,
        percent(half.value) if half else NONE,
        value_text(leads.changes.mean.value, "amount") if leads else NONE,
        percent(population.luck.deal.value) if population.luck else NONE,
    )
