"""Pictures of the screens: tables in play, home, a replay, a result and a lesson, as SVG.

The screens draw themselves, as a terminal would show them; the same program gives the same files.
"""

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import time
from typing import Any, NamedTuple
from unittest.mock import patch

from textual.app import App

from cardhub.bots import Bot
from cardhub.bots.asking import advise, choose
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.announcer import count_events
from cardhub.play.host.lessons.lesson_table import open_lesson
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.replay import replay_so_far
from cardhub.play.host.saved.preferences import Preferences
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.records.recording import record_to
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.play.workers.client import InlineBotClient
from cardhub.plugins.discovery import declare_plugins
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.home_app import HomeApp
from cardhub.tui.replay.replay_app import ReplayApp
from cardhub.tui.table.hint_panel import HintPanel

WIDE, USUAL = (120, 40), (80, 24)
# A downloaded font would need the network; without it the reader's own is used.
DOWNLOADED = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
# Fonts in which lines of frames join, by name: not every reader's generic one has fixed widths.
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
HINT_BOT = "ismcts:iterations=400"  # a number of iterations, not a time: the same hint every time
HINT_SECONDS = 60
HOUR = 3600
EXAMPLES = frozenset(path.name for path in (Path(__file__).parents[2] / "examples").iterdir())


class Position(NamedTuple):
    """A game in progress after some events, and the keys pressed by the person to act."""

    game: str
    players: tuple[str, ...]
    seed: int
    events: int
    theme: str = "dark"
    people: tuple[str, ...] = ("Anna",)
    bot: str = "rule"
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL


FOUR = ("Anna", "Bob", "Chris", "David")
TABLES: Mapping[str, Position] = {
    "gargon": Position("gargon", FOUR, 3, 30, size=WIDE),
    "gargon_small": Position("gargon", FOUR, 3, 30),
    "gamon": Position("gamon", FOUR[:2], 3, 40, size=WIDE),
    "garner": Position("garner", FOUR[:2], 5, 30, "light", size=WIDE),
    "help": Position("gargon", FOUR, 3, 30, keys=("question_mark", "right")),
    "hint": Position("gargon", FOUR, 3, 30, keys=("i",)),
    "handover": Position("gargon", FOUR[:3], 7, 12, people=("Anna", "Bob")),
    "kuhn": Position("kuhn", FOUR[:2], 1, 0, "monokai", bot="random"),
    "pig": Position("pig", FOUR[:3], 2, 8, "solarized-light", bot="random"),
    "leduc": Position("leduc", FOUR[:2], 2, 3, "gruvbox", bot="random"),
    "goofspiel": Position("goofspiel", FOUR[:2], 2, 6, "nord", bot="random"),
    "nosegay": Position("nosegay", FOUR[:3], 2, 9, "catppuccin-latte", bot="random"),
    "hearts": Position("hearts", FOUR, 2, 30, "dracula", bot="random"),
    "big_two": Position("big_two", FOUR, 5, 40, "tokyo-night", bot="random"),
    "holdem": Position("holdem", FOUR[:3], 8, 4, "catppuccin-mocha", bot="rule", keys=("2",)),
    "four_piles": Position("four_piles", FOUR[:3], 1, 27, "flexoki", bot="ismcts:20"),
    "roses": Position("roses", FOUR, 2, 9, "rose-pine", bot="random"),
    "spades": Position("spades", FOUR, 2, 36, "solarized-dark", bot="random"),
    "gin_rummy": Position("gin_rummy", FOUR[:2], 1420, 12, "catppuccin-mocha", bot="random"),
}
# The saved games of the picture of home: game, players, seed, events (0: to its end), age in hours.
SAVED = (
    ("gargon", FOUR, 3, 30, 2),
    ("gamon", FOUR[:2], 3, 40, 26),
    ("gamon", FOUR[:2], 1, 0, 27),
    ("garner", FOUR[:2], 2, 0, 50),
    ("gargon", FOUR, 9, 0, 75),
)


def table_picture(position: Position) -> str:
    """Return a picture of a table, with Anna to act."""
    registry = find_plugins()
    referee, bots = _set_up(position)
    adviser = registry.make_bot(HINT_BOT, position.game, Random(position.seed))
    clients = (
        InlineBotClient(lambda seen: choose(bots[seen.seat], seen)),
        InlineBotClient(lambda seen: advise(adviser, seen)),
    )

    def app() -> App[Any]:
        host = Host(referee, *clients, LoopScheduler(), hint=HINT_BOT)
        return TableApp(host, theme=position.theme)

    return _photograph(app, position.size, position.keys, f"cardhub play {position.game}")


