"""A lesson in the browser: from the lobby to the first actions."""

from playwright.sync_api import expect
from tests.kit.waiting import wait_until
from tests.online.browser.visitors import PHONE, Visitors, choose


def test_a_newcomer_learns_a_game_by_following_the_marks(people: Visitors) -> None:
    page = people.arrive()
    page.get_by_role("button", name="Learn Gamon").click()
    panel = page.get_by_role("status", name="Lesson")
    expect(panel).to_contain_text("Welcome to Gamon")
    expect(panel).to_contain_text("Press the card or button with the mark 1")
    expect(page.locator(".is-coming").first).to_be_visible()
    page.locator(".ch-actions .is-hinted").click()
    expect(panel).to_contain_text("Place a card face down.")
    other = page.locator(".ch-look-hand .ch-card.is-legal:not(.is-hinted)").first
    other.click()
    expect(panel).to_contain_text("Choose it again to play it anyway.")
    page.get_by_role("button", name="Hint").click()
    expect(panel).to_contain_text("Suggested: place Gunner.")
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    other.click()
    expect(panel).to_contain_text("From here on you play by yourself")
    page.goto(people.origin)
    expect(page.get_by_role("link", name="Continue the lesson of Gamon")).to_be_visible()
    expect(page.get_by_role("button", name="Learn Gargon")).to_be_visible()
    expect(page.get_by_role("button", name="Learn Gamon")).to_have_count(0)
    expect(page.locator(".on-section-own")).to_contain_text("Gamon, lesson")
    page.locator('[data-game="gamon"]').click()
    page.get_by_role("button", name="Begin the lesson again").click()
    expect(panel).to_contain_text("Welcome to Gamon")


def test_the_comments_leave_the_hand_in_sight_on_a_phone(people: Visitors) -> None:
    page = people.arrive(size=PHONE)
    page.get_by_role("button", name="Learn Gargon").click()
    expect(page.get_by_role("status", name="Lesson")).to_contain_text("Welcome to Gargon")
    card = page.locator(".ch-look-hand .ch-card").last
    wait_until(lambda: card.evaluate("card => card.getBoundingClientRect().bottom") <= PHONE[1])


def test_a_lesson_that_was_left_goes_on_at_its_step(people: Visitors) -> None:
    page = people.arrive()
    page.get_by_role("button", name="Learn Gamon").click()
    panel = page.get_by_role("status", name="Lesson")
    page.locator(".ch-actions .is-hinted").click()
    expect(panel).to_contain_text("Place a card face down.")
    choose(page, "To the lobby: the lesson waits at its step")
    page.get_by_role("link", name="Continue the lesson of Gamon").click()
    expect(panel).to_contain_text("Place a card face down.")
    expect(page.locator(".ch-look-hand .is-hinted")).to_be_visible()
