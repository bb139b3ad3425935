"""What a match costs beside its games, and what a second worker gains, printed as a table.

The same games are played three ways in turn: bare (deal, bots, referee), as a match in one process,
and as a match on several workers. A line is one round; the last one has the medians.

`overhead` compares the computing time of match and bare games; `gain` is how many times faster so
many workers were, by the clock and from the first game on; `possible` is what it would have been
had every processor been busy with nothing else.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from cardhub.bots import Bot
from cardhub.match.blocks import Block, Games
from cardhub.match.executors import make_executor
from cardhub.match.groups import groups
from cardhub.match.runner import Nobody, Running, run
from cardhub.match.spec import Contest, Entrant, Match, Order
from cardhub.match.task import GameResult, GameTask, Played, Timing
from cardhub.play.seating import Player
from cardhub.play.table import play_out, set_up
from cardhub.plugins.find import find_plugins
from cardhub.plugins.registry import PluginRegistry
from speed import surroundings

AHEAD = 4


class Round(NamedTuple):
    """Seconds: of computing for the bare games and both matches, and by the clock for the latter.

    `many` includes all processes.
    """

    bare: float
    one: float
    many: float
    one_clock: float
    many_clock: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    registry = find_plugins()
    match = match_of_dice(registry, arguments.game, arguments.blocks)
    games = len(tasks_of(match))
    print(surroundings(), f"{arguments.rounds} rounds of {games} games", sep="\n")
    print("", heading(arguments.workers), sep="\n")
    found = []
    for _ in range(arguments.rounds):
        found.append(measure(match, registry, arguments.workers))
        print(line(found[-1], games, arguments.workers), flush=True)
    print(line(Round(*map(median, zip(*found, strict=True))), games, arguments.workers))


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


def measure(match: Match, registry: PluginRegistry, workers: int) -> Round:
    """Play all games all three ways once."""
    tasks = tasks_of(match)
    begun = process_time()
    play_bare(tasks, registry)
    bare = process_time() - begun
    one, one_clock = play_match(match, registry, 1)
    many, many_clock = play_match(match, registry, workers)
    return Round(bare, one, many, one_clock, many_clock)


def play_bare(tasks: list[GameTask], registry: PluginRegistry) -> None:
    """Play the games of a match without all that makes it one."""
    for task in tasks:
        players = [Player(seat.bot, seat.use) for seat in task.seats]
        referee = set_up(registry.game(task.game), players, task.rules, task.seed)
        referee.proceed()
        play_out(referee, dict(enumerate(bots_of(task, registry))))


def bots_of(task: GameTask, registry: PluginRegistry) -> list[Bot]:
    """Return the bots of a game, seeded as in the match."""
    return [registry.make_bot(s.use, task.game, Random(s.generator)) for s in task.seats]


class Meter(Nobody):
    """Counts the seconds between the first game and the last: of computing, and by the clock.

    The first game of each process is not in it, nor how that process began.
    """

    def __init__(self) -> None:
        self._first: dict[int, float] = {}
        self._last: dict[int, float] = {}
        self._begun = (0.0, 0.0)

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher; `timing` tells how long the process has computed altogether."""
        assert timing is not None
        if not self._first:
            self._begun = perf_counter(), process_time()
        self._first.setdefault(timing.process, timing.seconds)
        self._last[timing.process] = timing.seconds

    def read(self) -> tuple[float, float]:
        """Return both for the match that has just ended."""
        clock, own = perf_counter() - self._begun[0], process_time() - self._begun[1]
        others = [self._last[n] - self._first[n] for n in self._first if n != os.getpid()]
        return own + sum(others), clock


class Metered(Executor):
    """An Executor that has processes tell how long they have computed."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """See Executor."""
        return self._inner.submit(metered, fn, *args, **kwargs)


def metered(play: Callable[[GameTask], Played], task: GameTask) -> Played:
    """Return a game with the time that its process has computed altogether."""
    played = play(task)
    return replace(played, timing=replace(played.timing, seconds=process_time()))


@contextmanager
def metered_executor(workers: int) -> Iterator[Executor]:
    """Yield an executor for so many workers."""
    with make_executor(workers)() as executor:
        yield Metered(executor)


def play_match(match: Match, registry: PluginRegistry, workers: int) -> tuple[float, float]:
    """Return the seconds that a match takes: of computing, and by the clock."""
    meter, ahead = Meter(), AHEAD * workers if workers > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        run(match, registry, Path(folder), Running(lambda: metered_executor(workers), ahead, meter))
    return meter.read()


def heading(workers: int) -> str:
    """Return the first line of the table."""
    names = ("bare ms", "match ms", "overhead", f"{workers} workers ms", "gain", "possible")
    return "".join(f"{name:>14}" for name in names)


def line(found: Round, games: int, workers: int) -> str:
    """Return a round as a line of the table, times by game."""
    bare, one, many = (1000 * seconds / games for seconds in found[:3])
    cells = (
        f"{bare:.2f}",
        f"{one:.2f}",
        f"{one / bare - 1:.1%}",
        f"{many:.2f}",
        f"{found.one_clock / found.many_clock:.2f}",
        f"{workers * one / many:.2f}",
    )
    return "".join(f"{cell:>14}" for cell in cells)


if __name__ == "__main__":
    main()
