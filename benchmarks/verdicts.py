"""Power and errors of the verdicts of a match, by simulation.

Bots of known scores play all pairs on the same deals. The comparisons and corrections are those of
the product. An error is a verdict on equal bots, or one that names the worse bot as the better one;
a match with any of them counts as wrong.

    python benchmarks/verdicts.py --matches 1000 --out benchmarks/results/verdicts.md
"""

import argparse
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from cardhub.lab.analysis.pairs.comparisons import HALF, Comparison, through_opponents
from cardhub.lab.analysis.pairs.comparisons import over_games as compare_over_games
from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.partner_totals import PairTotals
from cardhub.lab.match.match_spec import Contest, Entrant, Match, Order
from cardhub.lab.stats import ConfidenceSequence, holm_limits, score_of_elo, shaffer_limits
from cardhub.lab.stats.types import Floats, Ints
from results_page import ResultsPage

# The games of a block, which end independently of each other.
GAMES_OF_BLOCK = 2
# The true score of the best bot against each of the others.
BETTER = 0.6
# The standard deviation of the ratings of many bots, in Elo.
SPREADS = (0.0, 15.0, 30.0)
LEVEL = 0.95
Limits = Callable[[Sequence[float], float], list[float]]


class Counts(NamedTuple):
    """Verdicts of a simulated match: how many are right and wrong."""

    right: int
    wrong: int


def main() -> None:
    """Print the power over several games, then the settled pairs of many bots."""
    given = read_arguments()
    page = ResultsPage("Power and errors of verdicts")
    page.add_text(
        f"{given.matches} simulated matches of each setting, by `benchmarks/verdicts.py`. A block "
        f"has {GAMES_OF_BLOCK} independent games; error rates are 5 %.",
        f"Four bots, 50 blocks: one scores {BETTER} against each of the others. Columns: the "
        "percentage of its pairs that are settled over all games, and of matches with an error, "
        "also if all bots are even, and if a lead in one game is a loss in the next.",
    )
    page.add_head("games", "settled", "wrong", "wrong if even", "wrong if games cancel")
    for games in (2, 3, 5, 8):
        page.add_row(games, *_percent(over_games(games, given.matches)))
    page.add_text(
        "16 bots, two games, 12,000 games: the mean number of settled pairs of 240, by their own "
        "games and through all opponents, and the percentage of matches with an error.",
    )
    page.add_head("spread", "own games", "wrong", "all opponents", "wrong")
    for spread in SPREADS:
        own, joint = many_bots(spread, given.matches)
        page.add_row(f"{spread:g}", *_settled(own), *_settled(joint))
    if given.out:
        page.write(given.out)


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=1000, help="matches of each setting")
    parser.add_argument("--out", type=Path, help="a file for the page")
    return parser.parse_args()


def _percent(shares: Sequence[float]) -> list[str]:
    return [f"{100 * share:.1f}" for share in shares]


def _settled(counts: Sequence[Counts]) -> list[str]:
    settled = np.mean([right + wrong for right, wrong in counts])
    return [f"{settled:.1f}", f"{100 * np.mean([wrong > 0 for _, wrong in counts]):.1f}"]


def over_games(games: int, matches: int) -> list[float]:
    """Return the power for the pairs of the best bot, and the shares of matches with errors."""
    ahead = np.full((games, 4, 4), 0.5)
    ahead[:, 0, 1:], ahead[:, 1:, 0] = BETTER, 1 - BETTER
    even = np.full((games, 4, 4), 0.5)
    cancelled = even.copy()
    for game in range(games - games % 2):
        cancelled[game] = ahead[game] if game % 2 else ahead[game].T
    counts = [
        [_over_games(true, number) for number in range(matches)]
        for true in (ahead, even, cancelled)
    ]
    errors = [float(np.mean([wrong > 0 for _, wrong in row])) for row in counts]
    return [float(np.mean([right for right, _ in counts[0]])) / 3, *errors]


