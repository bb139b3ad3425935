"""Studies with equal deals are compared deal by deal."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace as with_fields
from tests.lab.study.test_broken_card import GAME

from cardhub.base.errors import MatchError
from cardhub.lab.study.comparison import (
    DEALS,
    FigureDifference,
    StudyComparison,
    compare,
    read_shifts,
)
from cardhub.lab.study.study_figures import StudyOptions
from cardhub.lab.study.study_play import PlayedStudy, run_study
from cardhub.lab.study.study_request import StudyRequest
from cardhub.plugins.registry import find_plugins

REQUEST = StudyRequest("crates", 2, {}, ("random",), deals=40)
SUM = "sum(WEIGHTS[state.face[token]] for token in laid)"
# Seat 0 makes 2 points more if its first crate has an even number, as 16 of 31 have.
BONUS = f"{SUM} + 2 * (seat == 0 and any(state.face[token] % 2 == 0 for token in [*laid][:1]))"
MEAN_BONUS = 2 * 16 / 31


def crates(folder: Path, request: StudyRequest, score: str = SUM) -> PlayedStudy:
    """Play a study of crates for points, with the score of a seat as an expression."""
    folder.mkdir()
    text = GAME.replace(SUM, score)
    text = text.replace("for laid in state.laid]", "for seat, laid in enumerate(state.laid)]")
    text = text.replace("import (", "import (\n    Goal,", 1)
    text = text.replace("    cards = Cards", "    goal = Goal.SCORE\n    cards = Cards")
    (folder / "crates.py").write_text(text, "utf-8")
    registry = find_plugins((folder,))
    return run_study(folder / "study", request, registry, StudyOptions())


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> PlayedStudy:
    return crates(tmp_path_factory.mktemp("pairs") / "old", REQUEST)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> PlayedStudy:
    """Return a study of the same deals, and ten more, with the bonus."""
    return crates(tmp_path_factory.mktemp("pairs") / "new", replace(REQUEST, deals=50), BONUS)


def advantage(comparison: StudyComparison) -> FigureDifference:
    """Return the difference of the advantage of seat 0 between two studies."""
    (row,) = [row for row in comparison.figures if row.name == "advantage of seat 0"]
    (item,) = row.differences
    assert item is not None
    return item


def ends(item: FigureDifference) -> tuple[float, float]:
    """Return the ends of the interval of a difference."""
    assert item.measure.low is not None
    assert item.measure.high is not None
    return item.measure.low, item.measure.high


def test_pairs_of_equal_deals_narrow_a_difference_and_cover_it(
    old: PlayedStudy, new: PlayedStudy
) -> None:
    results = [old.result, new.result]
    paired = advantage(compare(results, (), [old.shifts, new.shifts]))
    single = advantage(compare(results))
    assert paired.measure.value == single.measure.value
    low, high = ends(paired)
    assert low <= MEAN_BONUS / 2 <= high
    widest_low, widest_high = ends(single)
    assert high - low < (widest_high - widest_low) / 2
    assert (paired.is_certain, single.is_certain) == (True, False)


def test_the_report_has_the_number_of_pairs(old: PlayedStudy, new: PlayedStudy) -> None:
    comparison = compare([old.result, new.result], ("a", "b"), [old.shifts, new.shifts])
    assert comparison.notes == (
        "a and b have 40 deals in common, which are compared as pairs; 10 deals are in one of them "
        "only.",
    )


def test_other_seeds_are_no_pairs(old: PlayedStudy, tmp_path: Path) -> None:
    other = crates(tmp_path / "other", replace(REQUEST, seed=2, deals=10))
    results, shifts = [old.result, other.result], [old.shifts, other.shifts]
    comparison = compare(results, ("a", "b"), shifts)
    assert comparison.figures == compare(results).figures
    assert comparison.notes == (
        "a and b have different deals, because their seeds differ: the deals count as independent.",
    )


def test_a_study_differs_in_nothing_from_its_own_deals(old: PlayedStudy) -> None:
    comparison = compare([old.result] * 2, ("a", "b"), [old.shifts] * 2)
    items = [item for row in comparison.figures for item in row.differences if item is not None]
    assert items
    assert all((item.measure.value, item.measure.error) == (0, None) for item in items)


def test_the_shifts_of_a_figure_have_its_error(old: PlayedStudy) -> None:
    """The error is the root of their squares, as of a variance over deals."""
    measure = old.result.skilled.seats[0].advantage
    shifts = old.shifts.figures["advantage of seat 0"]
    assert len(shifts) == 40
    assert measure.error is not None
    squares = sum(shift**2 for shift in shifts)
    assert (squares * 40 / 39) ** 0.5 == pytest.approx(measure.error, rel=1e-5)


def test_the_folder_of_a_study_keeps_its_shifts(old: PlayedStudy, tmp_path: Path) -> None:
    """They do not belong to another result, nor to a folder without them."""
    (tmp_path / DEALS).write_bytes(msgspec.json.encode(old.shifts))
    assert read_shifts(tmp_path, old.result) == old.shifts
    assert read_shifts(tmp_path, with_fields(old.result, sources=("other",))) is None
    assert read_shifts(tmp_path / "none", old.result) is None


def test_a_damaged_file_of_shifts_is_refused(old: PlayedStudy, tmp_path: Path) -> None:
    (tmp_path / DEALS).write_text("{", "utf-8")
    with pytest.raises(MatchError, match=r"(?s)not the deals of a study.*fix: remove the file"):
        read_shifts(tmp_path, old.result)
