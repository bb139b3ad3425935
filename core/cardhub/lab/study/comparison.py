"""Comparison of studies: differences of their figures, with tests that hold together."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cardhub.lab.stats import ClusterEstimate, difference, holm_rejects
from cardhub.lab.study.figure_text import FigureKind, score_kind, seats_text
from cardhub.lab.study.headlines import leader_at_half
from cardhub.lab.study.measures.study_game import as_estimate, as_measure
from cardhub.lab.study.study_schema import Measure, StudyResult


class FigureDifference(NamedTuple):
    """A difference to the first study; `is_certain` allows for all differences together."""

    measure: Measure
    p_value: float | None
    is_certain: bool


class ComparedFigure(NamedTuple):
    """A figure of all studies; `differences` are those of the second study and later ones."""

    name: str
    kind: FigureKind
    values: tuple[Measure | None, ...]
    differences: tuple[FigureDifference | None, ...]


class StudyComparison(NamedTuple):
    """Studies side by side: their labels, figures, a sentence on fairness for each but the first.

    `notes` are differences in how they were played.
    """

    labels: tuple[str, ...]
    figures: tuple[ComparedFigure, ...]
    fairness: tuple[str, ...]
    notes: tuple[str, ...]


def compare(studies: Sequence[StudyResult], labels: Sequence[str] = ()) -> StudyComparison:
    """Compare studies with the first one; the default labels are what differs between them.

    Studies have deals of their own, so that they count as independent.
    """
    names = tuple(labels) or label_studies(studies)
    columns = [dict(_figures(study)) for study in studies]
    keys = list(dict.fromkeys(key for column in columns for key in column))
    rows = [(key, [column.get(key) for column in columns]) for key in keys]
    level = studies[0].level
    found = [(key, values, _differences(values)) for key, values in rows]
    p_values = [each.p_value() for *_, row in found for each in row if each is not None]
    rejected = iter(holm_rejects([1.0 if p is None else p for p in p_values], level))
    figures = tuple(
        ComparedFigure(
            *key,
            tuple(values),
            tuple(None if each is None else _tested(each, next(rejected), level) for each in row),
        )
        for key, values, row in found
    )
    fairness = tuple(
        _fairness(studies[0], other, (names[0], name), level)
        for other, name in zip(studies[1:], names[1:], strict=True)
    )
    return StudyComparison(names, figures, fairness, tuple(_notes(studies)))


def label_studies(studies: Sequence[StudyResult]) -> tuple[str, ...]:
    """Return for each study what differs: options, version, players, else its number."""
    facts = [_facts(study) for study in studies]
    keys = dict.fromkeys(key for each in facts for key in each)
    told = [key for key in keys if len({each.get(key) for each in facts}) > 1]
    found = [", ".join(f"{key}={each[key]}" for key in told if key in each) for each in facts]
    is_clear = len({*found}) == len(found) and all(found)
    return tuple(found) if is_clear else tuple(f"study {n + 1}" for n in range(len(studies)))


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
    found, kind = study.skilled, score_kind(study, is_difference=True)
    for row in found.seats:
        yield (f"advantage of {seats_text(row.seats)}", kind), row.advantage
    if found.score:
        yield ("score of a table", "amount"), found.score
    if found.reached:
        yield ("tables at the target", "share"), found.reached
    if found.draws:
        yield ("draws", "share"), found.draws
    yield ("decisions a game", "amount"), found.length.mean
    yield ("choices a decision", "amount"), found.choices.mean
    yield ("forced decisions", "share"), found.choices.forced
    yield ("free decisions a seat", "amount"), found.choices.free
    if found.leads:
        yield ("leader at half time wins", "share"), leader_at_half(found.leads)
        yield ("lead changes a game", "amount"), found.leads.changes.mean
        if found.leads.settled:
            yield ("settled after", "share"), found.leads.settled.mean
    if found.luck:
        yield ("deal's share of results", "share"), found.luck.deal
    if study.skill and study.skill.elo_per_doubling and study.scoring != "points":
        yield ("Elo a doubling", "elo"), study.skill.elo_per_doubling
    elif study.skill and study.skill.score_per_doubling:
        yield ("score a doubling", kind), study.skill.score_per_doubling


def _differences(values: Sequence[Measure | None]) -> list[ClusterEstimate | None]:
    first = values[0]
    return [
        None if first is None or each is None else difference(as_estimate(each), as_estimate(first))
        for each in values[1:]
    ]


def _tested(found: ClusterEstimate, is_certain: bool, level: float) -> FigureDifference:
    return FigureDifference(as_measure(found, 0, level), found.p_value(), is_certain)


def _fairness(one: StudyResult, other: StudyResult, names: tuple[str, str], level: float) -> str:
    """Return which of two studies has the smaller advantage of a seat, if that is certain."""
    mine, theirs = one.skilled.seats, other.skilled.seats
    if not (len(mine) == len(theirs) == 2 and one.scoring == other.scoring):
        return ""
    before, after = (as_estimate(rows[0].advantage) for rows in (mine, theirs))
    # |after| < |before| if and only if before - after and before + after have one sign. Each is
    # tested two-sided; a conclusion from both has at most the error of one (Berger 1982).
    tests = difference(before, after), difference(before, after, sign=1)
    p_values = [test.p_value() for test in tests]
    is_certain = all(p is not None and p <= 1 - level for p in p_values)
    if not is_certain:
        return f"It is open which is fairer, {names[0]} or {names[1]}."
    is_fairer = tests[0].value * tests[1].value > 0
    fair, unfair = reversed(names) if is_fairer else names
    return f"{fair} is fairer than {unfair}: its advantage of a seat is smaller."


TOLD: tuple[tuple[str, Callable[[StudyResult], object]], ...] = (
    ("games", lambda study: study.game),
    ("bots", lambda study: study.skilled.bots),
    ("numbers of players", lambda study: study.players),
    ("scorings", lambda study: study.scoring),
)


def _notes(studies: Sequence[StudyResult]) -> Iterator[str]:
    for name, fact in TOLD:
        if len({fact(study) for study in studies}) > 1:
            yield f"The studies have other {name}: differences may be due to them."
    if any(not study.is_whole for study in studies):
        yield "Not all games of these studies are played yet."
