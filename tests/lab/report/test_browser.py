"""The page as a browser shows it, with scripts switched off."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page
from tests.kit.browsing import BEYOND, CONTRAST, Visit, Visitor

WIDTHS, SCHEMES = (1280, 400), ("light", "dark")

Open = Callable[..., Visit]


def moved(table: Locator) -> bool:
    """Wait for a moment and return whether a table was scrolled by then."""
    table.page.wait_for_timeout(50)
    return bool(table.evaluate("e => e.scrollLeft") > 0)


def unfold(page: Page, *titles: str) -> None:
    """Open parts of the page by a click on their titles."""
    for title in titles:
        page.locator("summary", has=page.get_by_role("heading", name=title, exact=True)).click()


@pytest.fixture
def visit(visit_page: Visitor) -> Open:
    """Return a function that opens the report of a match."""

    def go(played: Any, width: int = 1280, scheme: str = "light") -> Visit:
        return visit_page(played.folder / "report.html", width, scripts=False, scheme=scheme)

    return go


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["cup", "duel"])
def test_the_page_fits_and_needs_no_other_files(
    visit: Open, name: str, width: int, scheme: str, request: pytest.FixtureRequest
) -> None:
    played = request.getfixturevalue(name)
    seen = visit(played, width, scheme)
    assert seen.page.evaluate("document.documentElement.scrollWidth") == width
    assert seen.page.evaluate(BEYOND) == []
    assert seen.requests == [(played.folder / "report.html").as_uri()]
    assert seen.complaints == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_everything_can_be_read(visit: Open, cup: Any, scheme: str) -> None:
    page = visit(cup, scheme=scheme).page
    names = ["body", ".sub", ".verdict li", "td a", "thead th", "small", ".command", ".better"]
    ratios = page.evaluate(CONTRAST, [*names, ".worse", ".open-cell", ".audit", "svg text"])
    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(", "))) > 600) == (scheme == "light")


@pytest.mark.parametrize("width", WIDTHS)
def test_wide_tables_scroll_within_themselves(visit: Open, cup: Any, width: int) -> None:
    page = visit(cup, width).page
    unfold(page, "leduc")
    page.locator("summary:visible", has_text="Pairs in figures").click()
    table = page.get_by_role("region", name="Pairs of leduc")
    inner, outer = table.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert outer < width
    assert (inner > outer) == (width == 400)
    table.focus()
    if width == 400:
        page.keyboard.press("ArrowRight")
        assert any(moved(table) for _ in range(40))


@pytest.mark.parametrize("width", WIDTHS)
def test_ratings_are_drawn_in_their_order(visit: Open, cup: Any, width: int) -> None:
    """A dot for each bot, within its interval, the further right the higher its Elo.

    A bot that has lost everything has no Elo, but a bound above it.
    """
    page = visit(cup, width).page
    unfold(page, "leduc")
    plot = page.locator("#game-1 figure.dots")
    *rated, (last, lost_all) = drawn = list(
        zip(
            plot.locator("a.dot-row").all(),
            cup.result["statistics"]["games"][0]["bots"],
            strict=True,
        )
    )
    assert all(bot["bot"] in row.inner_text() for row, bot in drawn)
    middles = []
    for row, _ in rated:
        dot, strip = row.locator(".dot").bounding_box(), row.locator(".strip").bounding_box()
        assert dot is not None
        assert strip is not None
        assert dot["width"] > 5
        assert strip["x"] <= dot["x"] <= dot["x"] + dot["width"] <= strip["x"] + strip["width"]
        middles.append(dot["x"] + dot["width"] / 2)
    assert middles == sorted(middles, reverse=True)
    assert last.locator(".dot").count() == 0
    best, worst = (bot["elo"]["value"] for _, bot in rated)
    beyond = (lost_all["elo"]["high"] - worst) / (best - worst)
    bound = last.locator(".whisker").last.bounding_box()
    assert bound is not None
    expected = middles[1] + beyond * (middles[0] - middles[1])
    assert bound["x"] + bound["width"] / 2 == pytest.approx(expected, abs=1.5)


def test_the_test_is_drawn_from_side_to_side(visit: Open, duel: Any) -> None:
    """The line of evidence ends at the bound that it has reached."""
    page = visit(duel).page
    unfold(page, "Test")
    figure = page.locator("#test .pair-of-plots figure").first
    plot = figure.locator(".lines").bounding_box()
    line = figure.locator(".line").bounding_box()
    bound = figure.locator(".rule").first.bounding_box()
    assert plot is not None
    assert line is not None
    assert bound is not None
    assert line["width"] == pytest.approx(plot["width"], rel=0.02)
    assert line["height"] > 50
    assert line["y"] <= bound["y"]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_figure_leads_to_its_games(visit: Open, cup: Any, width: int) -> None:
    """One list is shown then, the others are not in the way."""
    page = visit(cup, width).page
    assert page.locator(".list:visible").count() == 0
    unfold(page, "leduc")
    page.get_by_role("link", name="dice against steady").first.click()
    listing = page.locator(".list:visible")
    assert listing.count() == 1
    top = listing.evaluate("e => e.getBoundingClientRect().top")
    assert 0 <= top < 800
    assert listing.locator("h3").inner_text() == "dice against steady in leduc"
    shown = [row.inner_text() for row in listing.locator("tbody tr td:first-child").all()]
    meant = [g.id for g in cup.games if g.contest == "leduc" and set(g.bots) == {"dice", "steady"}]
    assert shown == meant
    page.get_by_role("link", name="Show all lists").click()
    assert page.locator(".list:visible").count() == page.locator(".list").count() > 10


def test_every_link_is_reached_and_followed_with_the_keyboard(visit: Open, cup: Any) -> None:
    """The first one leads past the contents."""
    page = visit(cup).page
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.inner_text() == "To the verdict"
    box = focused.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    page.locator("summary", has_text="leduc").focus()
    page.keyboard.press("Enter")
    cell = page.get_by_role("link", name="dice against steady").first
    cell.focus()
    assert cell.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.locator(".list:visible").count() == 1


def test_plots_have_words_for_those_who_cannot_see_them(visit: Open, cup: Any) -> None:
    """Every drawing that is not hidden from them has a title; one with links is a group of them."""
    page = visit(cup).page
    drawn = page.locator("svg:is([role=img], [role=group])")
    assert drawn.count() > 5
    assert page.locator("svg:is([role=img], [role=group]):not(:has(> title))").count() == 0
    assert page.locator("svg[role=img] a").count() == 0
    assert page.locator("svg[role=group]:not(:has(a))").count() == 0
    assert (
        page.locator("svg:not([role]):not([aria-hidden=true]):not(svg svg)").evaluate_all(
            "all => all.filter(e => !e.closest('[aria-hidden=true]')).length"
        )
        == 0
    )


def test_it_prints_dark_on_light_without_its_lists(visit: Open, cup: Any) -> None:
    page = visit(cup, scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("nav").is_hidden()
    assert page.locator(".lists").is_hidden()
    ink, paper = (
        sum(map(int, page.evaluate(f"getComputedStyle(document.body).{name}")[4:-1].split(", ")))
        for name in ("color", "backgroundColor")
    )
    assert ink < 200 < 600 < paper
    assert page.pdf(format="A4").startswith(b"%PDF-")


def test_names_of_bots_cannot_inject_html(visit: Open, retold: Callable[..., Any]) -> None:
    """Its name is shown as it is written."""
    evil = "<img src='https://example.org/x.png'><b id=x>bold</b>"

    def rename(result: Any) -> None:
        result["name"] = evil
        result["statistics"]["notes"] = [evil]
        result["spec"]["bots"][0]["use"] = evil

    seen = visit(retold(rename))
    assert seen.page.locator("h1").inner_text() == evil
    assert seen.page.locator("img, #x").count() == 0
    assert len(seen.requests) == 1


# The links and buttons outside of running text that a finger does not hit in 44 pixels, and the
# texts below 12 pixels. A link may be larger than its letters.
SMALL = """() => {
    const seen = (selector) =>
        [...document.querySelectorAll(selector)].filter(e => e.checkVisibility());
    const size = e => {
        const more = getComputedStyle(e, "::before");
        const box = e.getBoundingClientRect();
        const isLarger = more.position === "absolute";
        return Math.max(box.height, isLarger ? parseFloat(more.height) : 0);
    };
    const pressed = "nav a, nav button, td > a, th > a, summary, .sort";
    const narrow = seen(pressed).filter(e => size(e) < 43.9);
    const hasText = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    const tiny = seen("body *").filter(hasText)
        .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11.99);
    return [...narrow, ...tiny].map(e => e.outerHTML.slice(0, 80));
}"""


def test_fingers_hit_and_eyes_read_all_parts_on_a_phone(visit_page: Visitor, cup: Any) -> None:
    page = visit_page(cup.folder / "report.html", 390, 844, has_touch=True, is_mobile=True).page
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    ranks = page.get_by_role("region", name="Ranks")
    assert ranks.evaluate("e => e.scrollWidth <= e.clientWidth")
