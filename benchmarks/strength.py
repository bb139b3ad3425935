"""Strength of bots in mirrored games against copies of another bot, printed as a table.

A block is one deal with the bot in each seat in turn and the other bot in all other seats. `wins`
is the share of games won (shared wins in part), `ahead` the share of opponents that finish behind
(1/2 for ties); equal bots have 1/seats and 1/2. Intervals are 95 % over blocks. The same seed gives
the same games on any number of workers, unless a bot depends on the time.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import NamedTuple

from cardhub.model.table.scoring import places
from cardhub.play.seating import Player
from cardhub.play.setup import play_out, set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins


class Duel(NamedTuple):
    """A bot against copies of another one in all other seats."""

    game: str
    seats: int
    bot: str
    against: str
    blocks: int


class Score(NamedTuple):
    """The bot's results in one block: shares from 0 to 1, and seconds per decision."""

    wins: float
    ahead: float
    seconds: float


SUITE = (
    Duel("gargon", 3, "ismcts:1000", "random", 10),
    Duel("gargon", 3, "ismcts:1000", "rule", 30),
    Duel("gargon", 4, "ismcts:1000", "random", 8),
    Duel("gargon", 4, "ismcts:1000", "rule", 20),
    Duel("gamon", 2, "ismcts:1000", "random", 20),
    Duel("gamon", 2, "ismcts:1000", "rule", 60),
    Duel("garner", 2, "ismcts:1000", "random", 10),
    Duel("garner", 2, "ismcts:1000", "rule", 20),
    Duel("gargon", 4, "ismcts:2000", "ismcts:500", 8),
    Duel("gamon", 2, "ismcts:2000", "ismcts:500", 20),
    Duel("garner", 2, "ismcts:2000", "ismcts:500", 20),
    Duel("gamon", 2, "ismcts:8000", "ismcts:2000", 10),
    Duel("garner", 2, "ismcts:8000", "ismcts:2000", 10),
)
"""The duels of results/strength.md."""


class Timed:
    """A bot wrapper that measures the time per decision."""

    def __init__(self, registry: PluginRegistry, spec: str, game: str, rng: Random) -> None:
        self._bot = registry.make_bot(spec, game, rng)
        self.seconds: list[float] = []

    def choose(self, observation: object) -> int:
        """Choose an action and add its duration."""
        started = perf_counter()
        action = self._bot.choose(observation)  # type: ignore[arg-type]  # any game's
        self.seconds.append(perf_counter() - started)
        return action


def main() -> None:
    """Play the duels and print the table."""
    arguments = read_arguments()
    print(f"seed {arguments.seed}; {len(arguments.duels)} comparisons", *HEAD, sep="\n")
    with ProcessPoolExecutor(arguments.workers, get_context("spawn")) as pool:
        for duel in arguments.duels:
            tasks = [(duel, arguments.seed + block) for block in range(duel.blocks)]
            print(row(duel, list(pool.map(play_block, *zip(*tasks, strict=True)))), flush=True)


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--duel", nargs=5, action="append", metavar="WHAT", help=DUEL_HELP)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    arguments.duels = list(read_duels(arguments.duel)) if arguments.duel else SUITE
    return arguments


DUEL_HELP = "GAME SEATS BOT AGAINST BLOCKS, instead of the whole table"
HEAD = (
    "| game | seats | bot | against | blocks | games | wins | ahead | s a choice |",
    "|---|---|---|---|---|---|---|---|---|",
)


def read_duels(given: list[list[str]]) -> Iterator[Duel]:
    """Yield the duels given on the command line."""
    for game, seats, bot, against, blocks in given:
        yield Duel(game, int(seats), bot, against, int(blocks))


@cache
def registry() -> PluginRegistry:
    """Return the plugin registry, loaded once per process."""
    return find_plugins()


def play_block(duel: Duel, seed: int) -> Score:
    """Play one deal with the bot in every seat in turn."""
    games = [play_game(duel, seed, seat) for seat in range(duel.seats)]
    return Score(*(fmean(values) for values in zip(*games, strict=True)))


def play_game(duel: Duel, seed: int, seat: int) -> Score:
    """Play one deal with the bot in one seat."""
    game = registry().game(duel.game)
    players = [Player(f"seat {number}", "bot") for number in range(duel.seats)]
    referee = set_up(game, players, {}, seed)
    bots = {
        number: Timed(
            registry(),
            duel.bot if number == seat else duel.against,
            duel.game,
            Random(f"{seed} {number - seat}"),
        )
        for number in range(duel.seats)
    }
    referee.proceed()
    play_out(referee, bots)
    return scored(places(referee.scores(), lowest_wins=game.lowest_wins), seat, bots[seat].seconds)


def scored(ranks: list[int], seat: int, seconds: list[float]) -> Score:
    """Return the score of a seat in a finished game."""
    mine, others = ranks[seat], ranks[:seat] + ranks[seat + 1 :]
    ahead = fmean((mine < other) + (mine == other) / 2 for other in others)
    return Score((mine == 1) / ranks.count(1), ahead, fmean(seconds))


def row(duel: Duel, scores: list[Score]) -> str:
    """Format a row of the table."""
    wins, ahead, seconds = zip(*scores, strict=True)
    cells = (
        *(duel.game, duel.seats, f"`{duel.bot}`", f"`{duel.against}`"),
        *(duel.blocks, duel.blocks * duel.seats),
        *(percent(wins), percent(ahead), f"{fmean(seconds):.2f}"),
    )
    return f"| {' | '.join(map(str, cells))} |"


def percent(shares: tuple[float, ...]) -> str:
    """Format a mean with its interval; of equal blocks with the lower end of the interval."""
    if len(shares) > 1 and stdev(shares) == 0:
        # At most 1 - 0.05 ** (1 / n) of all blocks are different, and those may all be lost.
        return f"{100 * shares[0]:.0f} % (from {100 * shares[0] * 0.05 ** (1 / len(shares)):.0f} %)"
    around = 1.96 * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 1.0
    return f"{100 * fmean(shares):.0f} ± {100 * around:.0f} %"


if __name__ == "__main__":
    main()
