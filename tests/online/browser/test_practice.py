"""After a game, people take their costliest moves again in the browser, and play on."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.online.browser.visitors import (
    LAPTOP,
    PHONE,
    PLAY_ON,
    Visitors,
    make_table,
    play_one,
    start,
)

from cardhub.play import review
from cardhub.plugins.registry import PluginRegistry


@pytest.fixture(autouse=True)
def quick_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reviews take milliseconds, and every decision cost something."""
    monkeypatch.setattr(PluginRegistry, "default_hint", lambda *_: "ismcts:iterations=8")
    monkeypatch.setattr(review, "sure_loss", lambda *_: 1.0)


def reviewed(people: Visitors, size: tuple[int, int]) -> Page:
    """Return the window of a person who has played a game, with the costliest moves."""
    anna = make_table(people, "four_piles", ["", "random", "random"], size=size)
    start(anna)
    assert anna.evaluate(PLAY_ON) >= 0
    anna.get_by_role("button", name="My costliest moves").click()
    anna.get_by_role("button", name="Choose again").first.wait_for()
    return anna


def is_over(page: Page) -> bool:
    """Return whether the shown game is over."""
    return "Game over" in page.locator(".ch-header").inner_text()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_person_plays_on_from_a_costly_move(people: Visitors, size: tuple[int, int]) -> None:
    anna = reviewed(people, size)
    anna.get_by_role("button", name="Choose again").first.click()
    bar = anna.get_by_role("status", name="Practice")
    expect(bar).to_contain_text(re.compile("In the game you chose “.*Choose again"))
    expect(anna.locator(".ch-prompt")).to_contain_text("Your turn")
    play_one(anna)
    expect(bar).to_contain_text("You chose “")
    # The bots answer, so the person is to act, or the game is over.
    anna.locator(".ch-prompt.is-own").or_(anna.get_by_text("Game over")).first.wait_for()
    if not is_over(anna):
        anna.get_by_role("button", name="Undo").click()
        expect(bar).to_contain_text("In the game you chose “")
    bar.get_by_role("button", name="Back to the result").click()
    expect(anna.get_by_role("status", name="Your costliest moves")).to_be_visible()
    expect(anna.get_by_role("button", name="Play again")).to_be_visible()


# Returns the lower edge of the hand, if it has two rows and buttons above them.
SHOWN_HAND = """hand => {
    hand.style.minHeight = "170px";
    return hand.getBoundingClientRect().bottom;
}"""


def test_the_own_hand_stays_in_sight_below_a_long_verdict(people: Visitors) -> None:
    anna = make_table(people, "hearts", ["", "random", "random", "random"], size=PHONE)
    start(anna)
    assert anna.evaluate(PLAY_ON) >= 0
    anna.get_by_role("button", name="My costliest moves").click()
    anna.get_by_role("button", name="Choose again").first.click()
    expect(anna.locator(".ch-prompt")).to_contain_text("Your turn")
    # The verdict is long, and the other players have more before them than at the start.
    for part, height in ((".ch-others", "240px"), (".on-practice .on-verdict", "90px")):
        anna.locator(part).evaluate("(part, height) => part.style.height = height", height)
    hand = anna.locator(".ch-bottom").evaluate(SHOWN_HAND)
    assert hand <= PHONE[1] + 1
