"""Dialogs to read during a game."""

from playwright.sync_api import expect
from tests.online.browser.visitors import Visitors, choose, make_table, start


def test_rules_show_their_tables_and_their_examples_in_sentences(people: Visitors) -> None:
    page = make_table(people, "gamon")
    start(page)
    choose(page, "Rules")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Anna holds Corsair and Cadet.")
    expect(dialog.get_by_text("given hand of Anna")).to_have_count(0)
    for table in dialog.locator(".on-scroll").all():
        assert table.evaluate("table => table.clientHeight >= table.scrollHeight") is True


def test_a_drawing_in_the_rules_keeps_its_lines(people: Visitors) -> None:
    page = make_table(people, "garner")
    start(page)
    choose(page, "Rules")
    drawing = page.get_by_role("dialog").locator("pre").first
    assert drawing.inner_text().splitlines() == ["A1  B4  A2", "C7  A4  B1", "C2  C5  B8"]
