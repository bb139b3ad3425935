"""The browser in which reports are tested and pictured."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

PACKED = Path(sys.prefix) / "browser"  # where tests/lab/report/get_browser.py puts one
NAMES = ("chromium", "chromium-headless-shell", "google-chrome", "chromium-browser")
NO_BROWSER = "no browser: `make test` gets one; or install chromium, or name a CARDHUB_BROWSER"


class BrowserCommand(NamedTuple):
    """An executable, and the environment variables that it needs."""

    path: str
    env: dict[str, str]


def find_browser() -> BrowserCommand | None:
    """Return the browser named by CARDHUB_BROWSER, else the packed one, else one of the system."""
    if named := os.environ.get("CARDHUB_BROWSER"):
        return BrowserCommand(named, {})
    if (PACKED / "package").exists():
        libraries, fonts = PACKED / "al2023" / "lib", PACKED / "fonts.conf"
        needed = {"LD_LIBRARY_PATH": str(libraries), "FONTCONFIG_FILE": str(fonts)}
        return BrowserCommand(str(PACKED / "chromium"), needed)
    installed = next(filter(None, map(shutil.which, NAMES)), None)
    return BrowserCommand(installed, {}) if installed else None


@contextmanager
def open_browser(command: BrowserCommand) -> Iterator[Browser]:
    """Start a browser without a window, and end it afterwards."""
    with sync_playwright() as playwright:
        env: dict[str, str | float | bool] = {**os.environ, **command.env}
        chromium = playwright.chromium.launch(executable_path=command.path, env=env)
        yield chromium
        chromium.close()