def _over_games(true: Floats, number: int) -> Counts:
    match = _match(len(true), true.shape[1], 50)
    results = _results(match, true, np.random.default_rng((1, number)))
    rows = compare_over_games(match, [contest.id for contest in match.contests], results)
    return count(settled(rows, shaffer([4])), true.mean(axis=0))


def many_bots(spread: float, matches: int) -> tuple[list[Counts], list[Counts]]:
    """Return the verdicts on 16 bots by their own games, and through all opponents."""
    own, joint = [], []
    for number in range(matches):
        rng = np.random.default_rng((2, number))
        elo = rng.normal(scale=spread, size=16)
        true = np.vectorize(score_of_elo)(elo[:, None] - elo[None, :])
        match = _match(2, 16, 25)
        results = _results(match, np.stack([true, true]), rng)
        pairs = [
            Comparison(row.pair, row.deals, row.scores - row.even, HALF, True, LEVEL)
            for game in results.values()
            for row in game
        ]
        own.append(count(settled(pairs, holm_limits), true))
        through = [
            row
            for contest in match.contests
            for row in through_opponents(match, contest, results[contest.id])
        ]
        joint.append(count(settled(through, shaffer([16, 16])), true))
    return own, joint


def shaffer(bots: Sequence[int]) -> Limits:
    """Return Shaffer's procedure for all pairs of the bots in each game."""
    return partial(shaffer_limits, bots=bots)


def settled(rows: Sequence[Comparison], limits_of: Limits) -> list[tuple[str, str]]:
    """Return the better and the worse bot of each pair whose verdict is not open."""
    ahead = np.stack([row.differences for row in rows])
    t = ahead.mean(axis=1) / np.maximum(ahead.std(axis=1, ddof=1), 1e-12) * sqrt(ahead.shape[1])
    p_values = 2 * stdtr(ahead.shape[1] - 1, -np.abs(t))
    # No limit is above 5 %, so the exact test, which takes longer, matters below it only.
    for number in np.flatnonzero(p_values <= 1 - LEVEL).tolist():
        p_values[number] = rows[number].p_fixed()
    limits = np.asarray(limits_of(p_values.tolist(), LEVEL))
    return [
        row.pair if lead > 0 else row.pair[::-1]
        for row, lead, p, limit in zip(rows, t, p_values, limits, strict=True)
        if p <= limit
    ]


def count(wins: Collection[tuple[str, str]], true: Floats) -> Counts:
    """Return how many wins are right, given the true scores between the bots."""
    right = sum(true[int(better), int(worse)] > HALF + 1e-9 for better, worse in wins)
    return Counts(right, len(wins) - right)


def _match(games: int, bots: int, blocks: int) -> Match:
    names = tuple(map(str, range(games)))
    return Match(
        name="simulated",
        seed=0,
        entrants=tuple(Entrant(str(bot), "random", names) for bot in range(bots)),
        contests=tuple(
            Contest(name, "game", "1", 2, {}, {}, "full", "none", (), "rank") for name in names
        ),
        order=Order(blocks=blocks),
    )


def _results(match: Match, true: Floats, rng: np.random.Generator) -> dict[str, list[PairResult]]:
    pairs = list(combinations(range(true.shape[1]), 2))
    blocks, unused = match.order.blocks, ConfidenceSequence()
    return {
        contest.id: [
            _result(contest, pair, rng.binomial(GAMES_OF_BLOCK, scores[pair], blocks), unused)
            for pair in pairs
        ]
        for contest, scores in zip(match.contests, true, strict=True)
    }


def _result(
    contest: Contest, pair: tuple[int, int], won: Ints, unused: ConfidenceSequence
) -> PairResult:
    scores = np.asarray(won / GAMES_OF_BLOCK, np.float64)
    return PairResult(
        pair=(str(pair[0]), str(pair[1])),
        totals=PairTotals(contest),
        deals=np.arange(len(scores)),
        scores=scores,
        plain=scores,
        by_places=scores,
        margins=scores,
        sequence=unused,
        p_value=None,
        spread=None,
        is_as_planned=True,
        even=HALF,
        race=None,
    )


if __name__ == "__main__":
    main()
