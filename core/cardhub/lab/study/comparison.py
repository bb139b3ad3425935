"""Comparison of studies: differences between their figures, in tests that hold together."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cardhub.lab.estimate import Measure
from cardhub.lab.stats import difference, holm_rejects, p_of_measure
from cardhub.lab.study.figure_text import FigureKind, leader_at_half, score_kind, seats_text
from cardhub.lab.study.study_schema import StudyResult


class FigureDifference(NamedTuple):
    """A difference to the first study; `is_certain`: it is not 0, in a test for all differences."""

    measure: Measure
    p_value: float | None
    is_certain: bool


class ComparedFigure(NamedTuple):
    """A figure of all studies; `differences` has an item for each study but the first."""

    name: str
    kind: FigureKind
    values: tuple[Measure | None, ...]
    differences: tuple[FigureDifference | None, ...]


class StudyComparison(NamedTuple):
    """Studies side by side: their labels and figures.

    `uses` compares the worth of actions and cards, the most certain difference first; their tests
    hold together, apart from the tests of `figures`. `fairness` has a sentence for each study but
    the first, empty if it does not apply. `notes` are differences in how the studies were played.
    """

    labels: tuple[str, ...]
    figures: tuple[ComparedFigure, ...]
    fairness: tuple[str, ...]
    notes: tuple[str, ...]
    uses: tuple[ComparedFigure, ...] = ()


def compare(studies: Sequence[StudyResult], labels: Sequence[str] = ()) -> StudyComparison:
    """Compare studies with the first one.

    Labels default to the differing settings. The samples are treated as independent; a note says
    if studies have the same deals.
    """
    names = tuple(labels) or label_studies(studies)
    level = studies[0].level
    figures = _compared([dict(_figures(study)) for study in studies], level)
    uses = _compared([dict(_use_figures(study)) for study in studies], level)
    fairness = tuple(
        _fairness(studies[0], other, (names[0], name), level)
        for other, name in zip(studies[1:], names[1:], strict=True)
    )
    by_certainty = tuple(sorted(uses, key=_least_p_value))
    return StudyComparison(names, figures, fairness, tuple(_notes(studies)), by_certainty)


Column = dict[tuple[str, FigureKind], Measure | None]


def _compared(columns: Sequence[Column], level: float) -> tuple[ComparedFigure, ...]:
    """Return the figures of all columns with differences, whose tests hold together."""
    keys = list(dict.fromkeys(key for column in columns for key in column))
    rows = [(key, [column.get(key) for column in columns]) for key in keys]
    compared = [(key, values, _differences(values, level)) for key, values in rows]
    p_values = [p_of_measure(item) for *_, row in compared for item in row if item is not None]
    rejected = iter(holm_rejects([1.0 if p is None else p for p in p_values], level))
    return tuple(
        ComparedFigure(
            *key,
            tuple(values),
            tuple(
                None if item is None else FigureDifference(item, p_of_measure(item), next(rejected))
                for item in row
            ),
        )
        for key, values, row in compared
    )


def _least_p_value(row: ComparedFigure) -> float:
    p_values = [item.p_value for item in row.differences if item is not None]
    return min((p for p in p_values if p is not None), default=2.0)


def label_studies(studies: Sequence[StudyResult]) -> tuple[str, ...]:
    """Return a label for each study: the settings that differ, or its number if none does."""
    facts = [_facts(study) for study in studies]
    keys = dict.fromkeys(key for row in facts for key in row)
    differing = [key for key in keys if len({row.get(key) for row in facts}) > 1]
    labels = [", ".join(f"{key}={row[key]}" for key in differing if key in row) for row in facts]
    is_clear = len({*labels}) == len(labels) and all(labels)
    return tuple(labels) if is_clear else tuple(f"study {n + 1}" for n in range(len(studies)))


def _facts(study: StudyResult) -> dict[str, str]:
    options = {name: str(value).lower() for name, value in study.options.items()}
    return {
        "game": study.game,
        "version": study.version,
        "players": str(study.players),
        **options,
    }


Figures = Iterator[tuple[tuple[str, FigureKind], Measure | None]]


def _figures(study: StudyResult) -> Figures:
    games, kind = study.skilled, score_kind(study, is_difference=True)
    for row in games.seats:
        yield (f"advantage of {seats_text(row.seats)}", kind), row.advantage
    if games.score:
        yield ("score of a table", "amount"), games.score
    if games.reached:
        yield ("tables at the target", "share"), games.reached
    if games.draws:
        yield ("draws", "share"), games.draws
    yield ("decisions a game", "amount"), games.length.mean
    yield ("choices a decision", "amount"), games.choices.mean
    yield ("forced decisions", "share"), games.choices.forced
    yield ("free decisions a seat", "amount"), games.choices.free
    if games.leads:
        yield ("leader at half time wins", "share"), leader_at_half(games.leads)
        yield ("lead changes a game", "amount"), games.leads.changes.mean
        if games.leads.settled:
            yield ("settled after", "share"), games.leads.settled.mean
    if games.luck:
        yield ("deal's share of results", "share"), games.luck.deal
    if study.skill and study.skill.elo_per_doubling and study.scoring != "points":
        yield ("Elo a doubling", "elo"), study.skill.elo_per_doubling
    elif study.skill and study.skill.score_per_doubling:
        yield ("score a doubling", kind), study.skill.score_per_doubling


def _use_figures(study: StudyResult) -> Figures:
    kind = score_kind(study, is_difference=True)
    for row in study.uses:
        yield (f"dealt {row.name}" if row.kind == "dealt" else row.name, kind), row.worth


def _differences(values: Sequence[Measure | None], level: float) -> list[Measure | None]:
    first = values[0]
    return [
        None if first is None or value is None else difference(value, first, level=level)
        for value in values[1:]
    ]


def _fairness(first: StudyResult, other: StudyResult, names: tuple[str, str], level: float) -> str:
    """Return a sentence on which of two studies is fairer, empty without two comparable seats."""
    first_seats, other_seats = first.skilled.seats, other.skilled.seats
    if not (len(first_seats) == len(other_seats) == 2 and first.scoring == other.scoring):
        return ""
    before, after = (rows[0].advantage for rows in (first_seats, other_seats))
    # |after| < |before| if and only if before - after and before + after have equal signs. Each is
    # tested two-sided; a conclusion from both tests has at most the error of one (Berger 1982).
    tests = difference(before, after), difference(before, after, sign=1)
    p_values = [p_of_measure(test) for test in tests]
    is_certain = all(p is not None and p <= 1 - level for p in p_values)
    if not is_certain:
        return f"It is not certain whether {names[0]} or {names[1]} is fairer."
    is_fairer = tests[0].value * tests[1].value > 0
    fair, unfair = reversed(names) if is_fairer else names
    return f"{fair} is fairer than {unfair}: the advantage of a seat is smaller."


COMPARED_FACTS: tuple[tuple[str, Callable[[StudyResult], object]], ...] = (
    ("games", lambda study: study.game),
    ("bots", lambda study: study.skilled.bots),
    ("numbers of players", lambda study: study.players),
    ("scorings", lambda study: study.scoring),
)


def _notes(studies: Sequence[StudyResult]) -> Iterator[str]:
    for name, fact in COMPARED_FACTS:
        if len({fact(study) for study in studies}) > 1:
            yield f"The studies differ in {name}: other differences may be due to that."
    tables = {(study.game, study.players, repr(study.options), study.seed) for study in studies}
    if len(tables) < len(studies):
        yield (
            "Studies with the same seed, game and options have the same deals. Their tests count "
            "these deals as different ones; another --seed makes them so."
        )
    if any(not study.is_whole for study in studies):
        yield "Some games of these studies are not played yet."
