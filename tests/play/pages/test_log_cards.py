"""Cards in lines of the log: chips that show their card, in the table and in a replay."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.kit.browsing import Visitor
from tests.play.pages.replay_pages import write_page as write_replay
from tests.play.pages.table_page import Shown, started, view_by, write_page

from cardhub.plugins.registry import find_plugins
from cardhub.view.card_catalogue import build_catalogue


def line(text: str, *parts: Any) -> dict[str, Any]:
    """Return a line of the log as JSON."""
    return {"step": 1, "seat": 0, "kind": "action", "text": text, "parts": list(parts)}


LOG = [
    line("Anna wins W3", "Anna wins ", ["card", 3, "W3"]),
    line("Anna draws a card"),
    line("B1 beats B0", ["card", 17, "B1"], " beats ", ["card", 16, "B0"]),
    line("<b>x</b> 9", "<b>x</b> ", ["card", 999, "<i>9</i>"], ["seat", 0, " Bob"]),
]


@pytest.fixture
def page(visit_page: Visitor, tmp_path: Path) -> Page:
    """Return a page with a table of Gargon, with this log."""
    write_page(tmp_path / "table.html")
    page: Page = visit_page(tmp_path / "table.html", 1280, 800).page
    referee = started(find_plugins(), "gargon")
    Shown("gargon", view_by(referee, 0), build_catalogue(referee.game)).on(page, log=LOG)
    return page


def test_lines_have_chips_of_their_cards(page: Page) -> None:
    """Markup and unknown parts are shown as text."""
    assert page.locator(".ch-log-line").all_text_contents() == [
        "Anna wins W3",
        "Anna draws a card",
        "B1 beats B0",
        "<b>x</b> <i>9</i> Bob",
    ]
    assert page.locator(".ch-mention").all_text_contents() == ["W3", "B1", "B0"]
    assert page.locator(".ch-mention svg").count() == 4  # a zero has a ring


AT_END = """isAtEnd => {
    const { scrollTop, clientHeight, scrollHeight } = document.querySelector(".ch-log-lines");
    return scrollHeight > clientHeight && (scrollTop + clientHeight > scrollHeight - 2) === isAtEnd;
}"""


def test_the_last_line_stays_in_sight_when_the_log_gets_lower(page: Page) -> None:
    page.evaluate("log => show(shownView(), { log })", LOG * 40)
    page.wait_for_function(AT_END, arg=True)
    page.set_viewport_size({"width": 1280, "height": 700})
    page.wait_for_function("innerHeight === 700")
    page.wait_for_function(AT_END, arg=True)
    page.evaluate("() => { document.querySelector('.ch-log-lines').scrollTop = 40 }")
    page.wait_for_function(AT_END, arg=False)
    page.set_viewport_size({"width": 1280, "height": 690})
    page.wait_for_function("innerHeight === 690")
    assert page.evaluate(AT_END, False)


def test_a_chip_shows_its_card(page: Page) -> None:
    note = page.locator(".ch-details")
    page.locator(".ch-mention").first.click()
    assert note.locator("strong").inner_text() == "Dragon 3"
    assert note.locator(".ch-card .ch-drawn").is_visible()
    page.keyboard.press("Escape")
    assert note.is_hidden()
    page.locator(".ch-log-lines").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert note.locator("strong").inner_text() == "Pegasus 1"
    page.keyboard.press("ArrowLeft")
    assert note.locator("strong").inner_text() == "Dragon 3"


def test_a_replay_has_chips_in_its_lines(visit_page: Visitor, tmp_path: Path) -> None:
    """The chips are not buttons, because the line is one; the text of the line stays the same."""
    replay = write_replay(tmp_path, "gargon", 30)
    page = visit_page(replay.path, 1280, 800).page
    texts = [row.text for row in replay.data.viewers[replay.data.first].log if row.text]
    assert page.locator(".rp-log .rp-text").all_text_contents() == texts
    assert page.locator("span.ch-mention").count() > 0
    assert page.locator("button.ch-mention").count() == 0
