"""Pages that people can use with a screen reader, the keyboard or high contrast."""

import pytest
from playwright.sync_api import Page, expect
from tests.kit.waiting import wait_until
from tests.online.browser.barriers import barriers_on
from tests.online.browser.visitors import (
    LAPTOP,
    PHONE,
    PLAY_ON,
    Visitors,
    make_table,
    play_one,
    start,
)


@pytest.mark.parametrize(("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")])
def test_axe_reports_no_violation(people: Visitors, size: tuple[int, int], scheme: str) -> None:
    lobby = people.arrive(size=size, color_scheme=scheme)
    lobby.locator(".on-tile").first.wait_for()
    assert barriers_on(lobby) == []
    anna = make_table(people, "gargon", size=size, color_scheme=scheme)
    anna.get_by_text("Options").click()
    assert barriers_on(anna) == []
    for seat in anna.locator(".on-chair select").all():
        seat.select_option("easy")
    start(anna)
    assert barriers_on(anna) == []
    anna.get_by_role("button", name="Chat").click()
    assert barriers_on(anna) == []
    anna.keyboard.press("Escape")
    dialogs = ("Rules", "Cards", "Log", "Players", "Settings", "Link to this table")
    # Dialogs have the same elements on phones and laptops, so a laptop opens two only.
    for name in dialogs if size == PHONE else dialogs[:2]:
        opened(anna, name)
        assert barriers_on(anna) == [], name
        anna.keyboard.press("Escape")
        expect(anna.get_by_role("button", name="Menu")).to_be_focused()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (LAPTOP, "dark")])
def test_axe_reports_no_violation_during_and_after_a_game(
    people: Visitors, size: tuple[int, int], scheme: str
) -> None:
    anna = make_table(people, "gamon", ["", "easy"], size=size, color_scheme=scheme)
    start(anna)
    for _ in range(2):
        play_one(anna)
        assert barriers_on(anna) == []
        assert small_texts(anna) == []
    anna = make_table(people, "kuhn", ["", "easy"], size=size, color_scheme=scheme)
    start(anna)
    anna.evaluate(PLAY_ON)
    anna.locator(".ch-result").wait_for()
    assert barriers_on(anna) == []
    keep = anna.get_by_role("link", name="Keep this game")
    replay = people.open(anna.context, (keep.get_attribute("href") or "") + "#step=2")
    replay.locator(".rp-page").wait_for()
    for name in ("Log", "Result"):
        replay.get_by_role("tab", name=name).or_(
            replay.get_by_role("button", name=name)
        ).first.click()
        assert barriers_on(replay) == [], name
    replay.keyboard.press("End")
    replay.get_by_text("Game over").first.wait_for()
    assert barriers_on(replay) == []


def test_the_keyboard_scrolls_what_scrolls_only_in_a_small_window(people: Visitors) -> None:
    anna = make_table(people, "kuhn", ["", "easy"], size=LAPTOP)
    start(anna)
    anna.evaluate(PLAY_ON)
    anna.locator(".ch-result").wait_for()
    anna.set_viewport_size({"width": 1280, "height": 260})
    expect(anna.locator(".ch-felt")).to_have_attribute("tabindex", "0")
    anna.set_viewport_size({"width": 1280, "height": 1400})
    expect(anna.locator(".ch-felt")).not_to_have_attribute("tabindex", "0")


def small_texts(page: Page) -> list[str]:
    """Return the visible texts of a page that are smaller than 12 pixels."""
    texts: list[str] = page.evaluate("""() => [...document.querySelectorAll(".on-page *")]
        .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())
            || e.dataset.text)
        .filter(e => e.checkVisibility() && !e.closest(".ch-spoken, svg"))
        .filter(e => e.getBoundingClientRect().width > 2)
        .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11.99)
        .map(e => `${e.className}: ${e.dataset.text ?? e.textContent}`)""")
    return texts


def opened(page: Page, name: str) -> None:
    """Open a dialog from the menu."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("dialog").wait_for()


def test_a_table_is_made_and_played_by_keyboard_alone(people: Visitors) -> None:
    """Enter presses the focused element, and Escape closes a dialog."""
    page = people.arrive(name="Anna")
    page.locator("[data-game=kuhn]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Your name")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-game=kuhn]")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start the game").focus()
    page.keyboard.press("Enter")
    page.locator(".ch-prompt.is-own").wait_for()
    page.locator('.ch-spot[tabindex="0"]').focus()
    for _ in range(30):
        if page.evaluate("document.activeElement.matches('.ch-actions [data-action]')"):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".ch-log-line").first).to_contain_text("Anna")


def test_at_each_turn_the_focus_is_on_a_card_or_button_that_can_be_chosen(
    people: Visitors,
) -> None:
    anna = make_table(people, "hearts", ["", "easy", "easy", "easy"])
    start(anna)
    anna.keyboard.press("Tab")
    anna.locator(".ch-look-hand .is-legal").first.focus()
    focused = "document.activeElement.matches('.is-legal, [data-action]')"
    turn = f"() => document.querySelector('.ch-prompt.is-own') && {focused}"
    hand = anna.locator(".ch-look-hand .ch-card")
    presses = 0
    # A press may also end a beat, so there are more than three cards to pass and five to play.
    while hand.count() > 13 - 5:
        anna.wait_for_function(turn)
        assert anna.evaluate("document.activeElement.matches(':focus-visible')")
        log = anna.locator(".ch-log-lines").inner_text()
        anna.keyboard.press("Enter")
        anna.wait_for_function(
            "text => document.querySelector('.ch-log-lines').innerText !== text", arg=log
        )
        presses += 1
        assert presses < 30


def test_no_page_is_wider_than_its_window(people: Visitors) -> None:
    sizes = (PHONE, (768, 1024), LAPTOP, (2560, 1440))
    wide = "document.documentElement.scrollWidth - innerWidth"
    own_share = "document.querySelector('.ch-bottom').getBoundingClientRect().height / innerHeight"
    anna = make_table(people, "gargon", size=PHONE)
    lobby = people.arrive(size=PHONE, name="Bartholomäus-Maximilian"[:20])
    for width, height in sizes:
        for page in (lobby, anna):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_load_state("networkidle")
            assert page.evaluate(wide) <= 0, width
    start(anna)
    for width, height in sizes:
        anna.set_viewport_size({"width": width, "height": height})
        # The table draws itself anew after its size has changed.
        wait_until(lambda: anna.evaluate(wide) <= 0 and small_texts(anna) == [])
        if (width, height) == PHONE:
            wait_until(lambda: anna.evaluate(own_share) <= 1 / 3 + 1 / PHONE[1])


def test_what_a_finger_presses_is_44_pixels_large(people: Visitors) -> None:
    small = """() => [...document.querySelectorAll("button, a, select, summary, .on-input")]
        .filter(e => !e.closest(".ch-table") && e.checkVisibility())
        .map(e => [e, e.getBoundingClientRect()])
        .filter(([, box]) => box.width > 2 && (box.width < 44 || box.height < 43.9))
        .map(([e]) => e.outerHTML.slice(0, 120))"""
    anna = make_table(people, "gargon", size=PHONE)
    anna.get_by_text("Options").click()
    assert anna.evaluate(small) == []
    start(anna)
    opened(anna, "Settings")
    assert anna.evaluate(small) == []
