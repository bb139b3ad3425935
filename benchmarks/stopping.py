"""Coverage and bias of the Elo estimate after a sequential test, by simulation.

For each true Elo, as shares of all tests: interval coverage, estimates above and below the truth,
tests without an estimate, tests whose interval is disjoint from the anytime-valid interval, and
tests with a verdict; then the mean number of blocks. With `--again`, settings in which more than 55
% of the estimates are on one side of the truth are simulated again, with another seed.

    python benchmarks/stopping.py --tests 200 --again 1000 --out benchmarks/results/stopping.md
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import inf, log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.stats import Hypotheses, Sprt, after_stop, score_of_elo
from cardhub.lab.stats.sequential.confidence_sequence import Capital
from cardhub.lab.stats.sequential.sprt import MODELS, Model
from cardhub.lab.stats.types import Floats
from results_page import ResultsPage

TRUTHS = (-600, -440, -300, -200, -100, -30, 0, 10, 20, 50, 100, 200, 300, 440, 600)
# The limit of blocks of a test that ends by its verdict, and of one that may reach its limit.
ENDLESS, SHORT = 100_000, 60
# The draw rate between equal bots, and the Elo advantage of the better seat of a deal.
DRAWS, LUCK = 0.3, 200
# The possible scores of blocks of one game and of two.
SUPPORT = {"trinomial": (0.0, 0.5, 1.0), "pentanomial": (0.0, 0.25, 0.5, 0.75, 1.0)}
# Blocks are drawn and judged in chunks of this size.
CHUNK = 100
# The number of means of an interval that are compared with the anytime-valid one.
MEANS = 9
# With `--again`, a setting is simulated again if one side has a larger share of the estimates.
UNEVEN = 0.55
COLUMNS = (
    *("hypotheses", "blocks", "true Elo", "limit", "interval held it", "estimate above", "below"),
    *("none", "no overlap", "verdict", "mean blocks"),
)
"""The head of the table; the second table, of settings simulated again, has the first eight."""
AGAIN = 8


class Setting(NamedTuple):
    """A simulation setting: the true Elo, the model and the kind of block."""

    truth: float
    model: Model
    kind: str
    elo: tuple[float, float] = (0, 20)

    @property
    def tested(self) -> Hypotheses:
        """The hypotheses of its tests."""
        games = len(SUPPORT[self.kind]) // 2
        return Hypotheses(*self.elo, model=self.model, games_per_block=games)


class Result(NamedTuple):
    """Results of simulated tests as shares, and their mean number of blocks."""

    held: float
    above: float
    below: float
    none: float
    apart: float
    decided: float
    blocks: float

    @property
    def is_uneven(self) -> bool:
        """Whether too many estimates are on one side of the truth."""
        return max(self.above, self.below) > UNEVEN


class Plan(NamedTuple):
    """What to simulate: limits of blocks, tests of each setting, and the seed."""

    limits: Sequence[int]
    tests: int
    seed: int


class Ended(NamedTuple):
    """One test at its end: its block scores, whether it has a verdict, and its estimate."""

    scores: Floats
    is_decided: bool
    elo: OpenEstimate


def main() -> None:
    """Print a row for each setting."""
    given = read_arguments()
    settings = [
        Setting(truth, model, kind, tuple(given.elo))
        for model, kind, truth in product(given.model, given.kind, given.truth)
    ]
    page = ResultsPage("Estimates after a sequential test")
    low, high = given.elo
    page.add_text(
        f"Simulated tests of {low:g} against {high:g} Elo between bots of a known Elo, "
        f"{given.tests} of each setting, by `benchmarks/stopping.py`.",
        f"{DRAWS:.0%} of the games between equals are draws; the better seat of a deal is worth "
        f"{LUCK} Elo.",
        "`any`: the rows with and without a limit of blocks are equal. All columns but the last "
        "are percentages of tests.",
    )
    with ProcessPoolExecutor(given.workers) as pool:
        plan = Plan(given.limit, given.tests, given.seed)
        page.add_head(*COLUMNS)
        uneven = add_rows(page, pool, settings, plan, len(COLUMNS))
        if given.again and uneven:
            page.add_text(
                f"The settings in which one side has more than {UNEVEN:.0%} of the estimates, "
                f"simulated again with {given.again} tests and seed {given.seed + 1}.",
            )
            page.add_head(*COLUMNS[:AGAIN])
            for limits, again in uneven.items():
                plan = Plan(limits, given.again, given.seed + 1)
                add_rows(page, pool, again, plan, AGAIN)
    if given.out:
        page.write(given.out)


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", type=int, default=200, help="tests of each setting")
    parser.add_argument("--again", type=int, default=0, help="tests of each uneven setting")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elo", type=float, nargs=2, default=(0, 20), help="elo0 and elo1")
    parser.add_argument("--truth", type=float, nargs="*", default=TRUTHS)
    parser.add_argument("--model", nargs="*", default=MODELS[:2], choices=MODELS)
    parser.add_argument("--kind", nargs="*", default=list(SUPPORT), choices=list(SUPPORT))
    parser.add_argument("--limit", type=int, nargs="*", default=(ENDLESS, SHORT))
    parser.add_argument("--out", type=Path, help="a file for the page")
    return parser.parse_args()


def add_rows(
    page: ResultsPage,
    pool: ProcessPoolExecutor,
    settings: Sequence[Setting],
    plan: Plan,
    columns: int,
) -> dict[tuple[int, ...], list[Setting]]:
    """Add the rows of all settings; return the uneven settings by their limits."""
    uneven: dict[tuple[int, ...], list[Setting]] = {}
    work = partial(simulate, limits=plan.limits, tests=plan.tests, seed=plan.seed)
    for setting, results in zip(settings, pool.map(work, settings), strict=True):
        for limits, result in _merged(plan.limits, results):
            page.add_row(*_cells(setting, limits, result)[:columns])
            if result.is_uneven:
                uneven.setdefault(limits, []).append(setting)
    return uneven


def _merged(
    limits: Sequence[int], results: list[Result]
) -> Iterator[tuple[tuple[int, ...], Result]]:
    # One row for all limits of blocks, if no limit changes a cell.
    if len({tuple(_percentages(result)) for result in results}) == 1:
        yield tuple(limits), results[0]
        return
    for limit, result in zip(limits, results, strict=True):
        yield (limit,), result


def _cells(setting: Setting, limits: Sequence[int], result: Result) -> list[str]:
    limited = "any" if len(limits) > 1 else "none" if limits[0] == ENDLESS else str(limits[0])
    return [setting.model, setting.kind, f"{setting.truth:g}", limited, *_percentages(result)]


def _percentages(result: Result) -> list[str]:
    return [*(f"{100 * share:.1f}" for share in result[:-1]), f"{result.blocks:.0f}"]


def simulate(setting: Setting, limits: Sequence[int], tests: int, seed: int = 1) -> list[Result]:
    """Simulate a number of seeded tests and return their mean results for each limit of blocks."""
    shares = block_shares(setting.truth, setting.kind)
    by_limit: list[list[Ended]] = [[] for _ in limits]
    for number in range(tests):
        rng = np.random.default_rng((seed, number, *_numbers_of(setting)))
        scores, has_verdict = play(setting, shares, rng, max(limits))
        endings: dict[int, Ended] = {}  # most tests end before both limits
        for limit, ended in zip(limits, by_limit, strict=True):
            blocks = min(limit, len(scores))
            if blocks not in endings:
                is_decided = has_verdict and blocks == len(scores)
                endings[blocks] = _ended(setting, scores[:blocks], is_decided)
            ended.append(endings[blocks])
    return [_judged(ended, setting.truth) for ended in by_limit]


def _numbers_of(setting: Setting) -> tuple[int, ...]:
    # Each setting has its own luck: with shared one, the errors of its rows would be alike.
    elo = round(setting.truth) + ENDLESS
    return elo, MODELS.index(setting.model), list(SUPPORT).index(setting.kind)


def play(
    setting: Setting, shares: Floats, rng: np.random.Generator, limit: int
) -> tuple[Floats, bool]:
    """Draw the block scores of a test up to its verdict or limit, and whether it has a verdict."""
    values = np.asarray(SUPPORT[setting.kind])
    low, high = setting.tested.bounds
    counts, drawn = np.zeros(len(values)), 0
    parts: list[Floats] = []
    while drawn < limit:
        cells = rng.choice(len(values), size=CHUNK, p=shares)[: limit - drawn]
        after_each = counts + np.cumsum(np.eye(len(values))[cells], axis=0)
        llr = setting.tested.llrs_of(values, after_each)
        ends = np.flatnonzero((llr <= low) | (llr >= high))
        if len(ends):
            return np.concatenate([*parts, values[cells[: ends[0] + 1]]]), True
        parts.append(values[cells])
        counts, drawn = after_each[-1], drawn + len(cells)
    return np.concatenate(parts), False


def _ended(setting: Setting, scores: Floats, is_decided: bool) -> Ended:
    test = Sprt(setting.tested, SUPPORT[setting.kind])
    for score in scores.tolist():
        test.tally.add(score)
    if is_decided:
        test.judge()
    return Ended(scores, is_decided, after_stop(test) or OpenEstimate(None, None, None))


def _judged(tests: list[Ended], truth: float) -> Result:
    ends = np.asarray([_ends(test.elo) for test in tests])
    values = [test.elo.value for test in tests]
    return Result(
        held=float(np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1]))),
        above=float(np.mean([value is not None and value > truth for value in values])),
        below=float(np.mean([value is not None and value <= truth for value in values])),
        none=float(np.mean([value is None for value in values])),
        apart=float(np.mean(_excluded([test.scores for test in tests], ends))),
        decided=float(np.mean([test.is_decided for test in tests])),
        blocks=float(np.mean([len(test.scores) for test in tests])),
    )


def _ends(elo: OpenEstimate) -> tuple[float, float]:
    low, high = elo.low, elo.high
    return -inf if low is None else low, inf if high is None else high


def _excluded(tests: list[Floats], ends: Floats) -> NDArray[np.bool_]:
    # Whether the confidence sequence of each test excludes its whole interval after the stop. All
    # tests are followed in parallel, by bets against a grid of means in their intervals.
    scores = np.full((max(map(len, tests)), len(tests)), 0.5)
    for number, test in enumerate(tests):
        scores[: len(test), number] = test
    lengths = np.asarray([len(test) for test in tests])
    low, high = (1 / (1 + 10 ** (-ends.T / 400))).tolist()
    capital = Capital(np.linspace(low, high, MEANS), 0.05)
    rejected = np.zeros((MEANS, len(tests)), dtype=np.bool_)
    for block, row in enumerate(scores):
        capital.add(row)
        rejected |= (capital.log() >= -log(0.05)) & (block < lengths)
    excluded: NDArray[np.bool_] = np.all(rejected, axis=0)
    return excluded


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
