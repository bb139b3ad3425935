"""Frozen pages, servers with a key, and hostile texts and links."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.online.browser.visitors import (
    Place,
    Visitors,
    join,
    make_table,
    path_of,
    play_one,
    running_place,
    start,
)

from cardhub.plugins.registry import find_plugins

KEY = "open <sesame>"


def test_a_frozen_page_shows_the_present_when_it_goes_on(people: Visitors) -> None:
    anna = make_table(people, "kuhn")
    bob = join(people, anna)
    start(anna, bob)
    page = bob.context.new_cdp_session(bob)
    page.send("Page.setWebLifecycleState", {"state": "frozen"})
    play_one(anna)
    page.send("Page.setWebLifecycleState", {"state": "active"})
    expect(bob).to_have_title("● Your turn · Kuhn poker")
    play_one(bob)


@pytest.fixture
def guarded(browser: Browser, tmp_path: Path) -> Iterator[Visitors]:
    """Return visitors of a server that requires a key to make tables."""
    with running_place(tmp_path / "tables", find_plugins(), KEY) as place:
        people = Visitors(browser, place.origin)
        yield people
        people.close()


def test_a_table_is_made_with_the_key_of_the_server(guarded: Visitors) -> None:
    """The server refuses a wrong key, the page saves the right key, and guests do not need it."""
    anna = guarded.arrive(name="Anna")
    for attempt in ("sesame", KEY):
        anna.locator("[data-game=kuhn]").click()
        anna.get_by_label("Key").fill(attempt)
        anna.get_by_role("button", name="Make the table").click()
        if attempt != KEY:
            expect(anna.get_by_role("status")).to_contain_text("not the key of this server")
            anna.keyboard.press("Escape")
    anna.locator(".on-chair.is-own").wait_for()
    join(guarded, anna)
    lobby = guarded.open(anna.context, "/")
    lobby.locator("[data-game=kuhn]").click()
    expect(lobby.get_by_label("Key")).to_have_value(KEY)


# These texts set `window.ran` if a page parses them as markup or runs them as a script.
NAME = "<svg onload=ran=1>"
LINES = (
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
    "[link](javascript:ran=1) `${window.ran=1}` {{ran=1}} &lt;script&gt;",
)
RAN = "() => window.ran"


def test_texts_of_people_never_run(people: Visitors) -> None:
    """Check names and chat lines in the setup, at the table, and in its log, dialogs and result."""
    anna = make_table(people, "kuhn")
    mallory = people.arrive(path_of(anna), name=NAME)
    mallory.get_by_role("button", name="Sit down").click()
    expect(anna.locator(".on-chair").nth(1)).to_contain_text(NAME)
    start(anna, mallory)
    mallory.get_by_role("button", name="Chat").click()
    for line in LINES:
        mallory.get_by_label("Message").fill(line)
        mallory.keyboard.press("Enter")
    anna.get_by_role("button", name=f"Chat, {len(LINES)} unread").click()
    expect(anna.locator(".on-chat-line")).to_have_text([f"{NAME} {line}" for line in LINES])
    anna.keyboard.press("Escape")
    anna.get_by_role("button", name="Menu").click()
    anna.get_by_role("button", name="Players").click()
    expect(anna.get_by_role("dialog")).to_contain_text(NAME)
    anna.keyboard.press("Escape")
    for page in (anna, mallory, anna):
        if not page.locator(".on-finish").is_visible():
            play_one(page)
    anna.locator(".ch-result").wait_for()
    replay = people.open(anna.context, f"{path_of(anna)}/replay/1.html")
    replay.locator(".rp-page").wait_for()
    for page in (anna, mallory, replay):
        assert page.evaluate(RAN) is None
        expect(page.locator("body")).to_contain_text(NAME)


def test_a_hostile_link_is_shown_as_text(people: Visitors) -> None:
    """An invalid id opens the lobby; an invalid token is refused as unknown."""
    for path, shown in (
        ("/t/<img src=x onerror=ran=1>", ".on-tile"),
        ("/t/abcdefghijklmnop#seat=<svg/onload=ran=1>", ".on-closed"),
    ):
        page = people.arrive(path)
        page.locator(shown).first.wait_for()
        assert page.evaluate(RAN) is None


PLANT = """(kind) => {
    const [tag, fill] = {
        script: ["script", (e) => { e.textContent = "window.ran = 1"; }],
        handler: ["img", (e) => { e.setAttribute("onerror", "window.ran = 1"); e.src = "data:,"; }],
        frame: ["iframe", (e) => { e.srcdoc = "<script>parent.ran = 1</script>"; }],
        remote: ["script", (e) => { e.src = "http://127.0.0.1:9/ran.js"; }],
        link: ["a", (e) => { e.href = "javascript:window.ran = 1"; }],
    }[kind];
    const planted = document.createElement(tag);
    fill(planted);
    const refused = new Promise(done => {
        document.addEventListener("securitypolicyviolation",
            event => done(event.effectiveDirective), {once: true});
        setTimeout(() => done("not refused"), 2000);
    });
    document.body.append(planted);
    planted.click();
    return refused;
}"""


def test_injected_markup_does_not_run(browser: Browser, place: Place) -> None:
    """The policy refuses inline scripts, handlers, frames and scripts from other hosts."""
    page = browser.new_page()
    page.goto(place.origin)
    for kind in ("script", "handler", "remote", "link"):
        assert "script-src" in planted(page, kind), kind
    planted(page, "frame")  # its script is refused within the frame
    assert page.evaluate(RAN) is None
    page.close()


def planted(page: Page, kind: str) -> str:
    """Insert an element into a page; return the policy's directive that refuses it."""
    return str(page.evaluate(PLANT, kind))
