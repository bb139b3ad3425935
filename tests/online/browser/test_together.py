"""People at one table with separate browsers."""

import pytest
from playwright.sync_api import Page, expect
from tests.online.browser.visitors import (
    LAPTOP,
    LEGAL,
    PHONE,
    PLAY_ON,
    Visitors,
    join,
    make_in_lobby,
    make_table,
    path_of,
    play_one,
    start,
)

from cardhub.plugins.registry import find_plugins


def title_of(page: Page) -> str:
    """Return the game's title in the header of the table."""
    return page.locator(".ch-title-of-game").inner_text()


def test_friends_play_at_a_table_by_a_link(people: Visitors) -> None:
    """A laptop makes the table and a phone opens its link, without bots."""
    anna = make_in_lobby(people, "kuhn")
    link = anna.get_by_label("Link to this table").input_value()
    assert link == people.origin + path_of(anna)
    code = anna.get_by_role("img", name="QR code: Link to this table")
    assert (
        code.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") > 20
    )
    bob = join(people, anna, size=PHONE)
    expect(anna.locator(".on-chair")).to_contain_text(["Anna", "Bob"])
    start(anna, bob)
    assert title_of(anna) == title_of(bob) == "Kuhn poker"
    height = "document.querySelector('.ch-felt').clientHeight"
    before = anna.evaluate(height)
    for page in (anna, bob):
        expect(page).to_have_title("● Your turn · Kuhn poker")
        play_one(page)
        if page is anna:
            expect(anna.locator(".ch-actions [data-action]")).to_have_count(0)
            assert anna.evaluate(height) == before, "the table jumps when its buttons go"
    expect(bob).to_have_title("Kuhn poker · cardhub")
    assert anna.locator(".ch-own .ch-player").inner_text() == "Anna"


def test_the_owner_seats_bots_and_moves_seats(people: Visitors) -> None:
    """A seat is free for a person until the owner chooses a bot's level."""
    anna = make_table(people, "gargon")
    anna.get_by_label("Seat 2").select_option("easy")
    expect(anna.locator(".on-chair").nth(1)).to_contain_text("Bot: Easy")
    expect(anna.locator(".on-chair").nth(1)).to_contain_text("Hob: counts colours")
    anna.get_by_role("button", name="Move seat 3 up").click()
    expect(anna.locator(".on-chair").nth(2)).to_contain_text("Bot: Easy")
    anna.get_by_text("Options").click()
    anna.get_by_role("combobox", name="Seats").select_option("3")
    expect(anna.locator(".on-chair")).to_have_count(3)
    anna.get_by_label("Open winnings").check()
    bob = people.arrive(path_of(anna), name="Bob")
    bob.get_by_text("Options").click()
    expect(bob.locator(".on-facts")).to_contain_text("Open winningsYes")


def test_the_first_list_of_a_seat_has_people_and_levels_by_name(people: Visitors) -> None:
    """The other bots follow when the owner asks for them."""
    anna = make_table(people, "gamon")
    choices = anna.get_by_label("Seat 2").locator("option")
    levels = find_plugins().game("gamon").display.opponents
    faces = [f"{level} · {name}: {temper}" for level, (name, temper) in levels.items()]
    first = ["free for a person", *faces]
    expect(choices).to_have_text([*first, "Advanced…"])
    anna.get_by_label("Seat 2").select_option("advanced")
    no_model = "language model: not set up on this server"
    expect(choices).to_have_text([*first, "network bot", no_model])
    expect(anna.get_by_label("Seat 2")).to_have_value("")
    anna.get_by_label("Seat 2").select_option("network")
    expect(anna.locator(".on-chair").nth(1)).to_contain_text("Network bot")


def test_a_bot_plays_for_a_person_until_they_come_back(people: Visitors) -> None:
    """The owner puts the bot into the seat, and the person takes the seat back by a button."""
    anna = make_table(people, "gargon")
    bob = join(people, anna, size=PHONE)
    start(anna, bob)
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Players").click()
    anna.get_by_role("button", name="Let a bot play").click()
    bob.get_by_role("button", name="Take my seat back").click()
    expect(bob.locator(".on-notices")).to_be_hidden()
    expect(anna.locator(".ch-seat-note")).to_have_count(0)


