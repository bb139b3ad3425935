"""The shifts of a study's figures by deal, kept beside it to compare equal deals as pairs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cardhub.base.errors import MatchError
from cardhub.base.files import LimitError, read_within
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.study.figure_text import NamedMeasure, compared_figures, compared_uses
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
