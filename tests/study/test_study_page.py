"""The page of a study: one file, which asks for nothing else."""

import re

import pytest
from msgspec.structs import replace

from cardhub.study.page.study_page import study_html
from cardhub.study.study_schema import StudyResult


@pytest.fixture(scope="module")
def page(kuhn: StudyResult) -> str:
    """Return the page of the study of Kuhn poker."""
    return study_html(kuhn)


def test_the_page_loads_nothing(page: str) -> None:
    """No script, and no address but anchors of its own."""
    assert "<script" not in page
    assert re.findall(r'(?:src|href)="(?!#)', page) == []
    assert "default-src &#39;none&#39;" in page


def test_every_link_leads_to_a_part_of_the_page(page: str) -> None:
    """An answer leads to the section that has more."""
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{anchor}"' in page


def test_every_plot_has_a_text_for_readers(page: str) -> None:
    """A figure that can only be seen is none for everybody."""
    assert len(re.findall(r'role="img">\s*<title>[^<]+</title>', page)) == page.count('role="img"')


def test_text_of_third_parties_is_escaped(kuhn: StudyResult) -> None:
    """Such as a game's title."""
    page = study_html(replace(kuhn, title="<i>Kuhn", unit="<b>chips"))
    assert "<i>Kuhn" not in page
    assert "<b>chips" not in page


def test_a_worth_is_called_a_correlation(page: str) -> None:
    """Otherwise designers would take it for an effect."""
    assert "it is a correlation" in page
