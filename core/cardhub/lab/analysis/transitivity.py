"""Cycles, Nash mixture and alpha-rank, to see whether strength orders the bots of a game."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypedDict

from scipy.sparse import csr_array

from cardhub.lab.analysis.pairs.pair_result import PairResult, payoffs_between
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts
from cardhub.lab.analysis.schema import DIFFERENT, AlphaMass, NashShare, SweepMass, Transitivity
from cardhub.lab.estimate import UNKNOWN, Estimate, OpenEstimate
from cardhub.lab.match.block_seeds import statistics_seed
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    AlphaRank,
    Payoffs,
    alpha_rank,
    certified_cycles,
    cyclic_share,
    nash_mixture,
)

# The fewest bots that can form a cycle.
FEWEST = 3
# Maximum number of draws that are solved; each draw needs several linear programs.
MOST_DRAWS = 200


class Sampling(TypedDict):
    """Keyword arguments of the solvers: number of draws and level of the intervals."""

    draws: int
    level: float


def transitivity_of(
    match: Match, contest: Contest, results: Sequence[PairResult], verdicts: MatchVerdicts
) -> tuple[Transitivity | None, list[str]]:
    """Return the object `transitivity` of a game or None, and notes as strings."""
    played = [result for result in results if result.blocks]
    bots = [
        bot for bot in match.players_of(contest.id) if any(bot in result.pair for result in played)
    ]
    # In a common cause, differences between tables add up, so there are no cycles.
    if len(bots) < FEWEST or contest.is_common:
        return None, []
    payoffs = payoffs_between(bots, played)
    if contest.in_points:
        payoffs = _between_0_and_1(payoffs)
    # If a solver fails, the other statistics remain.
    try:
        settled = [verdicts.of(contest.id, result.pair).verdict in DIFFERENT for result in played]
        section = _Solver(match, contest, bots, payoffs).section(settled, verdicts)
    except ArithmeticError as error:
        return None, [f"The cycles were not computed: {error}."]
    return section, _notes(results, bots)


def _between_0_and_1(payoffs: Payoffs) -> Payoffs:
    # Differences are divided by twice the largest difference, and 1/2 is added. Mixtures and
    # cycles do not depend on the scale; all other figures depend only on relative sizes.
    reach = float(abs(payoffs.scores).max()) or 1.0
    return replace(payoffs, scores=csr_array(payoffs.scores / (2 * reach) + payoffs.met / 2))


class _Solver:
    """Solver for the payoffs between the bots of a contest that met."""

    def __init__(self, match: Match, contest: Contest, bots: list[str], payoffs: Payoffs) -> None:
        self._match, self._contest = match, contest
        self._bots, self._payoffs = bots, payoffs
        self._level = match.rating.level
        # The mixture and the masses use the same number of draws, with different seeds.
        draws = min(MOST_DRAWS, match.rating.bootstrap)
        self._sampling = Sampling(draws=draws, level=self._level)

    def section(self, settled: Sequence[bool], verdicts: MatchVerdicts) -> Transitivity:
        # Verdicts of the match replace p-values: 0 is below every limit, and 1 is above. Nothing is
        # sampled, so the rng is not used.
        p_values = [0.0 if is_settled else 1.0 for is_settled in settled]
        cycles = certified_cycles(self._payoffs, Random(0), self._level, p_values)
        share = cyclic_share(self._payoffs)
        nash = nash_mixture(self._payoffs, seed=self._seed("nash"), **self._sampling)
        alpha = alpha_rank(self._payoffs, seed=self._seed("alpha"), **self._sampling)
        return Transitivity(
            cyclic_share=share.share if share else None,
            cyclic_share_from_noise=share.from_noise if share else None,
            apparent_cycles=cycles.apparent,
            certified_cycles=tuple(
                tuple(self._bots[bot] for bot in three) for three in cycles.certified
            ),
            nash=tuple(
                NashShare(bot, _share(verdicts, share_of_bot))
                for bot, share_of_bot in zip(self._bots, nash.shares, strict=True)
            ),
            nash_gap=nash.gap,
            alpha_rank=tuple(
                AlphaMass(bot, _share(verdicts, mass))
                for bot, mass in zip(self._bots, alpha.final, strict=True)
            ),
            alpha_sweep=self._sweep(alpha),
            alpha_is_settled=alpha.is_settled,
        )

    def _sweep(self, ranking: AlphaRank) -> tuple[SweepMass, ...]:
        return tuple(
            SweepMass(alpha, bot, mass)
            for alpha, masses in zip(ranking.alphas.tolist(), ranking.masses, strict=True)
            for bot, mass in zip(self._bots, masses.tolist(), strict=True)
        )

    def _seed(self, purpose: str) -> int:
        return statistics_seed(self._match.seed, self._contest.id, purpose)


def _share(verdicts: MatchVerdicts, estimate: Estimate) -> OpenEstimate:
    # Bootstrap intervals are not valid if the end of the match depends on results.
    return verdicts.estimate(estimate) or UNKNOWN


def _notes(results: Sequence[PairResult], bots: Sequence[str]) -> list[str]:
    pairs = {frozenset(result.pair) for result in results if result.blocks}
    missing = len(bots) * (len(bots) - 1) // 2 - len(pairs)
    if not missing:
        return []
    note = "1 pair never met; in Nash mixture and alpha-rank it counts as even."
    if missing > 1:
        note = f"{missing} pairs never met; in Nash mixture and alpha-rank they count as even."
    return [note]
