"""How well what a position promises tells how a game ends, printed as a table.

Bots play by the game's rule of thumb (or at random, if it has none), now and then at random. From
positions on the way, `outlook` shows which part of the differences between the seats' final scores
follows from what the game's `outlook` said, and `scores` what follows from the scores as they stood
(r²): by how much of the game was over. Search bots look no further than a game's horizon, so
there its outlook had better be the greater of the two.
"""

import argparse
from random import Random
from statistics import correlation, fmean
from typing import Any, NamedTuple

from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.discovery import find_plugins
from cardhub.plugins.registry import RULE, PluginRegistry
from cardhub.table.state import OVER, State
from speed import surroundings

PARTS = 5
"""Into so many parts a game is divided."""
WILD = 0.15
"""How often a bot acts at random, so that positions differ."""


class Foretold(NamedTuple):
    """What was foretold at a position, and what came of it, by seat and less the mean."""

    part: int
    outlook: list[float]
    scores: list[float]
    final: list[float]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=200)
    arguments = parser.parse_args()
    registry = find_plugins()
    seats = arguments.seats or registry.game(arguments.game).seats.default
    found = [
        told
        for seed in range(arguments.games)
        for told in play(registry, arguments.game, seats, seed)
    ]
    print(surroundings(), f"{arguments.game}, {seats} seats, {arguments.games} games", "", sep="\n")
    print(f"{'over':>10}{'outlook':>10}{'scores':>10}")
    for part in range(PARTS):
        chosen = [told for told in found if told.part == part]
        cells = (explained(chosen, field) for field in ("outlook", "scores"))
        over = f"{100 * part // PARTS}-{100 * (part + 1) // PARTS} %"
        print(f"{over:>10}" + "".join(f"{cell:>10.2f}" for cell in cells))


def play(registry: PluginRegistry, name: str, seats: int, seed: int) -> list[Foretold]:
    """Play a game and return one position of each part of it."""
    game, lots = registry.game(name), Random(f"{seed} wild")
    usual = RULE if RULE in registry.bots_for(name) else "random"
    bots = [registry.make_bot(usual, name, Random(f"{seed} {seat}")) for seat in range(seats)]
    wild = registry.make_bot("random", name, lots)
    referee = set_up(game, [Player(f"seat {n}", usual) for n in range(seats)], {}, seed)
    referee.proceed()
    passed: list[State] = []
    while referee.seat != OVER:
        passed.append(referee.observe(-1).state)
        let_bot_act(referee, wild if lots.random() < WILD else bots[referee.seat])
    final = off_mean(referee.scores())
    positions = [(part, passed[_moment(part, len(passed), lots)]) for part in range(PARTS)]
    return [
        Foretold(part, off_mean(game.outlook(state)), off_mean(game.scores(state)), final)
        for part, state in positions
    ]


def explained(found: list[Foretold], field: str) -> float:
    """Return which part of the differences in the end follows from those foretold: r²."""
    told = [value for each in found for value in getattr(each, field)]
    final = [value for each in found for value in each.final]
    return float(correlation(told, final) ** 2) if len(set(told)) > 1 else 0.0


def off_mean(values: Any) -> list[float]:
    """Return by how much each value is more than the mean."""
    return [value - fmean(values) for value in values]


def _moment(part: int, length: int, lots: Random) -> int:
    return int((part + lots.random()) * length / PARTS)


if __name__ == "__main__":
    main()
