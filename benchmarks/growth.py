"""How costs grow: by seats, by deals, by the length of a search; games a second of matches; memory.

Times are CPU seconds, medians over rounds and positions. Memory, as counted by
Python's allocator, is shown for a state, an observation of it, and 1,000 iterations of a search
tree.
"""

import argparse
import gc
import tracemalloc
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import process_time
from typing import Any

from cardhub import Game
from cardhub.bots.bot import Adviser
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry, find_plugins
from cardhub.testing.random_play import Position, Trial, play
from determinizing import timed
from matching import match_of_dice, play_match
from speed import surroundings, working_games

# Options with which a game has many deals, and the deals that are measured.
MANY_DEALS: dict[str, dict[str, Value]] = {
    "hearts": {"hands": 8, "target": 100},
    "spades": {},
    "gin_rummy": {},
}
DEALS = (0, 1, 3, 6)
LENGTHS = (500, 1000, 2000)
MATCH_BLOCKS = 6


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--game", help="measure this game only")
    arguments = parser.parse_args()
    games = [find_plugins().game(arguments.game)] if arguments.game else list(working_games())
    print(
        surroundings(), f"{arguments.rounds} rounds of {arguments.iterations} iterations", sep="\n"
    )
    for title, lines in tables(games, arguments.rounds, arguments.iterations):
        print("", title, *lines, sep="\n", flush=True)


def tables(games: list[Game[Any]], rounds: int, iterations: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the tables as they are measured: title and lines."""
    head = row("game", "", "iterations/s", "determinize µs")
    ranges = [game for game in games if game.seats.low < game.seats.high]
    lines = [line for game in ranges for line in by_seats(game, rounds, iterations)]
    yield "by seats", [head, *lines]
    lines = [line for game in games for line in by_deals(game, rounds, iterations)]
    yield "by deals", [head, *lines]
    registry = find_plugins()
    lines = [match_row(registry, game, rounds) for game in games if game.seats.high]
    yield "matches of random bots, one process", [row("game", "", "games/s"), *lines]
    kinds = ("state B", "observation B", *(f"{n} it. kB" for n in LENGTHS))
    yield "memory", [row("game", "", *kinds), *map(memory_row, games)]


def by_seats(game: Game[Any], rounds: int, iterations: int) -> Iterator[str]:
    """Yield a row for each number of players."""
    for seats in range(max(game.seats.low, 1), min(game.seats.high, 8) + 1):
        observations = [middle(game, seats, seed) for seed in range(rounds)]
        yield row(game.name, f"{seats} seats", *costs(game, observations, iterations))


def by_deals(game: Game[Any], rounds: int, iterations: int) -> Iterator[str]:
    """Yield a row for each of the chosen deals, in games of many deals."""
    if game.name not in MANY_DEALS:
        return
    for deal in DEALS:
        drawn = (in_deal(game, deal, seed) for seed in range(rounds))
        observations = [observation for observation in drawn if observation is not None]
        if observations:
            yield row(game.name, f"deal {deal + 1}", *costs(game, observations, iterations))


def costs(
    game: Game[Any], observations: list[Observation[Any]], iterations: int
) -> tuple[str, str]:
    """Return iterations per second and microseconds of a determinization, as cells."""
    searched = [search_seconds(game, observation, iterations) for observation in observations]
    drawn = [timed(observation.determinize).next for observation in observations]
    return f"{iterations / median(searched):,.0f}", f"{1e6 * median(drawn):.1f}"


def search_seconds(game: Game[Any], observation: Observation[Any], iterations: int) -> float:
    """Return the CPU seconds of a search."""
    bot = searcher(game, iterations)
    started = process_time()
    bot.advise(observation)
    return process_time() - started


def searcher(game: Game[Any], iterations: int) -> Adviser:
    """Return a search bot that begins a new tree."""
    bot: Any = find_plugins().make_bot(f"ismcts:{iterations},keep=no", game.name, Random(0))
    adviser: Adviser = bot
    return adviser


def middle(game: Game[Any], seats: int, seed: int) -> Observation[Any]:
    """Return the observation of the seat to act in the middle of a random game."""
    settings = resolve_options(game, {}, seats)
    course = [
        position
        for position in play(game, Trial(seats, settings, seed))
        if position.state.seat >= 0
    ]
    return observed(game, course[len(course) // 2])


def in_deal(game: Game[Any], deal: int, seed: int) -> Observation[Any] | None:
    """Return an observation in the middle of a deal; None if the game ends before."""
    seats = game.seats.default
    settings = resolve_options(game, MANY_DEALS[game.name], seats)
    course = [
        position
        for position in play(game, Trial(seats, settings, seed))
        if len(position.state.shuffle_log) == deal and position.state.seat >= 0
    ]
    return observed(game, course[len(course) // 2]) if course else None


def observed(game: Game[Any], position: Position[Any]) -> Observation[Any]:
    """Return the observation of the seat to act."""
    return Observation(game, position.state, position.state.seat, position.history)


def match_row(registry: PluginRegistry, game: Game[Any], rounds: int) -> str:
    """Return the games per second of a match."""
    match = match_of_dice(registry, game.name, MATCH_BLOCKS)
    seconds = median(play_match(match, registry, 1)[0] for _ in range(rounds))
    return row(game.name, "", f"{1 / seconds:,.0f}")


def memory_row(game: Game[Any]) -> str:
    """Return the memory of a state, an observation and of search trees."""
    observation = middle(game, max(game.seats.default, 1), 0)
    state = observation.determinize(Random(0))
    sizes = [size_of(state.clone), size_of(lambda: observed_again(game, state))]
    trees = [tree_size(game, observation, number) / 1e3 for number in LENGTHS]
    cells = [f"{size:,.0f}" for size in (*sizes, *trees)]
    return row(game.name, "", *cells)


def observed_again(game: Game[Any], state: Any) -> Observation[Any]:
    """Return a new observation of a state."""
    return Observation(game, state, state.seat)


def tree_size(game: Game[Any], observation: Observation[Any], iterations: int) -> float:
    """Return the bytes that a search bot keeps after a search."""

    def searched() -> Adviser:
        bot = searcher(game, iterations)
        bot.advise(observation)
        return bot

    return size_of(searched)


def size_of(make: Callable[[], object]) -> float:
    """Return the bytes that an object keeps; one is made before, to fill caches."""
    make()
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = make()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return float(after - before)


def row(first: str, second: str, *cells: str) -> str:
    """Format a row of a table."""
    return f"{first:12}{second:10}" + "".join(f"{cell:>15}" for cell in cells)


if __name__ == "__main__":
    main()
