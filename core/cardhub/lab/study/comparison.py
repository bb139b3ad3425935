"""Comparison of studies: differences between their figures, in tests that hold together.

The shifts of a study's figures by deal are kept beside it, to compare equal deals as pairs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cardhub.base.errors import MatchError
from cardhub.base.files import LimitError, read_within
from cardhub.base.writing import amount, listed
from cardhub.lab.estimate import Measure
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.stats import difference, holm_rejects, p_of_measure, paired_difference
from cardhub.lab.study.figure_text import (
    FigureKind,
    NamedMeasure,
    compared_figures,
    compared_uses,
)
from cardhub.lab.study.measures.study_game import DealMeasure
from cardhub.lab.study.study_schema import StudyResult

# Name and version of the file in the folder of a study.
DEALS, FORMAT = "deals.json", 1
MOST_BYTES = 200_000_000
# Significant digits of a shift: more would double the file, and change no interval that is shown.
DIGITS = 6


class DealShifts(Struct, frozen=True):
    """How much each deal moves the compared figures of a study, by name and number of the deal.

    `deals` are the numbers of the deals of bots that play copies of themselves, without `random` if
    there are others. `sources` are those of the study: files of different states of a folder do not
    fit together.
    """

    cardhub_study_deals: int
    sources: tuple[str, ...]
    deals: tuple[int, ...]
    figures: dict[str, tuple[float, ...]]
    uses: dict[str, tuple[float, ...]]


def split_shifts(result: StudyResult, deals: Iterable[int]) -> tuple[StudyResult, DealShifts]:
    """Separate the shifts of a result's measures from the result; `deals` are their numbers."""
    shifts = DealShifts(
        FORMAT,
        result.sources,
        tuple(sorted(set(deals))),
        _shifts(compared_figures(result)),
        _shifts(compared_uses(result)),
    )
    return _plain(result), shifts


def _shifts(figures: Iterable[NamedMeasure]) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(float(f"{shift:.{DIGITS}g}") for shift in measure.shifts)
        for (name, _), measure in figures
        if isinstance(measure, DealMeasure)
    }


def _plain(value: Any) -> Any:
    """Return a tree of structs with measures instead of measures with shifts."""
    if isinstance(value, DealMeasure):
        return value.plain()
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return replace(value, **{name: _plain(field) for name, field in fields.items()})
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def write_shifts(folder: Path, shifts: DealShifts) -> None:
    """Write `deals.json`; raises MatchError."""
    replace_file(folder / DEALS, msgspec.json.encode(shifts).decode() + "\n")


def read_shifts(folder: Path, result: StudyResult) -> DealShifts | None:
    """Return the shifts of the result in a folder; None if there are none. Raises MatchError."""
    path = folder / DEALS
    try:
        shifts = msgspec.json.decode(read_within(path, MOST_BYTES), type=DealShifts)
    except FileNotFoundError:
        return None
    except (OSError, LimitError, msgspec.MsgspecError) as error:
        fix = "fix: remove the file; the study is then compared without pairs of equal deals"
        raise MatchError(f"{path}: these are not the deals of a study: {error}\n{fix}") from error
    fits = shifts.cardhub_study_deals == FORMAT and shifts.sources == result.sources
    return shifts if fits else None


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


def compare(
    studies: Sequence[StudyResult],
    labels: Sequence[str] = (),
    shifts: Sequence[DealShifts | None] = (),
) -> StudyComparison:
    """Compare studies with the first one.

    Labels default to the differing settings. Equal deals are compared as pairs if the studies have
    `shifts`, else the samples are treated as independent; notes say which applies.
    """
    names = tuple(labels) or label_studies(studies)
    level = studies[0].level
    by_deal = _pairable(studies, shifts)
    rows = list(zip(studies, by_deal, strict=True))
    columns = [_column(compared_figures(s), d.figures if d else {}) for s, d in rows]
    uses = _compared([_column(compared_uses(s), d.uses if d else {}) for s, d in rows], level)
    fairness = tuple(
        _fairness(studies, columns, number, names) for number in range(1, len(studies))
    )
    return StudyComparison(
        names,
        _compared(columns, level),
        fairness,
        (*_notes(studies), *_deal_notes(studies, names, by_deal)),
        tuple(sorted(uses, key=_least_p_value)),
    )


