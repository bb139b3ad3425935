"""Decisions of the owner and of visitors: failing bots, open seats, programs, summaries, hints."""

import asyncio
import re
from collections.abc import Callable
from random import Random
from threading import Thread
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect
from tests.kit.waiting import PATIENCE, wait_until
from tests.online.browser.visitors import (
    CLICK,
    LAPTOP,
    LEGAL,
    PHONE,
    Visitors,
    choose,
    join,
    make_table,
    path_of,
    play_one,
    start,
)
from typing_extensions import override

from cardhub.bots.random_bot import RandomBot
from cardhub.model.hidden.observation import Observation
from cardhub.online.remote.bots.bot_connection import BotConnection, BotListener
from cardhub.online.remote.bots.bot_player import BotPlayer
from cardhub.online.remote.table_address import parse_address
from cardhub.plugins.registry import find_plugins


class BrokenBots(NamedTuple):
    """Random bots that raise an exception until `repair` is called; `faults`: one for each."""

    faults: list[ZeroDivisionError]
    repair: Callable[[], None]


@pytest.fixture
def broken_bots(monkeypatch: pytest.MonkeyPatch) -> BrokenBots:
    """Let random bots raise an exception."""
    faults, real = list[ZeroDivisionError](), RandomBot.choose

    def fail(bot: RandomBot, observation: Observation[Any], /) -> int:
        faults.append(ZeroDivisionError("planted"))
        raise faults[-1]

    monkeypatch.setattr(RandomBot, "choose", fail)
    return BrokenBots(faults, lambda: monkeypatch.setattr(RandomBot, "choose", real))


def table_with_a_bot(people: Visitors, level: str = "random") -> tuple[Page, Page]:
    """Return the windows of the owner of a table with a bot, and of a spectator."""
    anna = make_table(people, "kuhn", ["", level])
    watcher = people.arrive(path_of(anna), name="Wim", size=PHONE)
    start(anna)
    return anna, watcher


def test_the_owner_has_a_failing_bot_asked_again(people: Visitors, broken_bots: BrokenBots) -> None:
    """Others see its fault, and that the owner decides."""
    anna, watcher = table_with_a_bot(people)
    play_one(anna)
    expect(watcher.locator(".on-notices")).to_contain_text("The owner of the table decides")
    expect(watcher.locator(".on-notices").get_by_role("button")).to_have_count(0)
    notice = anna.locator(".on-notice.is-fault")
    expect(notice).to_contain_text("The bot Bob (random) raised an exception.")
    anna.get_by_role("button", name="Ask the bot again").click()
    wait_until(lambda: len(broken_bots.faults) == 2)
    expect(notice).to_be_visible()
    broken_bots.repair()
    anna.get_by_role("button", name="Ask the bot again").click()
    expect(notice).to_be_hidden()
    expect(watcher.locator(".on-notices")).to_be_hidden()


def test_the_owner_replaces_a_failing_bot(people: Visitors, broken_bots: BrokenBots) -> None:
    anna = make_table(people, "kuhn", ["", "random"])
    start(anna)
    play_one(anna)
    lines = anna.locator(".ch-log-line")
    before = lines.count()
    anna.get_by_role("button", name="Another bot").click()
    expect(anna.locator(".on-notices")).to_be_hidden()
    wait_until(lambda: lines.count() > before)


def test_an_open_seat_is_taken_by_a_visitor(people: Visitors) -> None:
    """A visitor without a name is asked for one; the person who gave up the seat watches."""
    anna = make_table(people, "gamon")
    bob = join(people, anna)
    start(anna, bob)
    carl = people.arrive(path_of(anna), size=PHONE)
    choose(bob, "Give up my seat", "Give it up")
    carl.get_by_role("button", name="Sit down").click()
    carl.get_by_label("Your name").fill("Carl")
    carl.keyboard.press("Enter")
    expect(carl.locator(".on-notices")).to_contain_text("Carl, a visitor, asks to take a seat.")
    expect(anna.locator(".on-notices")).to_contain_text("and would see its hand.")
    anna.get_by_role("button", name="Agree").click()
    expect(carl.locator(".ch-own .ch-player")).to_have_text("Carl")
    expect(anna.locator(".on-notices")).to_be_hidden()
    expect(bob.get_by_role("button", name="Hint", exact=True)).to_be_hidden()


