"""A language model at a table: people see which one it is, and for how long it thinks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.kit.model_server import ModelServer, running_server
from tests.kit.waiting import wait_until
from tests.online.browser.visitors import PHONE, Visitors, make_table, running_place, start

from cardhub.bots.language.entry import USUAL
from cardhub.plugins.registry import find_plugins

MODEL = "llm:gpt-5-mini"


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Run the server of a model that the host has set up."""
    with running_server() as models:
        monkeypatch.setenv(USUAL, f"gpt-5-mini,url={models.url}")
        yield models


@pytest.fixture
def people(browser: Browser, tmp_path: Path, models: ModelServer) -> Iterator[Visitors]:
    """Return the visitors of a server whose bots run in processes, with language models."""
    with running_place(tmp_path, find_plugins(), has_models=True) as place:
        visitors = Visitors(browser, place.origin)
        yield visitors
        models.open.set()
        visitors.close()
        assert visitors.complaints == []


# The edges of the regions and what the prompt shows, read at once.
SEEN = """() => ({
    edges: [...document.querySelectorAll(".ch-header, .ch-felt, .ch-bottom")].map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return [Math.round(top), Math.round(bottom)];
    }),
    busy: document.querySelector(".ch-busy")?.innerText ?? "",
})"""


def table_with_model(people: Visitors) -> Page:
    """Return the page of a person on a phone, who plays Kuhn poker with a language model."""
    page = make_table(people, "kuhn", size=PHONE)
    page.get_by_label("Seat 2").select_option("advanced")
    page.get_by_label("Seat 2").select_option(MODEL)
    expect(page.locator(".on-chair").nth(1)).to_contain_text("Language model: gpt-5-mini")
    start(page)
    return page


def test_people_see_the_model_and_its_seconds_and_leaving_ends_its_request(
    people: Visitors, models: ModelServer
) -> None:
    models.open.clear()
    page = table_with_model(people)
    page.get_by_role("button", name="check").click()
    wait_until(lambda: models.requests)
    busy = page.locator(".ch-busy")
    expect(busy).to_contain_text("(model gpt-5-mini)thinks · ")
    before = page.evaluate(SEEN)
    expect(busy).not_to_have_text(before["busy"])
    assert page.evaluate(SEEN)["edges"] == before["edges"]
    # The table answers its people meanwhile.
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="check")).to_be_visible()
    expect(busy).to_have_count(0)
    wait_until(lambda: models.abandoned)