def _pairable(
    studies: Sequence[StudyResult], shifts: Sequence[DealShifts | None]
) -> list[DealShifts | None]:
    """Return the shifts of each study whose deals are those of the first one, else None."""
    known = list(shifts) or [None] * len(studies)
    return [
        None if known[0] is None or _other_deals(studies[0], study) else by_deal
        for study, by_deal in zip(studies, known, strict=True)
    ]


Column = dict[tuple[str, FigureKind], Measure | None]


def _column(figures: Iterable[NamedMeasure], shifts: Mapping[str, Sequence[float]]) -> Column:
    """Return the figures of a study, those with shifts as measures with shifts."""
    column: Column = {}
    for (name, kind), measure in figures:
        by_deal = shifts.get(name)
        if measure is not None and by_deal is not None:
            column[name, kind] = DealMeasure.of(measure, by_deal)
        else:
            column[name, kind] = measure
    return column


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
            tuple(item.plain() if isinstance(item, DealMeasure) else item for item in values),
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


def _differences(values: Sequence[Measure | None], level: float) -> list[Measure | None]:
    first = values[0]
    return [
        None if first is None or value is None else _difference(value, first, level)
        for value in values[1:]
    ]


def _difference(one: Measure, other: Measure, level: float, sign: int = -1) -> Measure:
    if isinstance(one, DealMeasure) and isinstance(other, DealMeasure):
        return paired_difference(one, other, (one.shifts, other.shifts), sign, level)
    return difference(one, other, sign, level)


def _fairness(
    studies: Sequence[StudyResult],
    columns: Sequence[Column],
    number: int,
    names: Sequence[str],
) -> str:
    """Return a sentence on whether a study is fairer than the first, empty if it does not apply."""
    first, other = studies[0], studies[number]
    if not (len(first.skilled.seats) == len(other.skilled.seats) == 2):
        return ""
    # The first figure of a game with two seats is the advantage of the first seat.
    before, after = (next(iter(columns[place].values())) for place in (0, number))
    if before is None or after is None or first.scoring != other.scoring:
        return ""
    # |after| < |before| if and only if before - after and before + after have equal signs. Each is
    # tested two-sided; a conclusion from both tests has at most the error of one (Berger 1982).
    level = first.level
    tests = [_difference(before, after, level, sign) for sign in (-1, 1)]
    p_values = [p_of_measure(test) for test in tests]
    old, new = names[0], names[number]
    if not all(p is not None and p <= 1 - level for p in p_values):
        return f"It is not certain whether {old} or {new} is fairer."
    is_fairer = tests[0].value * tests[1].value > 0
    fair, unfair = (new, old) if is_fairer else (old, new)
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
    if any(not study.is_whole for study in studies):
        yield "Some games of these studies are not played yet."


# What the deals of a study follow from, besides their numbers.
DEAL_FACTS: tuple[tuple[str, Callable[[StudyResult], object]], ...] = (
    ("games", lambda study: study.game),
    ("versions", lambda study: study.version),
    ("numbers of players", lambda study: study.players),
    ("options", lambda study: study.options),
    ("seeds", lambda study: study.seed),
)


def _other_deals(first: StudyResult, other: StudyResult) -> list[str]:
    """Return the facts because of which two studies have different deals."""
    return [name for name, fact in DEAL_FACTS if fact(first) != fact(other)]


def _deal_notes(
    studies: Sequence[StudyResult], names: Sequence[str], by_deal: Sequence[DealShifts | None]
) -> Iterator[str]:
    """Yield for each study but the first which of its deals are compared as pairs."""
    for study, name, shifts in list(zip(studies, names, by_deal, strict=True))[1:]:
        both = f"{names[0]} and {name}"
        if facts := _other_deals(studies[0], study):
            yield (
                f"{both} have different deals, because their {listed(facts)} differ: the deals "
                "count as independent."
            )
        elif by_deal[0] is None or shifts is None:
            yield (
                f"{both} have equal deals, but the folder of one of them has no deals.json of its "
                "figures. So the deals count as independent, which widens the intervals."
            )
        else:
            yield _pairs_text(by_deal[0], shifts, both)
            if all(row.skill and row.skill.elo_per_doubling for row in (studies[0], study)):
                yield "The Elo of a doubling is compared as if all deals were independent."


def _pairs_text(first: DealShifts, other: DealShifts, both: str) -> str:
    pairs = len({*first.deals} & {*other.deals})
    single = len({*first.deals} ^ {*other.deals})
    text = f"{both} have {amount(pairs, 'deal')} in common, which are compared as pairs"
    rest = amount(single, "deal is", "deals are")
    return f"{text}; {rest} in one of them only." if single else f"{text}."