def test_a_rematch_moves_the_people_one_seat_further_or_begins_without_who_has_left(
    people: Visitors,
) -> None:
    anna = make_table(people, "kuhn")
    bob = join(people, anna, size=PHONE)
    start(anna, bob)
    play_to_the_end(anna, bob)
    anna.locator(".ch-result").wait_for()
    keep = anna.get_by_role("link", name="Keep this game")
    replay = people.open(anna.context, keep.get_attribute("href") or "")
    replay.locator(".rp-page").wait_for()
    anna.get_by_role("button", name="Play again").click()
    expect(bob.locator(".on-finish-note")).to_contain_text(
        "Anna wants to play again. Waiting for you."
    )
    expect(anna.locator(".on-finish-note")).to_contain_text("You want to play again.")
    bob.get_by_role("button", name="Play again").click()
    for page in (anna, bob):
        expect(page.locator(".on-finish")).to_be_hidden()
    expect(bob).to_have_title("● Your turn · Kuhn poker")
    play_to_the_end(bob, anna)
    anna.get_by_role("button", name="Play again").click()
    expect(anna.locator(".on-finish-note")).to_contain_text("Waiting for Bob.")
    expect(anna.get_by_role("button", name="Start without")).to_have_count(0)
    bob.close()
    expect(anna.locator(".on-finish-note")).to_contain_text(
        "Bob has left: a bot would play until Bob is back."
    )
    anna.get_by_role("button", name="Start without Bob").click()
    expect(anna.locator(".on-finish")).to_be_hidden()


def play_to_the_end(first: Page, second: Page) -> None:
    """Play a game of Kuhn poker, which has two or three turns."""
    for page in (first, second, first):
        page.locator(f"{LEGAL}, .on-finish:not([hidden])").first.wait_for()
        if page.locator(".on-finish").is_visible():
            break
        play_one(page)


def test_a_seat_is_kept_by_the_browser_taken_to_other_devices_and_listed_in_the_lobby(
    people: Visitors,
) -> None:
    """A token that the server refuses does not replace the browser's saved token."""
    anna = make_table(people, "kuhn")
    bob = join(people, anna)
    start(anna, bob)
    void = people.open(bob.context, f"{path_of(anna)}#seat={'x' * 32}")
    void.get_by_role("button", name="Continue without this link").click()
    expect(void.locator(".ch-own .ch-player")).to_have_text("Bob")
    assert void.url == people.origin + path_of(anna)
    void.close()
    bob.reload()
    expect(bob.locator(".ch-own .ch-player")).to_have_text("Bob")
    second = people.open(anna.context, path_of(anna))
    expect(second.locator(".ch-own .ch-player")).to_have_text("Anna")
    play_one(second)
    expect(anna).to_have_title("Kuhn poker · cardhub")
    bob.get_by_role("button", name="Menu").click()
    bob.get_by_role("button", name="My seat on another device").click()
    bob.get_by_role("img", name="QR code: Link to the seat").wait_for()
    link = bob.get_by_label("Link to the seat", exact=True).first.input_value()
    phone = people.arrive(link.removeprefix(people.origin), PHONE)
    expect(phone.locator(".ch-own .ch-player")).to_have_text("Bob")
    assert phone.url == people.origin + path_of(anna)
    assert not any("seat=" in url for url in people.requests)
    headings = []
    for page in (anna, bob):
        page.goto(people.origin)
        page.locator(".on-tile").first.wait_for()
        headings.append(page.locator("h2:visible").all_inner_texts())
    assert headings == [["Your tables", "Choose a game", "Open tables"]] * 2
    expect(anna.locator(".on-section-own li")).to_contain_text("Your seat")
    expect(bob.locator(".on-section-own li")).to_contain_text("Your turn")
    bob.locator(".on-section-own li a").click()
    expect(bob.locator(".ch-own .ch-player")).to_have_text("Bob")
    stranger = people.arrive()
    stranger.locator(".on-tile").first.wait_for()
    expect(stranger.locator(".on-section-own")).to_be_hidden()


def test_people_talk_ask_and_take_actions_back(people: Visitors) -> None:
    """Chat, reasons, two clicks in a moment, takebacks, and a lost connection at one table."""
    anna = make_table(people, "kuhn")
    bob = join(people, anna, size=PHONE)
    start(anna, bob)
    anna.locator(".ch-prompt.is-own").wait_for()
    expect_reason_for_an_illegal_spot(anna, bob)
    expect_chat_is_marked_until_it_is_read(anna, bob)
    expect_a_choice_answers_the_view_that_is_drawn(anna, bob)
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Ask to take my action back").click()
    bob.get_by_role("button", name="Agree").click()
    expect(anna).to_have_title("● Your turn · Kuhn poker")
    # A lost connection is restored, with the actions in between.
    anna.evaluate("() => dispatchEvent(new Event('offline'))")
    bob.context.set_offline(True)
    play_one(anna)
    bob.context.set_offline(False)
    expect(bob).to_have_title("● Your turn · Kuhn poker")


