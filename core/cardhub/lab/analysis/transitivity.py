"""Whether the bots of a game can be ordered by strength: cycles, Nash mixture, alpha-rank."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypedDict

from scipy.sparse import csr_array

from cardhub.lab.analysis.pairs.pair_result import PairResult, payoffs_between
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts
from cardhub.lab.analysis.schema import (
    DIFFERENT,
    AlphaMass,
    IntervalEstimate,
    NashShare,
    SweepMass,
    Transitivity,
)
from cardhub.lab.match.block_seeds import statistics_seed
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.stats import (
    AlphaRank,
    Estimate,
    Payoffs,
    alpha_rank,
    certified_cycles,
    cyclic_share,
    nash_mixture,
)

# The fewest bots that can form a cycle.
FEWEST = 3
# The most draws that are solved; each takes several linear programs.
MOST_DRAWS = 200


class Sampling(TypedDict):
    """Keyword arguments of the solvers: number of draws and level of the intervals."""

    draws: int
    level: float


def transitivity_of(
    match: Match, contest: Contest, results: Sequence[PairResult], verdicts: MatchVerdicts
) -> tuple[Transitivity | None, list[str]]:
    """Return the object `transitivity` of a game or None, and notes as strings."""
    played = [one for one in results if one.blocks]
    bots = [bot for bot in match.players_of(contest.id) if any(bot in one.pair for one in played)]
    # Differences between tables of single bots add up: they have no cycles.
    if len(bots) < FEWEST or contest.is_common:
        return None, []
    payoffs = payoffs_between(bots, played)
    if contest.in_points:
        payoffs = _between_0_and_1(payoffs)
    # As for all games: a failure of a solver becomes a note.
    try:
        settled = [_is_settled(verdicts, contest, one) for one in played]
        found = _Solver(match, contest, bots, payoffs).section(settled, verdicts)
    except ArithmeticError as error:
        return None, [f"The cycles were not computed: {error}."]
    return found, _notes(results, bots)


def _between_0_and_1(payoffs: Payoffs) -> Payoffs:
    # Differences in points over twice the largest one, plus 1/2: mixtures and cycles do not depend
    # on the scale, the other figures are those of scores with the same relative sizes.
    reach = float(abs(payoffs.scores).max()) or 1.0
    return replace(payoffs, scores=csr_array(payoffs.scores / (2 * reach) + payoffs.met / 2))


class _Solver:
    """Solves the payoffs of the bots of a contest that met."""

    def __init__(self, match: Match, contest: Contest, bots: list[str], payoffs: Payoffs) -> None:
        self._match, self._contest = match, contest
        self._bots, self._payoffs = bots, payoffs
        self._level = match.rating.level
        # The mixture and the masses use the same number of draws, each with a seed of its own.
        draws = min(MOST_DRAWS, match.rating.bootstrap)
        self._sampling = Sampling(draws=draws, level=self._level)

    def section(self, settled: Sequence[bool], verdicts: MatchVerdicts) -> Transitivity:
        # The verdicts of the match decide: 0 is below every limit and 1 above. No test is sampled,
        # and the rng is not used.
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
                NashShare(bot, _share(verdicts, found))
                for bot, found in zip(self._bots, nash.shares, strict=True)
            ),
            nash_gap=nash.gap,
            alpha_rank=tuple(
                AlphaMass(bot, _share(verdicts, mass))
                for bot, mass in zip(self._bots, alpha.final, strict=True)
            ),
            alpha_sweep=self._sweep(alpha),
            alpha_is_settled=alpha.is_settled,
        )

    def _sweep(self, found: AlphaRank) -> tuple[SweepMass, ...]:
        return tuple(
            SweepMass(alpha, bot, mass)
            for alpha, masses in zip(found.alphas.tolist(), found.masses, strict=True)
            for bot, mass in zip(self._bots, masses.tolist(), strict=True)
        )

    def _seed(self, purpose: str) -> int:
        return statistics_seed(self._match.seed, self._contest.id, purpose)


def _share(verdicts: MatchVerdicts, found: Estimate) -> IntervalEstimate:
    # As everywhere, draws of a bootstrap do not allow for an end that depends on results.
    return verdicts.estimate(found) or IntervalEstimate(None, None, None)


def _is_settled(verdicts: MatchVerdicts, contest: Contest, one: PairResult) -> bool:
    return verdicts.of(contest.id, one.pair).verdict in DIFFERENT


def _notes(results: Sequence[PairResult], bots: Sequence[str]) -> list[str]:
    pairs = {frozenset(one.pair) for one in results if one.blocks}
    missing = len(bots) * (len(bots) - 1) // 2 - len(pairs)
    if not missing:
        return []
    told = "1 pair never met; in Nash mixture and alpha-rank it counts as even."
    if missing > 1:
        told = f"{missing} pairs never met; in Nash mixture and alpha-rank they count as even."
    return [told]
