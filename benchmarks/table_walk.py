"""The way of one action through the program: from the key press to the line of the record.

    python benchmarks/table_walk.py [--calls]

A person at a local table of Gargon presses Enter at a card, on the screen of a terminal. Prints the
functions of cardhub on the stack when the record's line is written, and all calls until the
action has been carried out, by wing. It is the person's second action, because the first one also
computes what is kept for the game, such as the notations of all actions. `--calls` lists the calls
of each function.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

from cardhub.bots import RandomBot
from cardhub.bots.asking import advise, choose
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.workers.client import InlineBotClient
from cardhub.plugins.registry import find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.table.play_screen import TableScreen

PLAYERS = (Player("Anna", "human"), Player("Bob", "random"), Player("Chris", "random"))
# Seconds between two looks at the table, and the most of them until the person is to act.
LOOK, MOST_LOOKS = 0.05, 400


class Walk:
    """A profiler of one action: the hops to the record, and the calls until the action is done.

    The calls of listeners count, because they are part of the action; the drawing follows later.
    """

    def __init__(self) -> None:
        self.hops: list[str] = []
        self.calls: Counter[str] = Counter()
        self.wings: Counter[str] = Counter()
        self.modules: set[str] = set()
        self.crossings = 0
        self._action: FrameType | None = None
        self._is_done = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call or a return; the function for `sys.setprofile`."""
        module = frame.f_globals.get("__name__", "")
        if self._is_done or not module.startswith("cardhub"):
            return
        if event == "return" and frame is self._action:
            self._is_done = True
        elif event == "call":
            if self._action is None and frame.f_code.co_name == "act":
                self._action = frame
            if self._action is not None:
                self._count(frame, module)
            if not self.hops and module == "cardhub.play.records.recording":
                self.hops = hops_to(frame)

    def _count(self, frame: FrameType, module: str) -> None:
        self.modules.add(module)
        self.wings[wing_of(module)] += 1
        self.calls[name_of(frame.f_code, module)] += 1
        caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back else ""
        self.crossings += caller.startswith("cardhub") and wing_of(caller) != wing_of(module)


def hops_to(frame: FrameType | None) -> list[str]:
    """Return the functions of cardhub on the stack of a frame, the outermost one first."""
    names: list[str] = []
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        # The terminal app gets all events; it is on every stack, and no part of the way.
        if module.startswith("cardhub.") and module != "cardhub.tui.app":
            names.append(name_of(frame.f_code, module))
        frame = frame.f_back
    return list(dict.fromkeys(reversed(names)))


def name_of(code: CodeType, module: str) -> str:
    """Return the short name of a function: its module without the wing's path, and its name."""
    return f"{module.removeprefix('cardhub.')}: {code.co_qualname}"


def wing_of(module: str) -> str:
    """Return the wing of a module, or the package of a game."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] if first == "cardhub" else first


async def walk(folder: Path) -> Walk:
    """Press Enter at a legal card in the person's first two turns; return the second walk."""
    referee = set_up(find_plugins().game("gargon"), PLAYERS, {}, 3)
    path = folder / "game.jsonl"
    record_to(referee, path)
    referee.proceed()
    bots = InlineBotClient(lambda seen: choose(RandomBot(Random(1)), seen))
    adviser = InlineBotClient(lambda seen: advise(RandomBot(Random(1)), seen))
    host = Host(referee, bots, adviser, LoopScheduler(), hint="random", path=path)
    app, result = TableApp(host), Walk()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))
        for profiler in (None, result):
            for _ in range(MOST_LOOKS):
                if host.seat == 0 and screen.drawn_revision == host.revision:
                    break
                await asyncio.sleep(LOOK)
            await pilot.press("n")
            sys.setprofile(profiler)
            await pilot.press("enter")
            sys.setprofile(None)
    return result


def main() -> None:
    """Print the walk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", action="store_true", help="list the calls of each function")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(walk(Path(folder)))
    if not result.hops:
        sys.exit("the action was not recorded")
    print(f"{len(result.hops)} hops from the key press to the record:")
    print(*(f"  {hop}" for hop in result.hops), sep="\n")
    counts = ", ".join(f"{wing} {count}" for wing, count in result.wings.most_common())
    print(f"{result.wings.total()} calls of one action: {counts}")
    print(f"{len(result.modules)} modules, {result.crossings} crossings of wings")
    if arguments.calls:
        print(*(f"  {count:4} {name}" for name, count in result.calls.most_common()), sep="\n")


if __name__ == "__main__":
    main()
