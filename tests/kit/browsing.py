"""Pages in a browser: one browser for all tests of a worker, and the pages that a test opens."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser import NO_BROWSER, find_browser, open_browser
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect
from tests.kit.waiting import PATIENCE

expect.set_options(timeout=1000 * PATIENCE)
# Returns the elements that reach beyond the right edge of the window, outside of scrolled regions.
BEYOND = """() => [...document.querySelectorAll("body *")]
    .filter(e => !e.closest(".scroll, .ch-own-line") && e.checkVisibility() && !e.matches(".skip"))
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
    .map(e => e.outerHTML.slice(0, 100))"""
# Returns the contrast of text to its background for each of the CSS selectors.
CONTRAST = """names => {
    const light = text => text.match(/[0-9.]+/g).slice(0, 3).map(n => n / 255)
        .map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4)
        .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => {
        const found = getComputedStyle(e).backgroundColor;
        return found === "rgba(0, 0, 0, 0)" ? behind(e.parentElement) : found;
    };
    const ratio = e => {
        const both = [light(getComputedStyle(e).color), light(behind(e))];
        return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    };
    return Object.fromEntries(names.map(n => [n, ratio(document.querySelector(n))]));
}"""


@dataclass
class Visit:
    """An opened page, its requests and its errors."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def heed(self, message: ConsoleMessage) -> None:
        """Collect the browser's messages."""
        self.complaints.append(message.text)

    def follow(self, request: Request) -> None:
        """Collect the requests."""
        self.requests.append(request.url)


class SharedBrowser:
    """A browser without a window, started by the first test of a worker that needs it.

    Playwright keeps the event loop of its thread running while a browser is open. A test could not
    run a coroutine then: the browser is closed before a test that does not use it.
    """

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._stack = ExitStack()

    def open(self) -> Browser:
        """Return the browser; skip the test if there is none."""
        if self._browser is None:
            command = find_browser()
            if command is None:
                pytest.skip(NO_BROWSER)
            self._browser = self._stack.enter_context(open_browser(command))
        return self._browser

    def close(self) -> None:
        """End the browser, if it is open."""
        self._browser = None
        self._stack.close()


class Visitor:
    """Opens each page in a separate window, without a network."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stack = ExitStack()

    def __call__(
        self,
        path: Path,
        width: int = 1280,
        height: int = 800,
        scripts: bool = True,
        scheme: Any = "light",
        **options: Any,
    ) -> Visit:
        """Open a file; `options` go to `Browser.new_context`, for example `has_touch`."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            java_script_enabled=scripts,
            offline=True,
            **options,
        )
        self._stack.callback(context.close)
        context.set_default_timeout(1000 * PATIENCE)
        seen = Visit(context.new_page())
        seen.page.on("console", seen.heed)
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.on("request", seen.follow)
        seen.page.goto(path.as_uri())
        return seen

    def close(self) -> None:
        """Close all windows."""
        self._stack.close()
