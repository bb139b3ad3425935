"""Comparisons of studies."""

import msgspec
import pytest
from msgspec.structs import replace

from cardhub.lab.estimate import Measure
from cardhub.lab.study.comparison import compare, label_studies
from cardhub.lab.study.study_page import comparison_html
from cardhub.lab.study.study_schema import StudyResult


def measured(value: float, error: float = 0.01) -> Measure:
    """Return a measure from 100 deals."""
    reach = 1.984217 * error
    return Measure(value, value - reach, value + reach, error, 99.0, 100)


def with_advantage(study: StudyResult, value: float, **changes: object) -> StudyResult:
    """Return the study with another advantage of seat 0."""
    seats = tuple(
        replace(row, advantage=measured(sign * value))
        for row, sign in zip(study.skilled.seats, (1, -1), strict=True)
    )
    return replace(study, skilled=replace(study.skilled, seats=seats), **changes)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (0.10, 0.02, "b is fairer than a"),
        (0.10, -0.02, "b is fairer than a"),
        (-0.02, 0.10, "a is fairer than b"),
        (0.10, -0.10, "It is not certain"),
        (0.10, 0.09, "It is not certain"),
    ],
)
def test_the_smaller_advantage_is_fairer(
    kuhn: StudyResult, before: float, after: float, sentence: str
) -> None:
    studies = [with_advantage(kuhn, before), with_advantage(kuhn, after)]
    assert compare(studies, ("a", "b")).fairness[0].startswith(sentence)


def test_a_difference_has_the_errors_of_both(kuhn: StudyResult) -> None:
    comparison = compare([with_advantage(kuhn, 0.1), with_advantage(kuhn, 0.3)], ("a", "b"))
    row = next(row for row in comparison.figures if row.name == "advantage of seat 0")
    (difference,) = row.differences
    assert difference is not None
    assert difference.measure.value == pytest.approx(0.2)
    assert difference.measure.error == pytest.approx(0.01 * 2**0.5)
    assert difference.is_certain


def test_a_study_compared_with_itself_differs_in_nothing(kuhn: StudyResult) -> None:
    comparison = compare([kuhn, kuhn])
    differences = [
        item for row in comparison.figures for item in row.differences if item is not None
    ]
    assert not any(item.is_certain or item.measure.value for item in differences)
    assert comparison.labels == ("study 1", "study 2")


def test_labels_are_the_options_that_differ(kuhn: StudyResult) -> None:
    first = replace(kuhn, options={"coins": 24, "fast": True})
    other = replace(kuhn, options={"coins": 32, "fast": True})
    assert label_studies([first, other]) == ("coins=24", "coins=32")
    assert label_studies([kuhn, replace(kuhn, version="2")]) == ("version=1", "version=2")


def test_other_bots_are_noted(kuhn: StudyResult) -> None:
    other = replace(kuhn, skilled=replace(kuhn.skilled, bots=("rule",)), seed=kuhn.seed + 1)
    assert compare([kuhn, other]).notes[0] == (
        "The studies differ in bots: other differences may be due to that."
    )


def test_the_page_of_a_comparison_escapes_its_labels(kuhn: StudyResult) -> None:
    """Titles and options come from third parties."""
    page = comparison_html(compare([kuhn, kuhn], ("<b>a", "b")), [kuhn, kuhn])
    assert "&lt;b&gt;a" in page
    assert "<b>a" not in page


def test_a_comparison_is_data_for_json(kuhn: StudyResult) -> None:
    data = msgspec.json.decode(msgspec.json.encode(compare([kuhn, kuhn])))
    assert len(data) == 5


def test_cards_are_compared_by_the_certainty_of_their_difference(kuhn: StudyResult) -> None:
    """A card that changed is first, whatever the order of names; its test counts all cards."""
    last = kuhn.uses[-1]
    changed = replace(last, worth=measured(last.worth.value + 0.4) if last.worth else None)
    sharp = [replace(row, worth=measured(row.worth.value)) for row in kuhn.uses if row.worth]
    old = replace(kuhn, uses=tuple(sharp))
    new = replace(kuhn, uses=(*sharp[:-1], changed))
    first, *rest = compare([old, new]).uses
    assert first.name.endswith(last.name)
    assert [item.is_certain for item in first.differences if item] == [True]
    assert not any(item.is_certain for row in rest for item in row.differences if item)


def test_different_deals_are_noted_with_the_reason(kuhn: StudyResult) -> None:
    other = replace(kuhn, seed=kuhn.seed + 1, version="2")
    (note,) = compare([kuhn, other], ("a", "b")).notes
    assert note == (
        "a and b have different deals, because their versions and seeds differ: the deals count as "
        "independent."
    )


def test_equal_deals_without_shifts_are_noted(kuhn: StudyResult) -> None:
    (note,) = compare([kuhn, kuhn], ("a", "b")).notes
    assert note.startswith("a and b have equal deals, but")
