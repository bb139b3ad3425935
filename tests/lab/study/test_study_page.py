"""The page of a study: a single file that loads no other file."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.kit.browsing import BEYOND, Visitor

from cardhub.lab.estimate import Measure
from cardhub.lab.study.study_page import interval_chart, study_html
from cardhub.lab.study.study_schema import StudyResult


@pytest.fixture(scope="module")
def page(kuhn: StudyResult) -> str:
    """Return the page of the study of Kuhn poker."""
    return study_html(kuhn)


def test_the_page_loads_nothing(page: str) -> None:
    """The page has no script, and every address is an anchor of the page."""
    assert "<script" not in page
    assert re.findall(r'(?:src|href)="(?!#)', page) == []
    assert "default-src &#39;none&#39;" in page


def test_every_link_leads_to_a_part_of_the_page(page: str) -> None:
    """An answer leads to the section that has more."""
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{anchor}"' in page


def test_every_plot_has_a_text_for_readers(page: str) -> None:
    """Screen readers can read every figure."""
    assert len(re.findall(r'role="img">\s*<title>[^<]+</title>', page)) == page.count('role="img"')


def test_text_of_third_parties_is_escaped(kuhn: StudyResult) -> None:
    page = study_html(replace(kuhn, title="<i>Kuhn", unit="<b>chips"))
    assert "<i>Kuhn" not in page
    assert "<b>chips" not in page


def test_the_luck_of_few_deals_is_unknown(kuhn: StudyResult) -> None:
    """One deal of bots that search says nothing on luck; bots without search may say more."""
    page = study_html(replace(kuhn, skilled=replace(kuhn.skilled, luck=None)))
    assert "the part that their games have in common is due to the deal.</p>" in page


def test_a_worth_is_called_a_correlation(page: str) -> None:
    """Otherwise designers would take it for an effect."""
    assert "it is a correlation" in page


def test_every_other_tick_is_minor_and_that_of_zero_is_not() -> None:
    """Zero means no effect, so it keeps its label on a narrow page."""
    for low, high in ((-0.3, 0.1), (-0.2, 0.2), (0.0, 0.4)):
        row = "first seat", Measure((low + high) / 2, low, high, 0.1, 9, 10), False
        ticks = interval_chart([row], "shift", "advantage").ticks
        minor = {text: is_minor for _, text, is_minor in ticks}
        assert not minor["0 %"]
        in_order = [is_minor for _, _, is_minor in ticks]
        assert in_order[1:] == [not is_minor for is_minor in in_order[:-1]]


# Returns the neighbouring labels of an axis with less than four pixels between them.
CROWDED = """() => [...document.querySelectorAll(".axis svg, svg.x-axis")].flatMap(axis => {
    const labels = [...axis.querySelectorAll("text")].filter(label => label.checkVisibility());
    const boxes = labels.map(label => label.getBoundingClientRect());
    const pairs = boxes.slice(1).map((box, number) => [box.left - boxes[number].right, number]);
    return pairs.filter(([gap]) => gap < 4).map(([, number]) => labels[number].textContent);
})"""


@pytest.mark.parametrize("width", [360, 390, 700, 1280])
def test_labels_of_an_axis_keep_apart_on_a_telephone_too(
    width: int, page: str, visit_page: Visitor, tmp_path: Path
) -> None:
    """A narrow page leaves out every second label, and no label reaches beyond the page."""
    path = tmp_path / "study.html"
    # As wide as labels of shares are.
    wide = re.sub(r'(<text x="[^"]*" y="1em"[^>]*>)[^<]*', r"\1+10 %", page)
    path.write_text(wide, encoding="utf-8")
    opened = visit_page(path, width=width).page
    assert opened.evaluate("() => document.querySelectorAll('.axis text').length") > 5
    assert opened.evaluate(CROWDED) == []
    assert opened.evaluate(BEYOND) == []
