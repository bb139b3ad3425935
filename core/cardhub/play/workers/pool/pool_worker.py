"""The main loop of a worker process, which keeps the bots of many tables.

Each question names its table and the lineup there, so a worker that has forgotten a table, or has
never known it, creates its bots. A worker is asked one question at a time.
"""

import os
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from typing_extensions import override

from cardhub.play.workers.bot_child import build_lineup
from cardhub.play.workers.bot_messages import (
    Prepare,
    Question,
    Ready,
    Setup,
    TableQuestion,
)
from cardhub.play.workers.lineup import Lineup, LineupBots
from cardhub.play.workers.question_loop import Channel, QuestionLoop
from cardhub.plugins.registry import PluginRegistry, find_plugins

# Increment of the process's nice value: people's actions come first.
NICENESS = 10
# Number of tables whose bots a worker keeps, and its memory from which it keeps fewer: the search
# trees of a table take some 10 to 50 MB.
MOST_TABLES = 50
MOST_MEGABYTES = 600


def serve() -> NoReturn:
    """Answer questions from standard input until its end; bots have no access to the terminal."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    channel = Channel()
    setup = channel.receive()
    if isinstance(setup, Setup):
        directories = tuple(map(Path, setup.directories))
        loop = TablesLoop(directories, find_plugins(directories), channel)
        channel.send(Ready(0))  # starting is not part of the time for a question
        loop.run()
    os._exit(0)


class TablesLoop(QuestionLoop):
    """Asks the bots of many tables; bots of the least recently asked tables are closed."""

    def __init__(
        self,
        directories: tuple[Path, ...],
        registry: PluginRegistry,
        channel: Channel,
        most_tables: int = MOST_TABLES,
    ) -> None:
        super().__init__(registry, channel)
        self._directories = directories
        self._most_tables = most_tables
        self._tables: OrderedDict[int, LineupBots] = OrderedDict()

    @override
    def bots_of(self, order: Prepare | Question) -> LineupBots:
        if not isinstance(order, TableQuestion):
            raise TypeError(f"a worker of a pool got {type(order).__name__}")
        bots = self._seated(order.table, build_lineup(order.begin, self._directories))
        self._tables.move_to_end(order.table)
        while len(self._tables) > self._most_tables:
            self.forget(next(iter(self._tables)))
        if len(self._tables) > 1 and resident_megabytes() > MOST_MEGABYTES:
            for table in list(self._tables)[: len(self._tables) // 2]:
                self.forget(table)
        return bots

    @override
    def forget(self, table: int) -> None:
        bots = self._tables.pop(table, None)
        if bots is not None:
            # The next question is another table's, which is not responsible for a bot that
            # cannot be closed.
            with suppress(Exception):
                bots.close()

    @override
    def close_bots(self) -> None:
        for table in list(self._tables):
            self.forget(table)

    def _seated(self, table: int, lineup: Lineup) -> LineupBots:
        bots = self._tables.get(table)
        if bots is not None and (bots.lineup.game, bots.advises) == (lineup.game, lineup.advises):
            if bots.lineup != lineup:
                bots.reseat(lineup)
            return bots
        self.forget(table)
        bots = self._tables[table] = LineupBots(lineup, self._registry)
        return bots


def resident_megabytes() -> float:
    """Return the memory that this process uses; 0 on systems that do not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, AttributeError):
        return 0
