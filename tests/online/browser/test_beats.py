"""Beats in the browser: a complete trick stays on the table until people have read it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.online.browser.visitors import LEGAL, Place, Visitors, make_table, running_place, start

from cardhub.model.table import beats
from cardhub.plugins.registry import find_plugins

TRICK = 4
PACE = 0.1
# Notes each sentence of the table with the cards before the players, and when it came, in seconds.
WATCH = """() => {
    window.notes = [];
    const note = () => {
        const prompt = document.querySelector(".ch-prompt")?.innerText.trim();
        if (!prompt || prompt === notes.at(-1)?.prompt) return;
        const cards = document.querySelectorAll(".ch-of-front [data-token]").length;
        notes.push({ prompt, cards, at: performance.now() / 1000 });
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
}"""
TAKEN = "takes the trick"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Return a running server whose bots act fast."""
    folder = tmp_path_factory.mktemp("tables")
    with running_place(folder, find_plugins(), pace=PACE) as place:
        yield place


def play_a_trick(page: Page) -> None:
    """Take legal actions until a trick is complete."""
    moment = page.locator(f".ch-prompt:has-text('{TAKEN}'), {LEGAL}").first
    while True:
        moment.wait_for()
        if TAKEN in page.locator(".ch-prompt").inner_text():
            return
        page.evaluate(f'() => document.querySelector("{LEGAL}")?.click()')


def test_a_complete_trick_stays_for_at_least_0_8_seconds_or_until_a_tap(
    people: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beats, "LEAST_SECONDS", 0.8 * beats.USUAL_PACE / PACE)
    anna = make_table(people, "hearts")
    for seat in anna.locator(".on-chair select").all():
        seat.select_option("easy")
    start(anna)
    anna.evaluate(WATCH)
    play_a_trick(anna)
    expect(anna.locator(".ch-prompt")).not_to_contain_text(TAKEN)
    notes = anna.evaluate("() => notes")
    at = next(number for number, note in enumerate(notes) if TAKEN in note["prompt"])
    assert notes[at]["cards"] == TRICK
    assert notes[at + 1]["at"] - notes[at]["at"] >= 0.8
    monkeypatch.setattr(beats, "LEAST_SECONDS", 1000.0)
    play_a_trick(anna)
    # The card of the winner glows before the cards move.
    glowing = anna.locator(".ch-lane.is-of-beat .is-in-beat")
    assert glowing.count() == anna.locator(".ch-middle .is-in-beat").count() == 1
    winner = anna.locator(".ch-lane.is-of-beat .ch-owner").inner_text()
    assert anna.locator(".ch-prompt").inner_text().startswith(winner.replace("you", "Anna"))
    anna.locator(".ch-felt").click(position={"x": 5, "y": 5})
    expect(anna.locator(".ch-prompt")).not_to_contain_text(TAKEN)
    anna.locator(LEGAL).first.wait_for()


SAMPLE = 100  # milliseconds
CARDS_OF_TRICK = "() => document.querySelectorAll('.ch-of-front [data-token]').length"
# Replaces the clock of long waits, such as beats: the test moves the time on.
OWN_CLOCK = """() => {
    const later = [], soon = window.setTimeout;
    let now = 0;
    window.setTimeout = (call, wait, ...values) =>
        wait < 500 ? soon(call, wait, ...values) : -later.push({ call, at: now + wait });
    window.moveOn = (wait) => {
        now += wait;
        const due = later.filter(({ at }) => at <= now);
        for (const entry of due) later.splice(later.indexOf(entry), 1);
        for (const { call } of due) call();
    };
}"""
# Returns whether a trick is complete; if not, time goes on and a legal action is taken.
PLAY_ON_TO_TRICK = f"""() => {{
    if (document.querySelector(".ch-prompt").innerText.includes("{TAKEN}")) return true;
    moveOn({SAMPLE});
    document.querySelector("{LEGAL}")?.click();
    return false;
}}"""


def test_each_sample_of_0_8_seconds_shows_a_whole_trick_at_the_normal_pace(
    browser: Browser, tmp_path: Path
) -> None:
    with running_place(tmp_path, find_plugins(), pace=beats.USUAL_PACE) as place:
        people = Visitors(browser, place.origin)
        anna = make_table(people, "hearts")
        for seat in anna.locator(".on-chair select").all():
            seat.select_option("easy")
        start(anna)
        anna.evaluate(OWN_CLOCK)
        while not anna.evaluate(PLAY_ON_TO_TRICK):
            anna.wait_for_timeout(50)
        samples = []
        while TAKEN in anna.locator(".ch-prompt").inner_text():
            samples.append(anna.evaluate(CARDS_OF_TRICK))
            anna.evaluate("wait => moveOn(wait)", SAMPLE)
        people.close()
    assert set(samples) == {TRICK}
    assert len(samples) * SAMPLE >= 800