def test_the_owner_offers_the_seat_of_a_bot(people: Visitors) -> None:
    """The bot plays until a person sits down, whom the other people accept."""
    anna, watcher = table_with_a_bot(people, "easy")
    expect(watcher.get_by_role("button", name="Sit down")).to_have_count(0)
    choose(anna, "Players", "Offer this seat")
    watcher.get_by_role("button", name="Sit down").click()
    watcher.keyboard.press("Enter")
    anna.get_by_role("button", name="Refuse").click()
    watcher.get_by_role("button", name="Sit down").click()
    watcher.keyboard.press("Enter")
    anna.get_by_role("button", name="Agree").click()
    expect(watcher.locator(".ch-own .ch-player")).to_have_text("Wim")


class Silent(BotListener):
    """Ignores all messages to a bot."""

    @override
    def on_started(self, game: str, seat: int) -> None:
        return None

    @override
    def on_fault(self, why: str) -> None:
        return None

    @override
    def on_lost(self, why: str) -> None:
        return None

    @override
    def on_over(self) -> None:
        return None


def test_a_program_takes_a_seat_by_its_link(people: Visitors) -> None:
    """The owner reserves a seat for a program; the table waits for the program."""
    anna = make_table(people, "kuhn")
    anna.get_by_label("Seat 2").select_option("advanced")
    anna.get_by_label("Seat 2").select_option("network")
    expect(anna.locator(".on-chair").nth(1)).to_contain_text("Network bot")
    anna.get_by_role("button", name="Link (seat 2)").click()
    expect(anna.get_by_role("dialog")).to_contain_text("cardhub bot connect")
    link = anna.get_by_label("Link to the seat", exact=True).first.input_value()
    anna.keyboard.press("Escape")
    start(anna)
    play_one(anna)
    expect(anna).to_have_title("Kuhn poker · cardhub")
    player = BotPlayer(find_plugins(), "random")
    connection = BotConnection(parse_address(link), player, Silent(), Random(1))
    thread = Thread(target=lambda: asyncio.run(connection.run()))
    thread.start()
    try:
        anna.locator(f"{LEGAL}, .on-finish:not([hidden])").first.wait_for()
    finally:
        connection.close()
        thread.join(PATIENCE)
    assert not thread.is_alive()


# The parts of the table of which a hint covers more than a pixel.
PARTS_UNDER_THE_HINT = """() => {
  const hint = document.querySelector(".on-hint-panel").getBoundingClientRect();
  return [".ch-felt", ".ch-bottom", ".ch-header", ".ch-others"].filter((part) => {
    const box = document.querySelector(part).getBoundingClientRect();
    const across = Math.min(hint.right, box.right) - Math.max(hint.left, box.left);
    return across > 1 && Math.min(hint.bottom, box.bottom) - Math.max(hint.top, box.top) > 1;
  });
}"""


