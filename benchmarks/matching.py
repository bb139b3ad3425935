"""What a match costs beside its games, and what a second worker gains, printed as two tables.

`overhead` compares the computing time of the same games, as a match in one process and bare: deal,
bots, referee. They are short, and take turns many times, so that what else the machine does hits
both; the table has quartiles over all rounds.

`gain` is how many times faster so many workers play a match, by the clock, once all of them have
begun. `machine` is the same for bare games, which have nothing to do with each other: what the
processors give, which no match can exceed. The last line has the least time of each.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, process_time
from typing import NamedTuple

from cardhub.bots import Bot
from cardhub.match.blocks import Block, Games
from cardhub.match.groups import groups
from cardhub.match.run.executors import make_executor
from cardhub.match.run.playing import plugins_in
from cardhub.match.run.runner import Nobody, Running, run
from cardhub.match.spec import Contest, Entrant, Match, Order
from cardhub.match.task import GameResult, GameTask, Timing
from cardhub.play.seating import Player
from cardhub.play.setup import play_out, set_up
from cardhub.plugins.discovery import find_plugins
from cardhub.plugins.registry import PluginRegistry
from speed import surroundings

SHORT, LONG = 12, 60
"""Blocks of the matches that are measured."""
AHEAD = 4
"""Games under way for each worker."""
CHUNK = 8
"""Bare games handed over at a time."""


class Gain(NamedTuple):
    """Seconds of a game by the clock, in a match and bare, in one process and in several."""

    one: float
    many: float
    one_bare: float
    many_bare: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon")
    parser.add_argument("--rounds", type=int, default=60, help="of short matches")
    parser.add_argument("--long-rounds", type=int, default=6, help="of long matches")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    registry = find_plugins()
    short, long = (match_of_dice(registry, arguments.game, blocks) for blocks in (SHORT, LONG))
    print(surroundings(), "", sep="\n")
    print_overhead(short, registry, arguments.rounds)
    print_gain(long, registry, arguments.workers, arguments.long_rounds)


def print_overhead(match: Match, registry: PluginRegistry, rounds: int) -> None:
    """Print what a match costs in one process."""
    tasks = tasks_of(match)
    print(
        f"{rounds} rounds of {len(tasks)} games", row("bare ms", "match ms", "overhead"), sep="\n"
    )
    found = [(play_bare(tasks), play_match(match, registry, 1)[0]) for _ in range(rounds)]
    bare, match_ms = (
        quantiles((1000 * t for t in times), n=4) for times in zip(*found, strict=True)
    )
    overhead = quantiles((match / bare - 1 for bare, match in found), n=4)
    for cells in zip(bare, match_ms, overhead, strict=True):
        print(row(f"{cells[0]:.2f}", f"{cells[1]:.2f}", f"{cells[2]:.1%}"))


def print_gain(match: Match, registry: PluginRegistry, workers: int, rounds: int) -> None:
    """Print how much faster several workers are."""
    print("", f"{rounds} rounds of {len(tasks_of(match))} games, {workers} workers", sep="\n")
    print(row("gain", "machine"))
    found = []
    with bare_pool(1, match) as one, bare_pool(workers, match) as many:
        for _ in range(rounds):
            found.append(measure(match, registry, workers, (one, many)))
            print(gain_row(found[-1]), flush=True)
    print(gain_row(Gain(*map(min, zip(*found, strict=True)))))


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
) -> Gain:
    """Play all games all ways once; the pools have one process and as many as workers."""
    tasks = tasks_of(match)
    clocked = (play_match(match, registry, count)[1] for count in (1, workers))
    return Gain(*clocked, *(play_apart(tasks, pool) for pool in pools))


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


def gain_row(found: Gain) -> str:
    """Return a round as a line of the table."""
    return row(f"{found.one / found.many:.2f}", f"{found.one_bare / found.many_bare:.2f}")


def row(*cells: str) -> str:
    """Return a line of a table."""
    return "".join(f"{cell:>12}" for cell in cells)


if __name__ == "__main__":
    main()
