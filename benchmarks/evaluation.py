"""Predictive power of a game's `evaluate` for the final scores, printed as a table.

Rule-based bots (random ones for games without) play with a share of random actions. For sampled
positions, the table has the share of variance (r²) of the final score differences that is explained
by the game's `evaluate` and by the current scores, by progress of the game. Search bots call
`evaluate` at the depth limit of their playouts, where it should explain more than the scores.
"""

import argparse
from random import Random
from statistics import correlation, fmean
from typing import Any, NamedTuple

from cardhub.model.table.state import OVER, State
from cardhub.play.seating import Player
from cardhub.play.setup import let_bot_act, set_up
from cardhub.plugins.registry import RULE, PluginRegistry, find_plugins
from speed import surroundings

PARTS = 5
"""The number of parts that a game is divided into."""
WILD = 0.15
"""The probability that a bot acts at random, so that positions vary."""


class Prediction(NamedTuple):
    """The evaluation and scores of a position and the final scores, by seat, minus their means."""

    part: int
    evaluation: list[float]
    scores: list[float]
    final: list[float]


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="gargon")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--games", type=int, default=200)
    arguments = parser.parse_args()
    registry = find_plugins()
    seats = arguments.seats or registry.game(arguments.game).seats.default
    predictions = [
        prediction
        for seed in range(arguments.games)
        for prediction in play(registry, arguments.game, seats, seed)
    ]
    print(surroundings(), f"{arguments.game}, {seats} seats, {arguments.games} games", "", sep="\n")
    print(f"{'over':>10}{'evaluation':>12}{'scores':>12}")
    for part in range(PARTS):
        chosen = [prediction for prediction in predictions if prediction.part == part]
        cells = (explained(chosen, field) for field in ("evaluation", "scores"))
        over = f"{100 * part // PARTS}-{100 * (part + 1) // PARTS} %"
        print(f"{over:>10}" + "".join(f"{cell:>12.2f}" for cell in cells))


def play(registry: PluginRegistry, name: str, seats: int, seed: int) -> list[Prediction]:
    """Play a game and return one position of each of its parts."""
    game, rng = registry.game(name), Random(f"{seed} wild")
    usual = RULE if registry.has_bot(RULE, name) else "random"
    bots = [registry.make_bot(usual, name, Random(f"{seed} {seat}")) for seat in range(seats)]
    wild = registry.make_bot("random", name, rng)
    referee = set_up(game, [Player(f"seat {n}", usual) for n in range(seats)], {}, seed)
    referee.proceed()
    passed: list[State] = []
    while referee.seat != OVER:
        passed.append(referee.observe(-1).state)
        let_bot_act(referee, wild if rng.random() < WILD else bots[referee.seat])
    final = off_mean(referee.scores())
    positions = [(part, passed[_index(part, len(passed), rng)]) for part in range(PARTS)]
    return [
        Prediction(
            part, off_mean(game.heuristics.evaluate(state)), off_mean(game.scores(state)), final
        )
        for part, state in positions
    ]


def explained(predictions: list[Prediction], field: str) -> float:
    """Return r² between predicted and final score differences."""
    predicted = [value for prediction in predictions for value in getattr(prediction, field)]
    final = [value for prediction in predictions for value in prediction.final]
    return float(correlation(predicted, final) ** 2) if len(set(predicted)) > 1 else 0.0


def off_mean(values: Any) -> list[float]:
    """Return the values minus their mean."""
    return [value - fmean(values) for value in values]


def _index(part: int, length: int, rng: Random) -> int:
    return int((part + rng.random()) * length / PARTS)


if __name__ == "__main__":
    main()
