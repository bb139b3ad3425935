"""Coverage of the intervals of ratings and of the confidence sequence, by simulation.

Ratings: bots of known strength play each block in all rotations of their seats, where games of a
block are independent or, in a share of the blocks, all end alike. Sequences: the share of matches
in which the interval, looked at after every block, never excluded the true mean, up to several
numbers of blocks; for scores by betting, for points by the asymptotic sequence.

    python benchmarks/coverage.py --out benchmarks/results/coverage.md
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cardhub.lab.stats import PlayedGame, fit_ratings
from cardhub.lab.stats.ratings.fit import ELO
from cardhub.lab.stats.sequential.confidence_sequence import (
    FIRST,
    Capital,
    log_mixture,
    mixture_scale,
)
from cardhub.lab.stats.types import Floats
from results_page import ResultsPage
from stopping import SUPPORT, block_shares

# The log strengths of four bots.
STRENGTHS = {
    "close": (0.0, -0.2, 0.4, 0.1),
    "apart": (0.0, 0.4, 1.2, -0.2),
    "extreme": (0.0, 3.0, -1.0, 0.5),
}
DRAWS = 200
# True Elo differences of the sequences, and the numbers of blocks after which they are examined.
TRUTHS = (0, 50, 200, 440)
LOOKS = (20, 100, 500, 2000)
# The number of simulated sequences of each truth.
SEQUENCES = 4000
# A mean counts as excluded once the log capital of bets against it has reached this.
EXCLUDED = -log(0.05)


Draw = Callable[[np.random.Generator, int], Floats]


def _shifted(win: float, share: float, rng: np.random.Generator, size: int) -> Floats:
    # `share` of the blocks win the amount that makes the mean 0, all others lose a point.
    return np.where(rng.random(size) < share, win, -1.0)


# Differences in points with the mean 0.
POINTS: dict[str, Draw] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "exponential": lambda rng, size: rng.exponential(size=size) - 1,
    "1 of 4 wins 3": partial(_shifted, 3.0, 1 / 4),
    "1 of 20 wins 19": partial(_shifted, 19.0, 1 / 20),
}


class Tables(NamedTuple):
    """A setting of ratings: seats of a game, blocks of each set of bots, and how blocks end.

    `alike` is the share of blocks in which all games end alike.
    """

    seats: int
    blocks: int
    alike: float


# The settings with few blocks, which are the hardest, with the number of simulated matches.
HARDEST = (
    *((Tables(2, 4, alike), 100) for alike in (0, 0.5, 1)),
    (Tables(2, 8, 0), 300),
    *((Tables(2, blocks, alike), 300) for blocks in (15, 30) for alike in (0, 1)),
    *((Tables(3, 4, alike), 100) for alike in (0, 0.5)),
    *((Tables(4, 4, alike), 100) for alike in (0, 0.5)),
    *((Tables(4, blocks, 1), 300) for blocks in (4, 8, 30)),
)


def main() -> None:
    """Print a row for each setting of ratings, then for each true mean of the sequences."""
    given = read_arguments()
    page = ResultsPage("Coverage of intervals")
    page.add_text(
        "Simulated matches of four bots, by `benchmarks/coverage.py`: the percentage of intervals "
        "of ratings that held the true Elo.",
        "`alike` is the share of blocks in which all games end alike. The bots are close, apart "
        "(up to 240 Elo) or extreme (up to 700 Elo).",
        "With 100 matches the standard error is about 1.5.",
    )
    page.add_head("seats", "blocks", "alike", "matches", *STRENGTHS)
    for setting, matches in read_settings(given):
        held = [ratings_held(setting, bots, matches) for bots in STRENGTHS.values()]
        page.add_row(setting.seats, setting.blocks, f"{setting.alike:g}", matches, *_percent(held))
    page.add_text(
        f"{SEQUENCES} simulated sequences of each kind, looked at after every block: the "
        "percentage that never excluded the true mean, up to a number of blocks.",
        "The truth is the Elo of the bots. In points the true mean is 0, and the truth is the "
        "distribution of differences.",
    )
    page.add_head("kind", "truth", *map(str, LOOKS))
    for kind, truth in product(SUPPORT, TRUTHS):
        page.add_row(kind, truth, *_percent(sequences_held(truth, kind)))
    for kind, draw in POINTS.items():
        page.add_row("points", kind, *_percent(points_held(draw)))
    if given.out:
        page.write(given.out)


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, help="matches of each setting")
    parser.add_argument("--seats", type=int, nargs="*", help="default: the hardest settings")
    parser.add_argument("--blocks", type=int, nargs="*", default=(4, 8, 30))
    parser.add_argument("--alike", type=float, nargs="*", default=(0, 0.5, 1))
    parser.add_argument("--out", type=Path, help="a file for the page")
    return parser.parse_args()


def read_settings(given: argparse.Namespace) -> list[tuple[Tables, int]]:
    """Return the settings of ratings with their numbers of matches."""
    if given.seats:
        settings = product(given.seats, given.blocks, given.alike)
        return [(Tables(*setting), given.matches or 100) for setting in settings]
    return [(setting, given.matches or matches) for setting, matches in HARDEST]


def _percent(shares: list[float]) -> list[str]:
    return [f"{100 * share:.1f}" for share in shares]


def ratings_held(
    setting: Tables, strengths: tuple[float, ...], matches: int, seed: int = 1
) -> float:
    """Return the share of rating intervals that hold the true Elo, over bots and matches."""
    held = []
    for number in range(matches):
        rng = np.random.default_rng((seed, number))
        games = _games(setting, np.asarray(strengths), rng)
        ratings = fit_ratings(games, len(strengths), anchor=0, draws=DRAWS, seed=number)
        for rating, strength in zip(ratings.by_bot[1:], strengths[1:], strict=True):
            if rating is not None:
                held.append(rating.elo.low <= strength * ELO <= rating.elo.high)
    return float(np.mean(held))


def _games(setting: Tables, strengths: Floats, rng: np.random.Generator) -> Iterator[PlayedGame]:
    # Plackett and Luce's model: places are the order of strength + Gumbel noise.
    sets = combinations(range(len(strengths)), setting.seats)
    for block, (bots, _) in enumerate(product(sets, range(setting.blocks))):
        is_alike = rng.random() < setting.alike
        worth = strengths + rng.gumbel(size=len(strengths))
        for turn in range(setting.seats):
            if not is_alike:
                worth = strengths + rng.gumbel(size=len(strengths))
            seated = np.roll(bots, turn)
            places = 1.0 + np.argsort(np.argsort(-worth[seated]))
            yield PlayedGame(block, tuple(seated.tolist()), tuple(places.tolist()))


def sequences_held(truth: float, kind: str, matches: int = SEQUENCES, seed: int = 1) -> list[float]:
    """Return the share of confidence sequences that hold the true mean up to each of LOOKS."""
    rng, support = np.random.default_rng(seed), np.asarray(SUPPORT[kind])
    shares = block_shares(truth, kind)
    capital = Capital(np.full(matches, float(shares @ support)), 0.05)
    largest, held = np.zeros(matches), []
    for block in range(1, LOOKS[-1] + 1):
        capital.add(rng.choice(support, size=matches, p=shares))
        largest = np.maximum(largest, capital.log())
        if block in LOOKS:
            held.append(float(np.mean(largest < EXCLUDED)))
    return held


def points_held(draw: Draw, matches: int = SEQUENCES, seed: int = 1) -> list[float]:
    """Return the share of asymptotic sequences that hold the mean 0 up to each of LOOKS."""
    rng, scale = np.random.default_rng(seed), mixture_scale(0.05)
    total, squares, largest = np.zeros(matches), np.zeros(matches), np.zeros(matches)
    held = []
    for block in range(1, LOOKS[-1] + 1):
        values = draw(rng, matches)
        total, squares = total + values, squares + values**2
        if block >= FIRST:
            z = total / np.sqrt(squares / block)
            largest = np.maximum(largest, log_mixture(block, z, scale))
        if block in LOOKS:
            held.append(float(np.mean(largest < EXCLUDED)))
    return held


if __name__ == "__main__":
    main()
