"""The field for an amount in the browser."""

from playwright.sync_api import expect
from tests.online.browser.visitors import PHONE, Visitors, join, make_table, start


def test_an_amount_is_set_by_number_slider_or_shortcut_and_taken_by_enter(people: Visitors) -> None:
    anna = make_table(people, "holdem")
    anna.get_by_text("Options").click()
    anna.get_by_role("combobox", name="Seats").select_option("2")
    expect(anna.locator(".on-chair")).to_have_count(2)
    bob = join(people, anna, size=PHONE)
    start(anna, bob)
    raises = anna.locator(".ch-actions .has-amounts")
    expect(raises).to_have_text("Raise to 4–100")
    raises.click()
    field, take = anna.locator(".ch-amount-number"), anna.locator(".ch-amount .is-primary")
    expect(take).to_have_text("Raise to 4")
    anna.locator(".ch-shortcut", has_text="all-in").click()
    expect(take).to_have_text("Raise to 100")
    field.fill("101")
    expect(take).to_be_disabled()
    expect(anna.locator(".ch-amount-problem")).to_have_text("The amount must be from 4 to 100.")
    field.fill("")
    expect(anna.locator(".ch-amount-slider")).to_have_value("100")
    field.fill("12")
    expect(anna.locator(".ch-amount-slider")).to_have_value("12")
    field.press("Enter")
    expect(bob.locator(".ch-log")).to_contain_text("Anna raises to 12")
    width = "document.documentElement.scrollWidth <= innerWidth"
    bob.locator(".ch-actions .has-amounts").click()
    expect(bob.locator(".ch-amount")).to_be_visible()
    first, second = (button.bounding_box() for button in bob.locator(".ch-shortcut").all()[:2])
    assert first is not None
    assert second is not None
    assert first["x"] + first["width"] + 6 <= second["x"], "the shortcuts touch"
    assert bob.evaluate(width), "the field is wider than a phone"
