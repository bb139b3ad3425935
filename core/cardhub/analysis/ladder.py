"""Whether strength in a game can be put in a row."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypedDict

from cardhub.analysis.pairs import Met, p_value_of
from cardhub.analysis.rows import estimate
from cardhub.match.seeds import statistics_seed
from cardhub.match.spec import Contest, Match
from cardhub.stats import (
    AlphaRank,
    Payoffs,
    alpha_rank,
    certified_cycles,
    cyclic_share,
    nash_mixture,
    payoffs_of_scores,
)

FEWEST = 3
"""How many bots it takes to run in a circle."""
MOST_DRAWS = 200
"""How many draws are solved at most; each takes linear programs."""


class HowDrawn(TypedDict):
    """How intervals come about."""

    draws: int
    level: float


def ladder_of(
    match: Match, contest: Contest, met: Sequence[Met]
) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the section of a game about cycles, and notes in sentences."""
    played = [one for one in met if one.blocks]
    bots = [bot for bot in match.players_of(contest.id) if any(bot in one.pair for one in played)]
    if len(bots) < FEWEST:
        return None, []
    numbers = {bot: number for number, bot in enumerate(bots)}
    payoffs = payoffs_of_scores(
        {(numbers[one.pair[0]], numbers[one.pair[1]]): (one.deals, one.scores) for one in played},
        len(bots),
    )
    try:
        found = _Ladder(match, contest, bots, payoffs).data(played)
    except ArithmeticError as error:
        return None, [f"The circles were not computed: {error}."]
    return found, _notes(met, bots)


class _Ladder:
    """One contest, in which some bots met."""

    def __init__(self, match: Match, contest: Contest, bots: list[str], payoffs: Payoffs) -> None:
        self._match, self._contest = match, contest
        self._bots, self._payoffs = bots, payoffs
        self._level = match.rating.level
        draws = min(MOST_DRAWS, match.rating.bootstrap)
        self._how = HowDrawn(draws=draws, level=self._level)

    def data(self, met: Sequence[Met]) -> dict[str, Any]:
        kind = p_value_of(met)
        p_values = [one.p_by(kind) for one in met]
        cycles = certified_cycles(self._payoffs, Random(0), self._level, p_values)
        share = cyclic_share(self._payoffs)
        nash = nash_mixture(self._payoffs, seed=self._seed("nash"), **self._how)
        alpha = alpha_rank(self._payoffs, seed=self._seed("alpha"), **self._how)
        return {
            "cyclic_share": share.share if share else None,
            "cyclic_share_from_noise": share.from_noise if share else None,
            "apparent_cycles": cycles.apparent,
            "certified_cycles": [[self._bots[bot] for bot in three] for three in cycles.certified],
            "cycle_limit": cycles.limit,
            "nash": [
                {"bot": bot, "share": estimate(found)}
                for bot, found in zip(self._bots, nash.shares, strict=True)
            ],
            "nash_gap": nash.gap,
            **self._alpha(alpha),
        }

    def _alpha(self, found: AlphaRank) -> dict[str, Any]:
        return {
            "alpha_rank": [
                {"bot": bot, "mass": estimate(mass)}
                for bot, mass in zip(self._bots, found.final, strict=True)
            ],
            "alpha_sweep": [
                {"alpha": alpha, "bot": bot, "mass": mass}
                for alpha, masses in zip(found.alphas.tolist(), found.masses, strict=True)
                for bot, mass in zip(self._bots, masses.tolist(), strict=True)
            ],
            "alpha_is_settled": found.is_settled,
        }

    def _seed(self, purpose: str) -> int:
        return statistics_seed(self._match.seed, self._contest.id, purpose)


def _notes(met: Sequence[Met], bots: Sequence[str]) -> list[str]:
    """Say so if pairs count as even that never met."""
    pairs = {frozenset(one.pair) for one in met if one.blocks}
    missing = len(bots) * (len(bots) - 1) // 2 - len(pairs)
    told = f"{missing} pairs never met; in Nash mixture and alpha-rank they count as even."
    return [told] if missing else []
