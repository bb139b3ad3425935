"""Draw the pictures of the pages: `python docs/site/pictures.py [FOLDER] [NAME...]`.

The same program gives the same files. The report of a match and the table of friends need a
browser: `make test` gets one.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from browser import NO_BROWSER, BrowserCommand, find_browser, open_browser
from click.testing import CliRunner
from friends_picture import photograph_friends
from rich.console import Console, ConsoleDimensions, RenderableType
from rich.text import Text
from screen_pictures import SCREENS, TABLES, table_picture, with_local_fonts
from typing_extensions import override

from cardhub.cli.main import cli
from cardhub.cli.match.live_display import LiveState, render
from cardhub.lab.analysis import analyse
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.report.report_files import HTML, result_in, write_reports
from cardhub.plugins.registry import find_plugins

MATCH_SIZE = (80, 16)
REPORT_SIZE = (880, 875)  # pixels: from the top of the page
CHECK_WIDTH = 84  # the command to copy is longer than the 80 columns of the rest


OTHERS = ("check", "friends", "match", "report")

MATCH = """
cardhub_match: 1
name: cup
seed: 1
bots:
  - {id: search, use: "ismcts:20"}
  - {id: rule, use: rule}
  - {id: dice, use: random}
games:
  - {game: gamon, rules: {coins: 6}}
  - {game: garner, rules: {layout: a}}
schedule: {blocks: 20}
workers: 1
"""
MATCH_GAMES = 130  # of 240: the match is about half over
GAMES_PER_SECOND = 8


LEAKY = '''"""Kuhn poker with a leak: the field `best` tells everybody about hidden cards."""

from kuhn.game import Kuhn, Table


class LeakyTable(Table):
    best: int


class Leaky(Kuhn):
    name, state_type = "leaky", LeakyTable

    def apply(self, state, action):
        super().apply(state, action)
        state.best = 0 if state.face[0] > state.face[1] else 1
'''


class Snapshot(LiveState):
    """The live table of a match after some games, by a clock that counts games."""

    def __init__(self, match: Match) -> None:
        self._games = 0
        super().__init__(match, lambda: self._games / GAMES_PER_SECOND)

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self._games += 1
        super().game(result, timing)
        if self._games == MATCH_GAMES:
            self.table = render(self, ConsoleDimensions(*MATCH_SIZE))


def play_match(folder: Path) -> RenderableType:
    """Play a match into `folder / "run"` with its reports; return its live table half-way."""
    file = folder / "cup.yaml"
    file.write_text(MATCH, "utf-8")
    registry = find_plugins()
    match = read_match(file, registry)
    snapshot = Snapshot(match)
    run(match, registry, folder / "run", RunOptions(watcher=snapshot, analyse=analyse))
    write_reports(folder / "run", result_in(folder / "run", registry))
    return snapshot.table


def draw_output(output: RenderableType, width: int, title: str) -> str:
    """Return a picture of what a terminal shows as SVG."""
    console = Console(record=True, file=StringIO(), width=width, force_terminal=True)
    console.print(output)
    return with_local_fonts(console.export_svg(title=title))


def installed_browser() -> BrowserCommand:
    """Return the browser of the pictures; end the program where there is none."""
    command = find_browser()
    if command is None:
        sys.exit(NO_BROWSER)
    return command


def photograph(report: Path) -> bytes:
    """Return a picture of the top of a report as PNG."""
    with open_browser(installed_browser()) as chromium:
        width, height = REPORT_SIZE
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.goto(report.as_uri())
        return page.screenshot()


def draw_check(folder: Path) -> str:
    """Return a picture of `cardhub check` for a game that leaks a hidden card."""
    (folder / "plugins").mkdir()
    (folder / "plugins" / "leaky.py").write_text(LEAKY, "utf-8")
    (folder / "plugins" / "rules.md").write_text("# Leaky poker\n", "utf-8")
    (folder / "records").mkdir()
    env = {"CARDHUB_HOME": "home", "COLUMNS": "80"}
    command = ["--plugins-dir", "plugins", "check", "leaky", "--games", "2", "--records", "records"]
    with chdir(folder):  # so that no path depends on the machine
        result = CliRunner(env=env).invoke(cli, command)
    output = re.sub(r"\d+-\d+-\d+T\d+-\d+-\d+", "2026-11-22T19-30-00", result.output)
    return draw_output(Text(output), CHECK_WIDTH, "cardhub check leaky --games 2")


def draw_all(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, str | bytes]]:
    """Yield the names of files and the pictures in them."""
    for name in names:
        if name in TABLES:
            yield f"{name}.svg", table_picture(TABLES[name]) + "\n"
        if name in SCREENS:
            yield f"{name}.svg", SCREENS[name]() + "\n"
    if "check" in names:
        yield "check.svg", draw_check(folder) + "\n"
    if "friends" in names:
        with open_browser(installed_browser()) as chromium:
            yield "friends.jpg", photograph_friends(chromium, folder)
    if not {"match", "report"}.isdisjoint(names):
        table = play_match(folder)
        yield "match.svg", draw_output(table, MATCH_SIZE[0], "cardhub match cup.yaml") + "\n"
        yield "report.png", photograph(folder / "run" / HTML)


def main(folder: Path, names: Sequence[str]) -> None:
    """Draw pictures into a folder; by default all."""
    folder.mkdir(exist_ok=True)
    with TemporaryDirectory() as played:
        for name, picture in draw_all(Path(played), names or (*TABLES, *SCREENS, *OTHERS)):
            data = picture if isinstance(picture, bytes) else picture.encode()
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    default = Path(__file__).parents[1] / "pictures"
    main(Path(sys.argv[1]) if sys.argv[1:] else default, sys.argv[2:])