def expect_reason_for_an_illegal_spot(anna: Page, bob: Page) -> None:
    """Expect a note that stays while others chat, and a dialog for a typed action."""
    anna.locator(".ch-own .ch-seat-line").click()
    note = anna.locator(".ch-details.is-pinned")
    expect(note).to_contain_text("Your choices now")
    bob.get_by_role("button", name="Chat").click()
    bob.get_by_label("Message").fill("hello")
    bob.keyboard.press("Enter")
    expect(bob.locator(".on-chat-line")).to_have_text(["Bob hello"])
    bob.keyboard.press("Escape")
    anna.get_by_role("button", name="Chat, 1 unread").wait_for()
    expect(note).to_be_visible()
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Why can't I").click()
    anna.get_by_label("Action", exact=True).fill("fold")
    anna.keyboard.press("Enter")
    expect(anna.locator(".on-answer")).to_contain_text("fold")
    anna.keyboard.press("Escape")


def expect_chat_is_marked_until_it_is_read(anna: Page, bob: Page) -> None:
    """Expect that markup in a chat line is shown as text."""
    anna.get_by_role("button", name="Chat").click()
    anna.get_by_label("Message").fill("<b onclick=x>good luck</b>")
    anna.keyboard.press("Enter")
    unread = bob.get_by_role("button", name="Chat, 1 unread")
    unread.click()
    lines = ["Bob hello", "Anna <b onclick=x>good luck</b>"]
    expect(bob.locator(".on-chat-line")).to_have_text(lines)
    bob.keyboard.press("Escape")
    expect(bob.get_by_role("button", name="Chat", exact=True)).to_be_focused()
    anna.keyboard.press("Escape")


def expect_a_choice_answers_the_view_that_is_drawn(anna: Page, bob: Page) -> None:
    """Expect that two clicks in the same moment send one action."""
    anna.locator(LEGAL).first.wait_for()
    sent = "() => window.sent.filter(text => text.includes('\"act\"')).length"
    anna.evaluate("""() => {
        window.sent = [];
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) { sent.push(text); send.call(this, text); };
        const [first, second] = document.querySelectorAll(".ch-actions [data-action]");
        first.click();
        second.click();
    }""")
    bob.locator(LEGAL).first.wait_for()
    assert anna.evaluate(sent) == 1


# How often a test clicks: a turn needs one to three clicks.
CLICKS = 20


def test_games_of_the_three_are_played_by_clicks(people: Visitors) -> None:
    """Click any legal spot or button; two of the windows are phones."""
    for game, size in (("gargon", PHONE), ("gamon", LAPTOP), ("garner", PHONE)):
        anna = table_with_easy_bots(people, game, size)
        anna.evaluate(PLAY_ON, CLICKS)
        assert anna.locator(".ch-log-line").count() > 3
        anna.context.close()


@pytest.mark.soak("three whole games by clicks in a browser")
def test_whole_games_of_the_three(people: Visitors) -> None:
    for game, size in (("gargon", PHONE), ("gamon", LAPTOP), ("garner", PHONE)):
        anna = table_with_easy_bots(people, game, size)
        assert anna.evaluate(PLAY_ON) > 0
        anna.locator(".ch-result").wait_for()
        anna.context.close()


def table_with_easy_bots(people: Visitors, game: str, size: tuple[int, int]) -> Page:
    """Return the window of a person who plays against easy bots."""
    anna = make_table(people, game, size=size)
    for seat in anna.locator(".on-chair select").all():
        seat.select_option("easy")
    start(anna)
    return anna


def test_a_person_with_a_new_browser_gets_the_own_seat_back(people: Visitors) -> None:
    anna = make_table(people, "kuhn")
    bob = join(people, anna)
    start(anna, bob)
    bob.context.close()
    again = people.arrive(path_of(anna))
    again.get_by_role("button", name="I am Bob").click()
    expect(again.locator(".on-notices")).to_contain_text("A visitor asks for the seat of Bob.")
    expect(anna.locator(".on-notices")).to_contain_text("A visitor says: I am Bob")
    anna.get_by_role("button", name="Agree").click()
    expect(again.locator(".ch-own .ch-you")).to_be_visible()
    expect(again.locator(".ch-own")).to_contain_text("Bob")
