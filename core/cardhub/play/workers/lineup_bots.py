"""The bots of lineups, in the process in which they run."""

import os
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from cardhub.bots.asking import advise
from cardhub.bots.bot import Bot, Rated
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.setup import close, close_bots
from cardhub.play.workers.bot_messages import Lineup
from cardhub.plugins.bot_files import spec_at
from cardhub.plugins.registry import PluginRegistry

# Number of tables whose bots a process keeps, and its memory from which it keeps fewer: the search
# trees of a table take some 10 to 50 MB.
MOST_TABLES = 50
MOST_MEGABYTES = 600


def ask_adviser(
    lineup: Lineup, registry: PluginRegistry, observation: Observation[Any]
) -> list[Rated]:
    """Return an adviser's ratings, synchronously; raises PluginError, OptionError or BotError."""
    with LineupBots(lineup, registry).bot_for(observation) as bot:
        return advise(bot, observation)


class LineupBots:
    """The bots of a lineup, each created for its first question.

    A level's search has up to `workers` processes.
    """

    def __init__(self, lineup: Lineup, registry: PluginRegistry, workers: int = 1) -> None:
        self._lineup = lineup
        self._registry = registry
        self._workers = workers
        self.game: Game[Any] = self._registry.game(lineup.game)
        self._bots: dict[int, Bot] = {}

    @property
    def lineup(self) -> Lineup:
        """The lineup as it is now."""
        return self._lineup

    @property
    def advises(self) -> bool:
        """Whether the bots rate actions instead of choosing one."""
        return self._lineup.advises

    @contextmanager
    def bot_for(self, observation: Observation[Any]) -> Iterator[Bot]:
        """Yield the bot for an observation; raises PluginError, OptionError or BotError."""
        seat = observation.seat
        if self._lineup.advises:
            # A position gets the same ratings after any earlier questions.
            self._bots[seat] = self._make(seat, f" {len(observation.history)}")
        elif seat not in self._bots:
            self._bots[seat] = self._make(seat)
        try:
            yield self._bots[seat]
        finally:
            if self._lineup.advises:
                close(self._bots.pop(seat))

    def reseat(self, lineup: Lineup) -> None:
        """Continue with another lineup of the game; unchanged seats keep their bots.

        Raises BotFaultError if the bot of another seat cannot be closed.
        """
        old, self._lineup = self._lineup, lineup
        kept = {seat for seat in self._bots if _bot_of(old, seat) == _bot_of(lineup, seat)}
        gone = [self._bots.pop(seat) for seat in list(self._bots) if seat not in kept]
        close_bots(gone)

    def prepare(self, seat: int) -> None:
        """Create the bot of a seat; raises PluginError, OptionError or BotError."""
        self._bots[seat] = self._make(seat)

    def close(self) -> None:
        """Close all bots; raises BotFaultError."""
        close_bots(self._bots.values())

    def _make(self, seat: int, moment: str = "") -> Bot:
        rng = Random(self._lineup.seeds[seat] + moment)
        lineup, registry = self._lineup, self._registry
        spec = spec_at(registry, lineup.specs[seat], lineup.game, lineup.seats, lineup.options)
        return registry.make_bot(
            registry.spread(spec, lineup.game, self._workers), lineup.game, rng
        )


def _bot_of(lineup: Lineup, seat: int) -> tuple[str | None, str | None]:
    return lineup.specs.get(seat), lineup.seeds.get(seat)


class TableBots:
    """The bots of several tables; bots of the least recently asked tables are closed.

    A level's search has up to `workers` processes.
    """

    def __init__(
        self, registry: PluginRegistry, workers: int = 1, most_tables: int = MOST_TABLES
    ) -> None:
        self._registry = registry
        self._workers = workers
        self._most_tables = most_tables
        self._tables: OrderedDict[int, LineupBots] = OrderedDict()

    def seat(self, table: int, lineup: Lineup) -> LineupBots:
        """Return the bots of a table, with those that this lineup changes replaced.

        Raises PluginError, OptionError or BotError.
        """
        bots = self._tables.get(table)
        if bots is None or (bots.lineup.game, bots.advises) != (lineup.game, lineup.advises):
            self.forget(table)
            bots = self._tables[table] = LineupBots(lineup, self._registry, self._workers)
        elif bots.lineup != lineup:
            with suppress(Exception):  # a bot that cannot be closed is gone all the same
                bots.reseat(lineup)
        self._tables.move_to_end(table)
        while len(self._tables) > self._most_tables:
            self.forget(next(iter(self._tables)))
        if len(self._tables) > 1 and resident_megabytes() > MOST_MEGABYTES:
            for other in list(self._tables)[: len(self._tables) // 2]:
                self.forget(other)
        return bots

    def forget(self, table: int) -> None:
        """Close the bots of a table."""
        bots = self._tables.pop(table, None)
        if bots is not None:
            # The next question is another table's, which is not responsible for a bot that
            # cannot be closed.
            with suppress(Exception):
                bots.close()

    def close(self) -> None:
        """Close all bots."""
        for table in list(self._tables):
            self.forget(table)


def resident_megabytes() -> float:
    """Return the memory that this process uses; 0 on systems that do not report it."""
    if sys.platform != "linux":
        return 0
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError):
        return 0
