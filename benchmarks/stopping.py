"""Coverage and bias of the Elo estimate after a sequential test, by simulation.

For each true Elo, as shares of all tests: interval coverage, estimates above and below the truth,
tests without an estimate, tests whose interval is disjoint from the anytime-valid one, and tests
with a verdict; then the mean number of blocks.

    python benchmarks/stopping.py --tests 200
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from math import floor, inf
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from cardhub.stats import (
    ConfidenceSequence,
    EloEstimate,
    Hypotheses,
    Sprt,
    Verdict,
    after_stop,
    as_elo,
    score_of_elo,
)
from cardhub.stats.sequential.sprt import MODELS, Model
from cardhub.stats.types import Floats

TRUTHS = (-600, -440, -300, -200, -100, -30, 0, 10, 20, 50, 100, 200, 300, 440, 600)
# The limit of blocks of a test that ends by its verdict, and of one that may reach its limit.
ENDLESS, SHORT = 100_000, 60
# The draw rate between equal bots, and the Elo advantage of the better seat of a deal.
DRAWS, LUCK = 0.3, 200
# The possible scores of blocks of one game and of two.
SUPPORT = {"trinomial": (0.0, 0.5, 1.0), "pentanomial": (0.0, 0.25, 0.5, 0.75, 1.0)}
CHUNK = 1000
# An upper bound of the change of the LLR by one block, times elo1 - elo0.
STEP = 0.015


class Setting(NamedTuple):
    """A simulation setting: the true Elo, the model, the kind of block and the block limit."""

    truth: float
    model: Model
    kind: str
    limit: int
    elo: tuple[float, float] = (0, 20)


class Found(NamedTuple):
    """Results of simulated tests as shares, and their mean number of blocks."""

    held: float
    above: float
    below: float
    none: float
    apart: float
    decided: float
    blocks: float


def main() -> None:
    """Print a row for each setting."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", type=int, default=200, help="tests of each setting")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--elo", type=float, nargs=2, default=(0, 20), help="elo0 and elo1")
    parser.add_argument("--truth", type=float, nargs="*", default=TRUTHS)
    parser.add_argument("--model", nargs="*", default=MODELS[:2], choices=MODELS)
    parser.add_argument("--kind", nargs="*", default=list(SUPPORT), choices=list(SUPPORT))
    parser.add_argument("--limit", type=int, nargs="*", default=(ENDLESS, SHORT))
    given = parser.parse_args()
    columns = product(given.model, given.kind, given.limit, given.truth)
    settings = [Setting(t, model, kind, n, tuple(given.elo)) for model, kind, n, t in columns]
    print("| model | blocks | limit | truth |", " | ".join(Found._fields), "|")
    with ProcessPoolExecutor(given.workers) as pool:
        rows = pool.map(simulate, settings, [given.tests] * len(settings))
        for setting, found in zip(settings, rows, strict=True):
            told = " | ".join(f"{100 * share:.1f}" for share in found[:-1])
            print(
                f"| {setting.model} | {setting.kind} | {setting.limit} | {setting.truth:g} "
                f"| {told} | {found.blocks:.0f} |",
                flush=True,
            )


def simulate(setting: Setting, tests: int, seed: int = 1) -> Found:
    """Simulate a number of seeded tests and return their mean results."""
    rng = np.random.default_rng(seed)
    shares = block_shares(setting.truth, setting.kind)
    rows = [judged(*play(setting, shares, rng), setting.truth) for _ in range(tests)]
    return Found(*np.mean(rows, axis=0).tolist())


def judged(test: Sprt, sequence: ConfidenceSequence, truth: float) -> Found:
    """Simulate one test and return its results; each share is 0 or 1."""
    found = after_stop(test) or EloEstimate(None, None, None)
    (low, high), always = _ends(found), _ends(as_elo(sequence.interval()))
    return Found(
        held=low <= truth <= high,
        above=found.value is not None and found.value > truth,
        below=found.value is not None and found.value <= truth,
        none=found.value is None,
        apart=high < always[0] or low > always[1],
        decided=test.verdict is not Verdict.UNDECIDED,
        blocks=test.tally.blocks,
    )


def _ends(elo: EloEstimate) -> tuple[float, float]:
    low, high = elo.low, elo.high
    return -inf if low is None else low, inf if high is None else high


def play(
    setting: Setting, shares: Floats, rng: np.random.Generator
) -> tuple[Sprt, ConfidenceSequence]:
    """Simulate a test and the confidence sequence of the same blocks.

    Evidence takes time, so it is computed only after as many blocks as it takes to a verdict.
    """
    tested = Hypotheses(
        *setting.elo, model=setting.model, games_per_block=len(SUPPORT[setting.kind]) // 2
    )
    test, sequence = Sprt(tested, SUPPORT[setting.kind]), ConfidenceSequence()
    step = STEP * (tested.elo1 - tested.elo0)
    scores = _drawn(SUPPORT[setting.kind], shares, rng)
    while test.verdict is Verdict.UNDECIDED and test.tally.blocks < setting.limit:
        far = min(tested.bounds[1] - test.llr, test.llr - tested.bounds[0])
        for _ in range(min(max(1, floor(far / step)), setting.limit - test.tally.blocks)):
            score = next(scores)
            test.tally.add(score)
            sequence.add(score)
        test.judge()
    return test, sequence


def _drawn(support: tuple[float, ...], shares: Floats, rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.choice(support, size=CHUNK, p=shares).tolist()


def block_shares(truth: float, kind: str) -> Floats:
    """Return the probabilities of block scores for an Elo difference."""

    def excess(elo: float) -> float:
        return float(_block(elo, kind) @ np.asarray(SUPPORT[kind])) - score_of_elo(truth)

    return _block(float(brentq(excess, -2000, 2000)), kind)


def _block(elo: float, kind: str) -> Floats:
    if kind == "trinomial":
        return _game(elo)
    return np.convolve(_game(elo + LUCK), _game(elo - LUCK))


def _game(elo: float) -> Floats:
    score = score_of_elo(elo)
    draws = DRAWS * 4 * score * (1 - score)
    return np.asarray([1 - score - draws / 2, draws, score - draws / 2])


if __name__ == "__main__":
    main()
