"""Notes show the whole text of a card and cover no button."""

from playwright.sync_api import expect
from tests.kit.waiting import wait_until
from tests.online.browser.visitors import PHONE, Visitors, make_table, start


def test_a_finger_that_rests_on_a_card_reads_its_text_and_its_choices(people: Visitors) -> None:
    anna = make_table(people, "gamon", size=PHONE)
    start(anna)
    card = anna.locator(".ch-look-hand .ch-card.is-legal.has-text").first
    while not card.count():
        # Not a click that waits for a button: after the last one, there may be none.
        anna.evaluate("document.querySelector('.ch-actions [data-action]')?.click()")
        anna.wait_for_timeout(20)
    text = card.locator(".ch-text").get_attribute("data-text") or ""
    card.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    note = anna.locator(".ch-details.is-pinned")
    expect(note).to_contain_text("Your choices here")
    expect(note).to_contain_text(text)


NOTE_LEAVES_THE_BUTTONS = """() => {
  const [note, buttons] = [".ch-details", ".ch-actions"].map((part) =>
    document.querySelector(part).getBoundingClientRect());
  return note.bottom <= buttons.top || note.top >= buttons.bottom;
}"""


def test_a_note_covers_no_button(people: Visitors) -> None:
    anna = make_table(people, "gargon")
    start(anna)
    anna.locator(".ch-look-hand .is-legal").first.click()
    anna.locator(".ch-undo").wait_for()
    for card in anna.locator(".ch-look-hand .ch-card").all():
        card.hover()
        note = anna.locator(".ch-details")
        note.wait_for()
        wait_until(lambda: anna.evaluate(NOTE_LEAVES_THE_BUTTONS))
        anna.mouse.move(0, 0)
        note.wait_for(state="hidden")
