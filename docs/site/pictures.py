"""Draw the pictures of the pages: `python docs/site/pictures.py [FOLDER] [NAME...]`.

The table draws itself, as a terminal would show it; the same program gives the same files.
"""

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rich.console import Console, ConsoleDimensions
from typing_extensions import override

from cardhub.bots import Bot
from cardhub.bots.asking import advise, choose
from cardhub.cli.match.live_display import render
from cardhub.cli.match.live_state import LiveState
from cardhub.match.match_spec import Match
from cardhub.match.matchfile.reader import read_match
from cardhub.match.run.runner import RunOptions, run
from cardhub.match.task import GameResult, Timing
from cardhub.play.bot_process.client import ThreadBotClient
from cardhub.play.events import count_events
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.registry import find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.table_screen.event_log import EventLog
from cardhub.tui.table_screen.hints import HintPanel

SIZE = (96, 25)
MATCH_SIZE = (80, 16)
# A downloaded font would need the network; without it the reader's own is used.
DOWNLOADED = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
HINT_BOT = "ismcts:iterations=400"  # a number of iterations, not a time: the same hint every time
HINT_SECONDS = 60


class Scene(NamedTuple):
    """A game in progress after some events, and the keys pressed by the person to act."""

    game: str
    players: tuple[str, ...]
    seed: int
    events: int
    theme: str = "textual-dark"
    people: tuple[str, ...] = ("Anna",)
    bot: str = "rule"
    keys: tuple[str, ...] = ()


FOUR = ("Anna", "Bob", "Chris", "David")
PICTURES: Mapping[str, Scene] = {
    "gargon": Scene("gargon", FOUR, 7, 12),
    "gamon": Scene("gamon", FOUR[:2], 3, 40),
    "garner": Scene("garner", FOUR[:2], 5, 30, "textual-light"),
    "help": Scene("gargon", FOUR, 7, 12, keys=("question_mark",)),
    "hint": Scene("gargon", FOUR, 7, 12, keys=("i",)),
    "handover": Scene("gargon", FOUR[:3], 7, 12, people=("Anna", "Bob")),
    "leduc": Scene("leduc", FOUR[:2], 2, 3, "gruvbox", bot="random"),
    "goofspiel": Scene("goofspiel", FOUR[:2], 2, 6, "nord", bot="random"),
    "hearts": Scene("hearts", FOUR, 2, 30, "dracula", bot="random"),
}


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


def draw_match(folder: Path) -> str:
    """Return a picture of the live table of a match as SVG; the match is played in a folder."""
    file = folder / "cup.yaml"
    file.write_text(MATCH, "utf-8")
    registry = find_plugins()
    match = read_match(file, registry)
    snapshot = Snapshot(match)
    run(match, registry, folder / "run", RunOptions(watcher=snapshot))
    console = Console(record=True, file=StringIO(), width=MATCH_SIZE[0], force_terminal=True)
    console.print(snapshot.table)
    return DOWNLOADED.sub("", console.export_svg(title="cardhub match cup.yaml"))


async def draw(scene: Scene) -> str:
    """Return a picture of a table as SVG, with Anna to act."""
    registry = find_plugins()
    players = [
        Player(name, "human" if name in scene.people else scene.bot) for name in scene.players
    ]
    referee = set_up(registry.game(scene.game), players, {}, scene.seed)
    bots = [registry.make_bot(scene.bot, scene.game, Random(name)) for name in scene.players]
    _play(referee, bots, scene.events)
    adviser = registry.make_bot(HINT_BOT, scene.game, Random(scene.seed))
    clients = ThreadBotClient(bots.__getitem__, choose), ThreadBotClient(lambda _: adviser, advise)
    app = TableApp(referee, *clients, hint=HINT_BOT, pace=0, theme=scene.theme)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.wait_for_scheduled_animations()
        await pilot.pause()
        for log in app.screen.query(EventLog):
            log.scroll_end(animate=False)
        await pilot.press(*scene.keys)
        await _wait_for_hint(app)
        await pilot.pause()
        picture = app.export_screenshot(title=f"cardhub play {scene.game}")
    return DOWNLOADED.sub("", picture)


async def _wait_for_hint(app: TableApp) -> None:
    for _ in range(HINT_SECONDS * 10):
        panels = app.screen.query(HintPanel)
        if not any("thinks" in str(panel.content) for panel in panels):
            return
        await asyncio.sleep(0.1)


def _play(referee: Referee[Any], bots: list[Bot], events: int) -> None:
    """Play the events by bots, and then until it is Anna's turn."""
    referee.proceed()
    while count_events(referee) < events or referee.seat != 0:
        let_bot_act(referee, bots[referee.seat])


def main(folder: Path, names: Sequence[str]) -> None:
    """Draw pictures."""
    folder.mkdir(exist_ok=True)
    pictures = {
        name: asyncio.run(draw(PICTURES[name])) for name in names or PICTURES if name != "match"
    }
    if not names or "match" in names:
        with TemporaryDirectory() as played:
            pictures["match"] = draw_match(Path(played))
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture + "\n", "utf-8")


if __name__ == "__main__":
    default = Path(__file__).parents[1] / "pictures"
    main(Path(sys.argv[1]) if sys.argv[1:] else default, sys.argv[2:])
