"""A server of tables in a thread, and people who visit it in windows of one browser."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, BrowserContext, Page
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.server.web.serving import listen, table_server
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import PluginRegistry, find_plugins

# A laptop and a phone.
LAPTOP, PHONE = (1280, 800), (390, 844)


class Place(NamedTuple):
    """A running server: its address and its tables."""

    origin: str
    lobby: Lobby


@contextmanager
def running_place(
    folder: Path,
    registry: PluginRegistry,
    key: str = "",
    *,
    pace: float = 0,
    has_models: bool = False,
) -> Iterator[Place]:
    """Run a server in a separate thread; its bots answer immediately, and act at a pace.

    `has_models`: whether people can choose a language model; then bots run in processes.
    """
    options = ServerOptions(port=0, key=key)
    opener = Opener(registry, LoopScheduler(), pace=pace, is_inline=not has_models)
    lobby = Lobby(folder, opener, TableLimits(lets_models=has_models))
    with listen(options) as listening:
        server = table_server(lobby, options, listening)
        thread = Thread(target=server.run)
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield Place(f"http://127.0.0.1:{listening.getsockname()[1]}", lobby)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


class Visitors:
    """People with separate browser contexts: cookies, storage and windows."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser = browser
        self._stack = ExitStack()
        self.origin = origin
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def arrive(
        self, path: str = "/", size: tuple[int, int] = LAPTOP, name: str = "", **options: Any
    ) -> Page:
        """Open a page of the server as a new person."""
        width, height = size
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            **{"reduced_motion": "reduce", "has_touch": size == PHONE, **options},
        )
        self._stack.callback(context.close)
        context.set_default_timeout(1000 * PATIENCE)
        if name:
            context.add_init_script(f"localStorage.setItem('cardhub.name', '\"{name}\"')")
        return self.open(context, path)

    def open(self, context: BrowserContext, path: str) -> Page:
        """Open another window of a person."""
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(self.origin + path)
        return page

    def close(self) -> None:
        """Close all windows."""
        self._stack.close()


def make_table(visitors: Visitors, game: str, bots: Sequence[str] = (), **options: Any) -> Page:
    """Make a table as the lobby does; return the window of its owner, Anna.

    `bots`: the bot of each seat, empty for a person, in the order of seats.
    """
    body = {"game": game, "name": "Anna", **({"bots": list(bots)} if bots else {})}
    headers = {"Origin": visitors.origin, "Content-Type": "application/json"}
    request = Request(f"{visitors.origin}/tables", json.dumps(body).encode(), headers)
    with urlopen(request) as answer:  # http
        made = json.load(answer)
    page = visitors.arrive(f"/t/{made['table']}#seat={made['token']}", name="Anna", **options)
    page.locator(".on-chair.is-own").wait_for()
    return page


def play_random_bots(visitors: Visitors, game: str, **options: Any) -> Page:
    """Start a game against random bots, which answer at once on a busy machine too."""
    others = find_plugins().game(game).seats.default - 1
    page = make_table(visitors, game, ["", *["random"] * others], **options)
    start(page)
    page.locator(".ch-prompt.is-own").wait_for()
    return page


def make_in_lobby(visitors: Visitors, game: str) -> Page:
    """Make a table in the lobby; return the window of its owner, Anna."""
    page = visitors.arrive(name="Anna")
    page.locator(f'[data-game="{game}"]').click()
    page.get_by_role("button", name="Make the table").click()
    page.locator(".on-chair.is-own").wait_for()
    return page


def path_of(page: Page) -> str:
    """Return the path of a table."""
    return str(page.evaluate("location.pathname"))


def choose(page: Page, *names: str) -> None:
    """Press an entry of the menu, then buttons of its dialog."""
    page.get_by_role("button", name="Menu").click()
    for name in names:
        page.get_by_role("dialog").get_by_role("button", name=name, exact=True).first.click()


def join(visitors: Visitors, owner: Page, name: str = "Bob", **options: Any) -> Page:
    """Open the link of a table as another person, and sit down."""
    page = visitors.arrive(path_of(owner), name=name, **options)
    page.get_by_role("button", name="Sit down").click()
    page.locator(".on-chair.is-own").wait_for()
    return page


def start(*pages: Page) -> None:
    """Start the game; the first window is the owner's window."""
    pages[0].get_by_role("button", name="Start the game").click()
    for page in pages:
        page.locator(".ch-table").wait_for()


def play_one(page: Page) -> None:
    """Wait for the person's turn, and take a legal action by a click."""
    page.locator(LEGAL).first.wait_for()
    before = page.evaluate(CLICK)
    page.wait_for_function(
        "before => document.querySelector('.ch-header').textContent !== before"
        " || !document.querySelector('.ch-prompt.is-own')",
        arg=before,
    )


LEGAL = ".ch-table .ch-spot.is-legal, .ch-actions [data-action]"
CLICK = """() => {
    const header = document.querySelector(".ch-header").textContent;
    document.querySelector(".ch-table .ch-spot.is-legal, .ch-actions [data-action]").click();
    document.querySelector(".ch-details:not([hidden]) [data-action]")?.click();
    return header;
}"""
# Clicks a button of a dialog or menu, or else a spot or button, until the game is over or until
# `most` clicks. What is clicked depends on what the table offers, not on the time: it waits until a
# click has an effect, and at most three seconds.
PLAY_ON = """async (most) => {
    const visible = (selector) =>
        [...document.querySelectorAll(selector)].filter(e => e.checkVisibility());
    const text = (selector) => document.querySelector(selector)?.textContent;
    let clicks = 0, again = 0, patience = 0, last = "", before = "", isAction = false;
    for (let n = 0; n < 20000; n++) {
        if (visible(".on-finish").length) return clicks;
        const next = [visible("dialog[open] .is-primary, dialog[open] .on-button"),
            visible(".ch-details [data-action]"),
            visible(".ch-actions [data-action], .ch-table .ch-spot.is-legal")]
            .find(elements => elements.length) ?? [];
        const lines = document.querySelectorAll(".ch-log-line").length;
        const game = [text(".ch-header"), text(".ch-log-line:last-child"), lines].join();
        const offers = next.map(element => element.outerHTML).join();
        const after = isAction ? game : game + offers;
        if (next.length && (after !== before || patience-- <= 0)) {
            if (clicks === most) return clicks;
            again = game === last ? again + 1 : 0;
            const chosen = next[(lines * 7 + again) % next.length];
            isAction = "action" in chosen.dataset;
            [clicks, last, before, patience] =
                [clicks + 1, game, isAction ? game : game + offers, 250];
            chosen.click();
        }
        await new Promise(done => setTimeout(done, 12));
    }
    return -1;
}"""
