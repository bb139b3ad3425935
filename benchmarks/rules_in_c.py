"""How much faster playouts and search are with rules in C, for each game that has them.

With and without rules in C take turns, from the same positions and with the same seeds. A figure is
the ratio of the least processor times over the rounds; in brackets is the range of the rounds'
ratios. Run it after `cardhub compile`.
"""

import argparse
from collections.abc import Callable
from functools import cache
from random import Random
from time import process_time
from typing import Any
from unittest.mock import patch

from cardhub import Game
from cardhub.bots.search.simulation import Playout
from cardhub.bots.search.struct_playouts import playouts_in_c
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from searching import POSITIONS, position
from speed import surroundings, working_games

COUNT = 40
IN_C = "cardhub.bots.search.simulation.playouts_in_c"
Work = Callable[[Game[Any], Observation[Any], int], None]


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--iterations", type=int, default=300, help="of search, for a decision")
    arguments = parser.parse_args()
    print(surroundings(), f"{arguments.rounds} rounds", sep="\n")
    print("", f"{'game':12}{'playouts':>24}{'search':>24}", sep="\n")
    for game in working_games():
        is_named = not arguments.games or game.name in arguments.games
        if not is_named or playouts_in_c(game) is None:
            continue
        works: list[tuple[Work, int]] = [(play_out, COUNT), (search, arguments.iterations)]
        ratios = (ratio(game, work, size, arguments.rounds) for work, size in works)
        print(f"{game.name:12}", *(f"{text:>23}" for text in ratios))


def play_out(game: Game[Any], observation: Observation[Any], count: int) -> None:
    """Play playouts of a determinization."""
    rng = Random(1)
    Playout(game, rng).mean_values(observation.determinize(rng), count)


# Finding plugins takes as long as a thousand iterations of Kuhn poker.
plugins = cache(find_plugins)


def search(game: Game[Any], observation: Observation[Any], iterations: int) -> None:
    """Search for an action."""
    bot = plugins().make_bot(f"ismcts:{iterations}", game.name, Random(1))
    bot.choose(observation)


def ratio(game: Game[Any], work: Work, size: int, rounds: int) -> str:
    """Return how many times as fast a work is with rules in C."""
    observations = [position(game, seed) for seed in range(POSITIONS)]
    pairs = []
    for _ in range(rounds):
        in_c = seconds(game, work, observations, size)
        with patch(IN_C, return_value=None):
            pairs.append((seconds(game, work, observations, size), in_c))
    whole = min(without for without, _ in pairs) / min(in_c for _, in_c in pairs)
    by_round = sorted(without / in_c for without, in_c in pairs)
    return f"{whole:.2f} ({by_round[0]:.2f} to {by_round[-1]:.2f})"


def seconds(game: Game[Any], work: Work, observations: list[Observation[Any]], size: int) -> float:
    """Return the processor time of a work from several positions."""
    started = process_time()
    for observation in observations:
        work(game, observation, size)
    return process_time() - started


if __name__ == "__main__":
    main()
