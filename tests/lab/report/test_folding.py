"""Parts of the report fold: an overview first, all else on demand, with and without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.kit.browsing import BEYOND, CONTRAST, Visit, Visitor

# Closed parts of the page, but not those in lists of games.
CLOSED = "details.part:not([open])"

Open = Callable[..., Visit]


@pytest.fixture
def visit(visit_page: Visitor) -> Open:
    """Return a function that opens the report of a match, with scripts."""

    def go(played: Any, **options: Any) -> Visit:
        return visit_page(played.folder / "report.html", **options)

    return go


def column(page: Page, table: str, number: int) -> list[str]:
    """Return the texts of a column of a table."""
    rows = page.get_by_role("region", name=table, exact=True).locator("tbody tr")
    return [row.locator("th, td").nth(number).inner_text() for row in rows.all()]


@pytest.mark.parametrize("name", ["cup", "duel", "chips"])
def test_the_overview_fits_one_screen(
    visit: Open, name: str, request: pytest.FixtureRequest
) -> None:
    """Verdict, games, ranks and contents; the whole folded page is not much longer."""
    page = visit(request.getfixturevalue(name), scripts=False).page
    box = page.locator("#overview").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    assert page.evaluate("document.documentElement.scrollHeight") < 1600
    assert page.locator("details[open]").count() == 0


def test_the_overview_has_a_row_for_each_game_and_bot(visit: Open, cup: Any) -> None:
    page = visit(cup, scripts=False).page
    games = cup.result["statistics"]["games"]
    assert column(page, "Games", 0) == [game["game"] for game in games]
    assert sorted(column(page, "Ranks", 0)) == ["broken", "dice anchor", "steady"]
    faults = sum(fault["count"] for game in games for fault in game["faults"])
    assert column(page, "Ranks", 4)[column(page, "Ranks", 0).index("broken")] == str(faults)
    assert page.get_by_role("link", name=f"Faults {faults}").count() == 1


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_opens_the_part_that_it_leads_to(visit: Open, cup: Any, scripts: bool) -> None:
    """Browsers open it without scripts."""
    page = visit(cup, scripts=scripts).page
    audit = page.locator("#game-2 .audit")
    assert not audit.is_visible()
    page.get_by_role("navigation").get_by_role("link", name="kuhn").click()
    audit.wait_for(state="visible")
    assert not page.locator("#game-1 .audit").is_visible()
    assert 0 <= page.locator("#game-2").evaluate("e => e.getBoundingClientRect().top") < 400


def test_parts_open_and_close_with_the_keyboard(visit: Open, cup: Any) -> None:
    page = visit(cup, scripts=False).page
    summary = page.locator("summary", has_text="kuhn")
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#game-2").is_visible()
    page.keyboard.press("Enter")
    assert not page.locator("#game-2").is_visible()


def test_all_parts_are_printed(visit: Open, cup: Any) -> None:
    for scripts in (True, False):
        page = visit(cup, scripts=scripts).page
        height = page.evaluate("document.documentElement.scrollHeight")
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollHeight") > 2 * height


def test_one_button_opens_and_closes_all_parts(visit: Open, cup: Any) -> None:
    page = visit(cup).page
    page.get_by_role("button", name="Unfold all").click()
    assert page.locator(CLOSED).count() == 0
    page.get_by_role("button", name="Fold all").click()
    assert page.locator("details[open]").count() == 0
    plain = visit(cup, scripts=False).page
    assert not plain.locator("#unfold").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 800, 1920])
def test_the_unfolded_page_fits(visit: Open, cup: Any, width: int, scheme: str) -> None:
    """Every part of it, on a telephone and on a wide screen; the policy lets its script run."""
    seen = visit(cup, width=width, scheme=scheme)
    seen.page.get_by_role("button", name="Unfold all").click()
    assert seen.page.evaluate("document.documentElement.scrollWidth") == width
    assert seen.page.evaluate(BEYOND) == []
    assert seen.complaints == []
    assert len(seen.requests) == 1
    names = ["nav a", "nav b", ".hint", ".sort", "summary h2", ".ranks small", ".watch"]
    shown = [name for name in names if seen.page.locator(name).count()]
    ratios = seen.page.evaluate(CONTRAST, shown)
    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}


def test_a_click_on_a_head_sorts_the_table(visit: Open, cup: Any) -> None:
    """Words are sorted from A, numbers from the greatest; a second click reverses the order."""
    page = visit(cup).page
    region = page.get_by_role("region", name="Ranks", exact=True)
    bot = region.get_by_role("button", name="Bot")
    bot.click()
    assert column(page, "Ranks", 0) == ["broken", "dice anchor", "steady"]
    assert region.get_by_role("columnheader", name="Bot").get_attribute("aria-sort") == "ascending"
    bot.focus()
    page.keyboard.press("Enter")
    assert column(page, "Ranks", 0) == ["steady", "dice anchor", "broken"]
    region.get_by_role("button", name="Faults").click()
    assert column(page, "Ranks", 0)[0] == "broken"
    heads = region.locator("th[aria-sort]")
    assert heads.count() == 1
    assert heads.get_attribute("aria-sort") == "descending"


def as_number(text: str) -> float:
    """Return a rating or its bound as a number."""
    return float(text.replace("−", "-").lstrip("<> "))


def test_ratings_sort_as_numbers(visit: Open, cup: Any) -> None:
    """A true minus sign counts as one, and a bound as its end."""
    page = visit(cup).page
    page.locator("summary", has_text="leduc").click()
    region = page.get_by_role("region", name="Ratings in leduc")
    region.get_by_role("button", name="Elo").click()
    ratings = [as_number(text) for text in column(page, "Ratings in leduc", 2)]
    assert ratings == sorted(ratings, reverse=True)
    region.get_by_role("button", name="Elo").click()
    ratings = [as_number(text) for text in column(page, "Ratings in leduc", 2)]
    assert ratings == sorted(ratings)
