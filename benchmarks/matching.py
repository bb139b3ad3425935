"""What a match costs beside its games, and what a second worker gains, printed as a table.

The same games are played bare (deal, bots, referee) and as a match, each in one process and in
several. A line is one round, times by game; the last one has the least time of each, as whatever
else a machine does only adds to it.

`overhead` compares the computing time of match and bare games; `gain` is how many times faster so
many workers play a match, by the clock and from the first game on. `machine` is the same for bare
games, which have nothing to do with each other: what the processors give, and no match can exceed.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

from cardhub.bots import Bot
from cardhub.match.blocks import Block, Games
from cardhub.match.executors import make_executor
from cardhub.match.groups import groups
from cardhub.match.playing import plugins_in
from cardhub.match.runner import Nobody, Running, run
from cardhub.match.spec import Contest, Entrant, Match, Order
from cardhub.match.task import GameResult, GameTask, Timing
from cardhub.play.seating import Player
from cardhub.play.table import play_out, set_up
from cardhub.plugins.find import find_plugins
from cardhub.plugins.registry import PluginRegistry
from speed import surroundings

AHEAD = 4
"""Games under way for each worker."""
CHUNK = 8
"""Bare games handed over at a time."""


class Round(NamedTuple):
    """Milliseconds of a game: computing for the first two, by the clock for the others.

    `apart` are bare games in processes of their own.
    """

    bare: float
    match: float
    one: float
    many: float
    one_apart: float
    many_apart: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    registry = find_plugins()
    match = match_of_dice(registry, arguments.game, arguments.blocks)
    games = len(tasks_of(match))
    print(surroundings(), f"{arguments.rounds} rounds of {games} games", sep="\n")
    print("", heading(arguments.workers), sep="\n")
    found = []
    with bare_pool(1, match) as one, bare_pool(arguments.workers, match) as many:
        for _ in range(arguments.rounds):
            found.append(measure(match, registry, arguments.workers, (one, many)))
            print(line(found[-1]), flush=True)
    print(line(Round(*map(min, zip(*found, strict=True)))))


def match_of_dice(registry: PluginRegistry, name: str, blocks: int) -> Match:
    """Return a match of random bots, as many as the game has seats."""
    game = registry.game(name)
    players = game.seats.high or 4
    players = min(players, 4)
    bots = tuple(Entrant(f"dice{n}", "random", (name,)) for n in range(players))
    rules = {key: option.default for key, option in game.options.items()}
    contest = Contest(name, name, game.version, players, rules, {}, "balanced", "none", (), "rank")
    return Match("benchmark", 1, bots, (contest,), Order(blocks=blocks))


def tasks_of(match: Match) -> list[GameTask]:
    """Return the games of a match in which nobody is at fault."""
    games, (contest,) = Games(match), match.contests
    return [
        task
        for deal in range(match.order.blocks)
        for bots in groups(match, contest)
        for task in games.of(Block(contest.id, deal, bots))
    ]


def measure(
    match: Match, registry: PluginRegistry, workers: int, pools: tuple[Executor, Executor]
) -> Round:
    """Play all games all ways once; the pools have one process and as many as workers."""
    tasks = tasks_of(match)
    bare = play_bare(tasks)
    computed, one = play_match(match, registry, 1)
    _, many = play_match(match, registry, workers)
    apart = (play_apart(tasks, pool) for pool in pools)
    return Round(*(1000 * seconds for seconds in (bare, computed, one, many, *apart)))


def play_apart(tasks: Sequence[GameTask], pool: Executor) -> float:
    """Return the seconds that a bare game takes by the clock in processes of their own."""
    begun = perf_counter()
    wait([pool.submit(play_bare, tasks[n : n + CHUNK]) for n in range(0, len(tasks), CHUNK)])
    return (perf_counter() - begun) / len(tasks)


def play_bare(tasks: Sequence[GameTask]) -> float:
    """Play games without all that makes them a match; return the seconds of computing by game."""
    registry, begun = plugins_in(()), process_time()
    for task in tasks:
        players = [Player(seat.bot, seat.use) for seat in task.seats]
        referee = set_up(registry.game(task.game), players, task.rules, task.seed)
        referee.proceed()
        play_out(referee, dict(enumerate(bots_of(task, registry))))
    return (process_time() - begun) / len(tasks)


@contextmanager
def bare_pool(workers: int, match: Match) -> Iterator[Executor]:
    """Yield processes that have played a few games already."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        wait([pool.submit(play_bare, tasks_of(match)[:CHUNK]) for _ in range(4 * workers)])
        yield pool


def bots_of(task: GameTask, registry: PluginRegistry) -> list[Bot]:
    """Return the bots of a game, seeded as in the match."""
    return [registry.make_bot(s.use, task.game, Random(s.generator)) for s in task.seats]


class Meter(Nobody):
    """Measures a match by game, from when all of so many processes have played one."""

    def __init__(self, processes: int) -> None:
        self._awaited = processes
        self._seen: set[int] = set()
        self._games = 0
        self._begun = (0.0, 0.0)

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher."""
        assert timing is not None
        if len(self._seen) == self._awaited:
            self._games += 1
        self._seen.add(timing.process)
        if not self._games:
            self._begun = perf_counter(), process_time()

    def read(self) -> tuple[float, float]:
        """Return the seconds of a game in the match that has just ended.

        First those that this process has computed, then those that passed by the clock.
        """
        clock, own = perf_counter() - self._begun[0], process_time() - self._begun[1]
        return own / self._games, clock / self._games


def play_match(match: Match, registry: PluginRegistry, workers: int) -> tuple[float, float]:
    """Return the seconds that a game of a match takes: see Meter.read."""
    meter, ahead = Meter(workers), AHEAD * workers if workers > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        run(match, registry, Path(folder), Running(make_executor(workers), ahead, meter))
    return meter.read()


def heading(workers: int) -> str:
    """Return the first line of the table."""
    names = ("bare ms", "match ms", "overhead", f"gain ({workers})", f"machine ({workers})")
    return "".join(f"{name:>14}" for name in names)


def line(found: Round) -> str:
    """Return a round as a line of the table."""
    cells = (
        f"{found.bare:.2f}",
        f"{found.match:.2f}",
        f"{found.match / found.bare - 1:.1%}",
        f"{found.one / found.many:.2f}",
        f"{found.one_apart / found.many_apart:.2f}",
    )
    return "".join(f"{cell:>14}" for cell in cells)


if __name__ == "__main__":
    main()