def test_a_hint_marks_the_table_and_does_not_cover_it(people: Visitors) -> None:
    """At most three actions have numbers; a button carries the best one out."""
    anna = make_table(people, "kuhn", ["", "easy"])
    start(anna)
    anna.locator(LEGAL).first.wait_for()
    anna.get_by_role("button", name="Hint", exact=True).click()
    panel = anna.get_by_role("status", name="Hint")
    panel.get_by_role("list").wait_for()
    expect(panel).to_contain_text("Ratings by")
    rows = panel.locator(".on-hint-row").count()
    assert 1 <= rows <= 3
    for width, height in (LAPTOP, PHONE):
        anna.set_viewport_size({"width": width, "height": height})
        for rank in range(1, rows + 1):
            expect(anna.locator(f".is-hint-{rank}").first).to_be_visible()
        # The table draws itself anew after its size has changed; its boxes are read at once.
        wait_until(lambda: not anna.evaluate(PARTS_UNDER_THE_HINT))
    before = anna.locator(".ch-log-line").count()
    panel.locator(".is-primary").click()
    expect(panel).to_be_hidden()
    expect(anna.locator(".is-hinted")).to_have_count(0)
    wait_until(lambda: anna.locator(".ch-log-line").count() > before)


def test_the_costliest_moves_are_named_after_a_game(people: Visitors) -> None:
    anna, watcher = table_with_a_bot(people)
    finish = anna.get_by_role("button", name="My costliest moves")
    while not finish.is_visible():
        play_one(anna)
    finish.click()
    panel = anna.get_by_role("status", name="Your costliest moves")
    expect(panel).to_contain_text(re.compile(r"has looked at (all \d+ of your decisions|it)\."))
    expect(panel).to_contain_text(re.compile("You chose|no decision cost you anything"))
    expect(watcher.get_by_role("button", name="My costliest moves")).to_have_count(0)
    if panel.get_by_role("button", name="Choose again").count():
        panel.get_by_role("button", name="Choose again").first.click()
        expect(panel).to_contain_text("In the game you chose")
        expect(anna.locator(".ch-prompt")).to_contain_text("Your turn")
        anna.evaluate(CLICK)
        expect(panel).to_contain_text(re.compile("You chose “.*You can choose again"))
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


def test_a_table_without_helps_has_no_hints(people: Visitors) -> None:
    anna = make_table(people, "kuhn")
    anna.get_by_text("Options").click()
    anna.get_by_label("Hints and undo").uncheck()
    start(anna)
    expect(anna.get_by_role("button", name="Hint", exact=True)).to_be_hidden()
    expect(anna.get_by_role("button", name="Undo")).to_have_count(0)


PLAY_TO_SUMMARY = """async () => {
    for (let n = 0; n < 400 && !document.querySelector("dialog[open]"); n++) {
        const target = [".ch-details:not([hidden]) [data-action]", ".ch-actions [data-action]",
            ".ch-table .ch-spot.is-legal"]
            .map(selector => document.querySelector(selector)).find(Boolean);
        target?.click();
        await new Promise(done => setTimeout(done, 12));
    }
}"""


def test_who_has_read_a_summary_sees_for_whom_the_game_waits(people: Visitors) -> None:
    anna = make_table(people, "gamon")
    bob = join(people, anna)
    start(anna, bob)
    for page in (anna, bob):
        page.evaluate(f"() => void ({PLAY_TO_SUMMARY})()")  # both play at the same time
    for page in (anna, bob):
        page.get_by_role("dialog").wait_for()
    notices = anna.locator(".on-notices")
    expect(notices).not_to_contain_text("to read the end of the round")
    anna.get_by_role("dialog").get_by_role("button").last.click()
    expect(notices).to_have_text("Waiting for Bob to read the end of the round.")
    bob.get_by_role("dialog").get_by_role("button").last.click()
    expect(notices).not_to_contain_text("Waiting for Bob")


def test_a_summary_is_read_before_the_next_round(people: Visitors) -> None:
    """Bots wait until the dialog is closed; a reload shows the dialog again."""
    anna = make_table(people, "gamon", ["", "easy"])
    start(anna)
    anna.evaluate(PLAY_TO_SUMMARY)
    dialog = anna.get_by_role("dialog")
    text = dialog.inner_text()
    anna.reload()
    expect(dialog).to_have_text(text, use_inner_text=True)
    dialog.get_by_role("button").last.click()
    expect(dialog).to_have_count(0)
    anna.locator(LEGAL).first.wait_for()
