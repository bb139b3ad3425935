"""Draws the pictures of the pages: `python docs/site/pictures.py [FOLDER]`.

The table draws itself, as a terminal would show it; the same program gives the same files.
"""

import asyncio
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.bots import Bot
from cardhub.bots.asking import advise, choose
from cardhub.play.bot_process.client import ThreadBotClient
from cardhub.play.events import count_events
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.discovery import find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.table_screen.event_log import EventLog

SIZE = (96, 25)
FETCHED = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
"""What would fetch a font; without it the reader's own is taken."""


class Scene(NamedTuple):
    """A game in progress: with which players, after how many actions, on which theme."""

    game: str
    players: tuple[str, ...]
    seed: int
    actions: int
    theme: str


PICTURES: Mapping[str, Scene] = {
    "gargon": Scene("gargon", ("Anna", "Bob", "Chris", "David"), 7, 12, "textual-dark"),
    "gamon": Scene("gamon", ("Anna", "Bob"), 3, 40, "textual-dark"),
    "garner": Scene("garner", ("Anna", "Bob"), 5, 30, "textual-light"),
}


async def draw(scene: Scene) -> str:
    """Return a picture of a table as SVG, with Anna to act."""
    registry = find_plugins()
    players = [Player(name, "human" if name == "Anna" else "rule") for name in scene.players]
    referee = set_up(registry.game(scene.game), players, {}, scene.seed)
    bots = [registry.make_bot("rule", scene.game, Random(name)) for name in scene.players]
    _play(referee, bots, scene.actions)
    clients = [ThreadBotClient(bots.__getitem__, question) for question in (choose, advise)]
    app = TableApp(referee, *clients, hint="hard", pace=0, theme=scene.theme)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.wait_for_scheduled_animations()
        await pilot.pause()
        app.screen.query_one(EventLog).scroll_end(animate=False)
        await pilot.pause()
        picture = app.export_screenshot(title=f"cardhub play {scene.game}")
    return FETCHED.sub("", picture)


def _play(referee: Referee[Any], bots: list[Bot], actions: int) -> None:
    """Have bots act so often, and then until it is Anna's turn."""
    referee.proceed()
    while count_events(referee) < actions or referee.seat != 0:
        let_bot_act(referee, bots[referee.seat])


def main(folder: Path) -> None:
    """Draw all pictures."""
    folder.mkdir(exist_ok=True)
    for name, scene in PICTURES.items():
        (folder / f"{name}.svg").write_text(asyncio.run(draw(scene)) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "pictures")
