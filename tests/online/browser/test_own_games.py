"""The page of a person's own games: results against bots, and replays."""

from playwright.sync_api import expect
from tests.online.browser.visitors import PHONE, PLAY_ON, Visitors, make_table, start


def test_a_finished_game_is_in_the_own_games_with_its_result_and_replay(people: Visitors) -> None:
    page = make_table(people, "kuhn")
    start(page)
    assert page.evaluate(PLAY_ON) >= 0
    page.goto(people.origin)
    page.get_by_role("link", name="Your finished games and results").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(page.locator(".on-results tbody tr")).to_have_count(1)
    expect(page.locator(".on-results tbody tr")).to_contain_text("Kuhn poker")
    replay = page.locator(".on-table-link").first
    expect(replay).to_contain_text("just now")
    assert str(replay.get_attribute("href")).endswith("/replay/1.html")


# The texts of which a part is hidden.
CUT = """() => [...document.querySelectorAll(".on-games span, .on-results-scroll")]
    .filter(part => getComputedStyle(part).display !== "inline")
    .filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => part.textContent)"""


def test_results_of_many_players_are_whole_on_a_phone(people: Visitors) -> None:
    page = make_table(people, "kuhn", size=PHONE)
    start(page)
    assert page.evaluate(PLAY_ON) >= 0
    page.goto(people.origin + "/games")
    page.locator(".on-results").wait_for()
    names = "text => document.querySelector('.on-table-names').textContent = text"
    page.evaluate(names, "4th: Bob 0, David 1, Christopher 5, Anna 20")
    assert page.evaluate(CUT) == []


def test_a_newcomer_has_no_games_yet(people: Visitors) -> None:
    page = people.arrive("/games")
    expect(page.get_by_text("You have not finished a game alone against bots yet.")).to_be_visible()
    expect(page.get_by_text("You have not finished a game at your tables yet.")).to_be_visible()
