"""The page of a workbench: who may ask for it, and what an author does there."""

import http.client
import json
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cardhub.plugins.registry import find_plugins
from cardhub.testing.workbench.bench_messages import NewDeal
from cardhub.testing.workbench.bench_server import HOST, BenchServer
from cardhub.testing.workbench.workbench import Workbench


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BenchServer]:
    """Return the server of a workbench of Kuhn poker, with a first deal."""
    source = find_plugins().games()["kuhn"].source()
    assert source is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDHUB_HOME", str(tmp_path_factory.mktemp("home")))
        bench = Workbench([], "kuhn", source, check_seconds=0)
        with BenchServer(bench, 0) as serving:
            Thread(target=serving.serve_forever, daemon=True).start()
            bench.begin(NewDeal(0, {}, 1))
            yield serving
            bench.close()
            serving.shutdown()


def request(
    server: BenchServer, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, str]:
    connection = http.client.HTTPConnection(HOST, server.server_port)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, given)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_the_page_and_its_requests_need_the_secret_part_of_the_address(server: BenchServer) -> None:
    assert request(server, "GET", f"/{server.key}/")[0] == 200
    assert request(server, "GET", f"/{server.key}/state?after=-1")[0] == 200
    for path in ("/", "/state", "/wrong/", f"/{server.key[:-1]}/state", f"/{server.key}/other"):
        assert request(server, "GET", path)[0] == 404


def test_pages_under_other_names_of_this_machine_are_refused(server: BenchServer) -> None:
    path = f"/{server.key}/state?after=-1"
    assert request(server, "GET", path, Host="cards.example:80")[0] == 404


def test_commands_are_json_of_this_page(server: BenchServer) -> None:
    path, play = f"/{server.key}/command", {"type": "play", "actions": 0}
    kind = {"Content_Type": "application/json"}
    assert request(server, "POST", path, play, **kind) == (200, "{}")
    assert request(server, "POST", path, play, Content_Type="text/plain")[0] == 400
    assert request(server, "POST", "/command", play, **kind)[0] == 400
    status, body = request(server, "POST", path, {"type": "shout"}, **kind)
    assert (status, "refused" in json.loads(body)) == (200, True)
    status, body = request(server, "POST", path, {"type": "open", "name": ".."}, **kind)
    assert json.loads(body)["refused"].startswith("A name of a position has letters")


@pytest.fixture
def page(browser: Browser, server: BenchServer) -> Iterator[Page]:
    """Return the page, opened in a browser; errors in its console fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.goto(server.address)
    yield page
    context.close()
    assert errors == []


def test_an_author_acts_at_all_tables_goes_back_and_saves(page: Page) -> None:
    seats = page.locator(".be-seat")
    expect(seats).to_have_text(["Anna", "Bob", "All cards"])
    anna, bob = page.locator(".be-panel").nth(0), page.locator(".be-panel").nth(1)
    actions = page.locator(".be-actions li")
    page.get_by_label("seed", exact=True).fill("4")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(actions).to_have_count(1)
    anna.get_by_role("button", name="Check").click()
    expect(bob).to_have_class("be-panel is-asked")
    bob.get_by_role("button", name="Bet").click()
    expect(actions).to_have_text(["deal", "Anna: check", "Bob: bet"])
    page.get_by_placeholder("name").fill("a bet")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("saved positions")).to_be_enabled()
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".is-later")).to_have_text(["Bob: bet"])
    bob.get_by_role("button", name="Check").click()
    expect(actions).to_have_text(["deal", "Anna: check", "Bob: check", "end"])
    page.get_by_label("saved positions").select_option("a bet")
    expect(actions).to_have_text(["deal", "Anna: check", "Bob: bet"])
    page.get_by_role("button", name="To the end").click()
    expect(anna.get_by_role("region", name="Result")).to_contain_text("wins")