def home_picture() -> str:
    """Return a picture of the home screen, with the table of the game played last."""
    with _saved_games():
        return _photograph(lambda: HomeApp(_included(), Preferences()), (100, 40), (), "cardhub")


def replay_picture() -> str:
    """Return a picture of a finished game of Gamon in the middle."""
    referee, _ = _set_up(Position("gamon", FOUR[:2], 3, 0, people=("Anna",)), is_finished=True)
    keys = ("right_square_bracket",) * 3 + ("right",) * 9

    def app() -> App[Any]:
        opener = Opener(find_plugins(), LoopScheduler())
        return ReplayApp(replay_so_far(referee, (0, 1, 2, EVERYTHING)), opener)

    return _photograph(app, (100, 34), keys, "cardhub replay")


def result_picture() -> str:
    """Return a picture of the result of a game of Gargon."""
    position = Position("gargon", FOUR, 7, 0, people=("Anna",))
    referee, bots = _set_up(position, is_finished=True)
    client = InlineBotClient(lambda seen: choose(bots[seen.seat], seen))

    def app() -> App[Any]:
        host = Host(referee, client, client, LoopScheduler(), hint=HINT_BOT)
        host.registry = find_plugins()
        return TableApp(host, theme="dark")

    return _photograph(app, WIDE, (), "cardhub play gargon")


def learn_picture() -> str:
    """Return a picture of the beginning of the lesson on Gamon."""
    registry = find_plugins()

    def app() -> App[Any]:
        return TableApp(open_lesson(registry, "gamon", LoopScheduler()), theme="dark")

    return _photograph(app, (100, 30), ("enter", "enter"), "cardhub learn gamon")


SCREENS: Mapping[str, Callable[[], str]] = {
    "home": home_picture,
    "replay": replay_picture,
    "result": result_picture,
    "learn": learn_picture,
}


def _included() -> PluginRegistry:
    """Return the plugins that come with cardhub: no example is on the home screen."""
    return PluginRegistry([plugin for plugin in declare_plugins(()) if plugin.name not in EXAMPLES])


def _set_up(position: Position, *, is_finished: bool = False) -> tuple[Referee[Any], list[Bot]]:
    """Return a game after its events and until it is Anna's turn, or to its end; and the bots."""
    registry = find_plugins()
    players = [
        Player(name, "human" if name in position.people else position.bot)
        for name in position.players
    ]
    referee = set_up(registry.game(position.game), players, {}, position.seed)
    bot, names = position.bot, position.players
    bots = [registry.make_bot(bot, position.game, Random(name)) for name in names]
    _play(referee, bots, position.events, is_finished=is_finished)
    return referee, bots


def _play(
    referee: Referee[Any], bots: Sequence[Bot], events: int, *, is_finished: bool = False
) -> None:
    referee.proceed()
    while not referee.is_over and (
        is_finished or count_events(referee) < events or referee.seat != 0
    ):
        let_bot_act(referee, bots[referee.seat])


@contextmanager
def _saved_games() -> Iterator[None]:
    """Save games in a folder of their own; ages, not times, are shown."""
    registry = find_plugins()
    with TemporaryDirectory() as home, patch.dict(os.environ, {"CARDHUB_HOME": home}):
        (Path(home) / "games").mkdir()
        for number, (game, names, seed, events, hours) in enumerate(SAVED):
            path = Path(home) / "games" / f"{number}.jsonl"
            players = [Player(name, "human" if name == "Anna" else "rule") for name in names]
            referee = set_up(registry.game(game), players, {}, seed)
            record_to(referee, path)
            bots = [registry.make_bot("rule", game, Random(name)) for name in names]
            _play(referee, bots, events, is_finished=not events)
            when = time() - hours * HOUR
            os.utime(path, (when, when))
        yield


def _photograph(
    make: Callable[[], App[Any]], size: tuple[int, int], keys: Sequence[str], title: str
) -> str:
    async def draw() -> str:
        app = make()
        async with app.run_test(size=size) as pilot:
            await pilot.wait_for_scheduled_animations()
            await pilot.pause(0.3)
            await pilot.press(*keys)
            await _wait_for_hint(app)
            await pilot.pause(0.3)
            return app.export_screenshot(title=title)

    return with_local_fonts(asyncio.run(draw()))


def with_local_fonts(svg: str) -> str:
    """Return a picture that downloads no font."""
    return DOWNLOADED.sub("", svg).replace("Fira Code, monospace", FONTS)


async def _wait_for_hint(app: App[Any]) -> None:
    for _ in range(HINT_SECONDS * 10):
        panels = app.screen.query(HintPanel)
        if not any(panel.is_thinking for panel in panels):
            return
        await asyncio.sleep(0.1)
