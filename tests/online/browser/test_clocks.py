"""Clocks in the page of a game: all people see all clocks, and one clock runs."""

from playwright.sync_api import expect
from tests.online.browser.visitors import Visitors, join, make_table, start


def test_the_clock_of_the_seat_to_act_runs(people: Visitors) -> None:
    anna = make_table(people, "kuhn")
    anna.get_by_text("Options").click()
    anna.get_by_label("Clock").select_option(index=1)
    bob = join(people, anna)
    start(anna, bob)
    own, other = bob.locator('[data-clock="1"]'), bob.locator('[data-clock="0"]')
    before, stopped = other.inner_text(), own.inner_text()
    expect(other).not_to_have_text(before)
    expect(own).to_have_text(stopped)
    expect(anna.locator(".ch-clock.is-running")).to_have_attribute("data-clock", "0")
