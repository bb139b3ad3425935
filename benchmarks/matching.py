"""The overhead of a match over bare games and the speed-up by workers, printed as two tables.

`overhead` compares the CPU time of the same games as a match in one process and bare (deal, bots,
referee). The two alternate in many short rounds, because other load on the machine must affect
both; the table has quartiles over rounds.

`gain` is the speed-up of a match by several workers in wall-clock time, after all workers have
started. `machine` is the speed-up of independent bare games, an upper bound set by the hardware.
The last line has the minimum times.
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
from cardhub.lab.match.blocks import Block, Games, groups
from cardhub.lab.match.match_spec import Contest, Entrant, Match, Order
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.playing import plugins_in
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, GameTask, Timing
from cardhub.play.seating import Player
from cardhub.play.setup import play_out, set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins
from speed import surroundings

# Blocks of the measured matches.
SHORT, LONG = 12, 60
# Games in flight per worker.
AHEAD = 4
# Bare games per task of the pool.
CHUNK = 8


class Gain(NamedTuple):
    """Wall-clock seconds per game: in a match and bare, in one process and in several."""

    one: float
    many: float
    one_bare: float
    many_bare: float


def main() -> None:
    """Run the benchmark and print its table."""
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
    """Print the overhead of a match in one process."""
    tasks = tasks_of(match)
    print(
        f"{rounds} rounds of {len(tasks)} games", row("bare ms", "match ms", "overhead"), sep="\n"
    )
    seconds = [(play_bare(tasks), play_match(match, registry, 1)[0]) for _ in range(rounds)]
    bare, match_ms = (
        quantiles((1000 * t for t in times), n=4) for times in zip(*seconds, strict=True)
    )
    overhead = quantiles((match / bare - 1 for bare, match in seconds), n=4)
    for cells in zip(bare, match_ms, overhead, strict=True):
        print(row(f"{cells[0]:.2f}", f"{cells[1]:.2f}", f"{cells[2]:.1%}"))


def print_gain(match: Match, registry: PluginRegistry, workers: int, rounds: int) -> None:
    """Print the speed-up by several workers."""
    print("", f"{rounds} rounds of {len(tasks_of(match))} games, {workers} workers", sep="\n")
    print(row("gain", "machine"))
    gains = []
    with bare_pool(1, match) as one, bare_pool(workers, match) as many:
        for _ in range(rounds):
            gains.append(measure(match, registry, workers, (one, many)))
            print(gain_row(gains[-1]), flush=True)
    print(gain_row(Gain(*map(min, zip(*gains, strict=True)))))


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
    """Return the games of a match without faults."""
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
    """Play all games once in every way; the pools have one process and one per worker."""
    tasks = tasks_of(match)
    clocked = (play_match(match, registry, count)[1] for count in (1, workers))
    return Gain(*clocked, *(play_in_pool(tasks, pool) for pool in pools))


def play_in_pool(tasks: Sequence[GameTask], pool: Executor) -> float:
    """Return the wall-clock seconds per bare game in a process pool."""
    begun = perf_counter()
    wait([pool.submit(play_bare, tasks[n : n + CHUNK]) for n in range(0, len(tasks), CHUNK)])
    return (perf_counter() - begun) / len(tasks)


def play_bare(tasks: Sequence[GameTask]) -> float:
    """Play bare games, without a match; return the CPU seconds per game."""
    registry, begun = plugins_in(()), process_time()
    for task in tasks:
        players = [Player(seat.bot, seat.use) for seat in task.seats]
        referee = set_up(registry.game(task.game), players, task.rules, task.seed)
        referee.proceed()
        play_out(referee, dict(enumerate(bots_of(task, registry))))
    return (process_time() - begun) / len(tasks)


@contextmanager
def bare_pool(workers: int, match: Match) -> Iterator[Executor]:
    """Yield a warmed-up process pool."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        wait([pool.submit(play_bare, tasks_of(match)[:CHUNK]) for _ in range(4 * workers)])
        yield pool


def bots_of(task: GameTask, registry: PluginRegistry) -> list[Bot]:
    """Return the bots of a game with the seeds of the match."""
    return [registry.make_bot(s.use, task.game, Random(s.generator)) for s in task.seats]


class Meter(Watcher):
    """A watcher that times a match per game, once every process has finished one."""

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
        """Return the seconds per game of the match that has just ended.

        First those that this process has computed, then those that passed by the clock.
        """
        clock, own = perf_counter() - self._begun[0], process_time() - self._begun[1]
        return own / self._games, clock / self._games


def play_match(match: Match, registry: PluginRegistry, workers: int) -> tuple[float, float]:
    """Return the seconds per game of a match, see Meter.read."""
    meter, ahead = Meter(workers), AHEAD * workers if workers > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        run(match, registry, Path(folder), RunOptions(make_executor(workers), ahead, meter))
    return meter.read()


def gain_row(gain: Gain) -> str:
    """Format a round as a row of the table."""
    return row(f"{gain.one / gain.many:.2f}", f"{gain.one_bare / gain.many_bare:.2f}")


def row(*cells: str) -> str:
    """Format a row of a table."""
    return "".join(f"{cell:>12}" for cell in cells)


if __name__ == "__main__":
    main()
