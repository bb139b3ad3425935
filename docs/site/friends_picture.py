"""The picture of a table of friends: a laptop, and a phone at the same table."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import sleep

from playwright.sync_api import Browser, Page
from typing_extensions import override

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.web.serving import listen, table_server
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.plugins.registry import find_plugins

LAPTOP, PHONE = (1040, 760), (380, 760)
SEED = 17
FIRST = ".ch-bottom .ch-card.is-legal"
QUALITY = 68  # shades of the felt would make a PNG three times as large
SHEET = "<body style='margin:0;display:flex;gap:20px;padding:20px;background:#fff'>"
FRAME = (
    "<img style='border:1px solid #0004;border-radius:14px;box-shadow:0 4px 18px #0003' src='{}'>"
)


class SeededOpener(Opener):
    """Starts every game with the same deal."""

    @override
    def start(self, new: NewGame) -> Host:
        return super().start(replace(new, seed=SEED))


def photograph_friends(browser: Browser, folder: Path) -> bytes:
    """Return a picture of a laptop and a phone at a table of Gargon as JPEG."""
    with _serving(folder) as origin:
        anna, bob = _visitor(browser, LAPTOP, "Anna"), _visitor(browser, PHONE, "Bob")
        anna.goto(origin)
        anna.locator('[data-game="gargon"]').click()
        anna.get_by_role("button", name="Make the table").click()
        anna.locator(".on-chair.is-own").wait_for()
        bob.goto(anna.url)
        bob.get_by_role("button", name="Sit down").click()
        bob.locator(".on-chair.is-own").wait_for()
        anna.get_by_role("button", name="Start the game").click()
        for page in (anna, anna, anna, bob):
            page.locator(FIRST).first.click()
            page.mouse.move(0, 0)  # away from the cards, whose notes would open
            page.wait_for_timeout(400)
        return _beside(browser, folder, (anna, bob))


def _beside(browser: Browser, folder: Path, pages: tuple[Page, ...]) -> bytes:
    names = [f"{number}.png" for number, _ in enumerate(pages)]
    for name, page in zip(names, pages, strict=True):
        page.screenshot(path=folder / name)
    (folder / "sheet.html").write_text(SHEET + "".join(map(FRAME.format, names)), "utf-8")
    width = sum(size[0] for size in (LAPTOP, PHONE)) + 66
    sheet = browser.new_page(viewport={"width": width, "height": LAPTOP[1] + 42})
    sheet.goto((folder / "sheet.html").as_uri())
    return sheet.screenshot(type="jpeg", quality=QUALITY)


def _visitor(browser: Browser, size: tuple[int, int], name: str) -> Page:
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        has_touch=size == PHONE,
        color_scheme="dark" if size == PHONE else "light",
    )
    page.add_init_script(f"localStorage.setItem('cardhub.name', '\"{name}\"')")
    return page


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    options = ServerOptions(port=0)
    opener = SeededOpener(find_plugins(), LoopScheduler(), pace=0, is_inline=True)
    with listen(options) as listening:
        server = table_server(Lobby(folder / "tables", opener), options, listening)
        thread = Thread(target=server.run)
        thread.start()
        try:
            while not server.started:
                sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)
