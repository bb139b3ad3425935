"""The table keeps its place while buttons and cards come and go."""

import pytest
from playwright.sync_api import Page
from tests.online.browser.visitors import LAPTOP, PHONE, Visitors, make_table, play_one, start

PARTS = ".ch-header, .ch-felt, .ch-bottom, .ch-look-hand"
BOXES = """parts => [...document.querySelectorAll(parts)].map(part => {
    const { top, bottom } = part.getBoundingClientRect();
    return [part.className, Math.round(top), Math.round(bottom)];
})"""


def edges(page: Page) -> object:
    """Return the upper and lower edges of the regions, after the last frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
    return page.evaluate(BOXES, PARTS)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
@pytest.mark.parametrize("game", ["gamon", "gargon"])
def test_the_table_does_not_move_when_buttons_appear(
    people: Visitors, game: str, size: tuple[int, int]
) -> None:
    page = make_table(people, game, size=size)
    start(page)
    page.locator(".ch-prompt.is-own").wait_for()
    first = edges(page)
    buttons = page.locator(".ch-actions [data-action]").count()
    play_one(page)
    page.locator(".ch-undo").wait_for()
    assert page.locator(".ch-actions [data-action]").count() != buttons
    assert edges(page) == first
