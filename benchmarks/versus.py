"""Matches of one bot of this checkout against the same bot of another checkout, at equal CPU time.

Each side is a process with the Python of its checkout (`versus_side.py`). A block is one deal with
this checkout's bot in each seat in turn and the other checkout's in all other seats.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from cardhub.model.table.scoring import places
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from strength import percent, scored

PROGRAM = Path(__file__).with_name("versus_side.py")
HEAD = (
    "| game | seats | bot | deals | games | wins | ahead | margin | ms | ms of the other |",
    "|---|---|---|---|---|---|---|---|---|---|",
)


class Contest(NamedTuple):
    """A game in which two checkouts play the same bot."""

    game: str
    seats: int
    spec: str
    other: str


class Result(NamedTuple):
    """Results of our bot: shares from 0 to 1, points, and CPU seconds of each side's decision."""

    wins: float
    ahead: float
    margin: float
    ours: float
    theirs: float


class Side:
    """The process of one side."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._process = subprocess.Popen(
            [python, str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, name: str, /, **arguments: object) -> Any:
        """Call a method of `versus_side.Side`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([name, arguments]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self._python}: its side has ended; see the message above")
        return json.loads(answer)


@cache
def side(python: str, number: int) -> Side:
    """Return the process of a side, 0 or 1, started once in each worker."""
    return Side(python)


def print_duels(other: Path, games: Iterable[str], arguments: argparse.Namespace) -> None:
    """Play games and print a table.

    `arguments` has `spec`, `deals`, `milliseconds`, `first` (seed), `seats` and `workers`.
    """
    seeds = range(arguments.first, arguments.first + arguments.deals)
    print(f"seeds {seeds[0]} to {seeds[-1]}; against {other}", *HEAD, sep="\n", flush=True)
    with ProcessPoolExecutor(arguments.workers, get_context("spawn")) as pool:
        for name in games:
            game = find_plugins().game(name)
            seats = arguments.seats or game.seats.default
            joint = "," if ":" in arguments.spec else ":"
            spec = f"{arguments.spec}{joint}milliseconds={arguments.milliseconds}"
            contest = Contest(name, seats, spec, str(other))
            results = list(pool.map(play_block, [contest] * len(seeds), seeds))
            print(row(contest, results), flush=True)


def play_block(contest: Contest, seed: int) -> Result:
    """Play one deal with our bot in every seat in turn."""
    results = [play_game(contest, seed, seat) for seat in range(contest.seats)]
    return Result(*(fmean(values) for values in zip(*results, strict=True)))


def play_game(contest: Contest, seed: int, seat: int) -> Result:
    """Play one deal with our bot in one seat."""
    game = find_plugins().game(contest.game)
    players = [Player(f"seat {number}", "bot") for number in range(contest.seats)]
    referee = set_up(game, players, {}, seed)
    referee.proceed()
    sides = side(sys.executable, 0), side(contest.other, 1)
    rivals = [number for number in range(contest.seats) if number != seat]
    deal = {"name": contest.game, "seats": contest.seats, "seed": seed, "spec": contest.spec}
    for request, own in zip(sides, ([seat], rivals), strict=True):
        request("game", **deal, own=own)
    seconds: tuple[list[float], list[float]] = ([0.0], [0.0])
    while not referee.is_over:
        number = int(referee.seat != seat)
        answer = sides[number]("ask", seat=referee.seat)
        if len(referee.observe(referee.seat).legal()) > 1:
            seconds[number].append(answer["seconds"])
        referee.apply(answer["action"])
        referee.proceed()
        for request in sides:
            request("apply", action=answer["action"])
    scores = referee.scores()
    for request in sides:
        if request("scores")["scores"] != scores:
            raise SystemExit(f"{contest.game}, seed {seed}: the two checkouts play different games")
    ranks = places(scores, lowest_wins=game.lowest_wins)
    score = scored(ranks, seat, [0.0])
    others = [points for number, points in enumerate(scores) if number != seat]
    margin = (scores[seat] - fmean(others)) * (-1 if game.lowest_wins else 1)
    return Result(score.wins, score.ahead, margin, *map(_mean, seconds))


def _mean(seconds: list[float]) -> float:
    return fmean(seconds[1:] or seconds)


def row(contest: Contest, results: list[Result]) -> str:
    """Format a row of the table."""
    wins, ahead, margin, ours, theirs = zip(*results, strict=True)
    cells = (
        *(contest.game, contest.seats, f"`{contest.spec}`", len(results)),
        *(len(results) * contest.seats, percent(wins), percent(ahead), f"{fmean(margin):+.1f}"),
        *(f"{1000 * fmean(ours):.0f}", f"{1000 * fmean(theirs):.0f}"),
    )
    return f"| {' | '.join(map(str, cells))} |"
