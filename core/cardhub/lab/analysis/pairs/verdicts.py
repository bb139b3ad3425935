"""All verdicts of a match, decided once, and the rows of the pairs with them.

Every sentence, table and rank range follows from these verdicts. The family is all pairs that the
match compares, in all its games; Holm's correction makes all their verdicts hold together at the
level of the match. The evidence on a pair that played as many blocks as planned is the exact
sign-flip test; if the number of its blocks may depend on results (a sequential test, a race, an
unfinished match), it is anytime-valid. A withdrawn bot is compared with nobody, and changes no
verdict on the other bots. The pair of a sequential test has the verdict of that test only. In a
race each game has an equal share of the error rate, because its schedule depends on its own results
only.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.pairs.pair_result import PairResult, without_bots
from cardhub.lab.analysis.schema import (
    OPPOSITE,
    CrosstableCell,
    EvidenceKind,
    PairRow,
    PairVerdict,
    VerdictEvidence,
)
from cardhub.lab.estimate import OpenEstimate, PointEstimate
from cardhub.lab.match.match_spec import Match, SprtRule
from cardhub.lab.match.run.schedule import race_level
from cardhub.lab.stats import (
    Ranks,
    as_elo,
    holm_limits,
    likelihood_of_superiority,
    mean_points,
    normalized_elo,
    undecided_share,
)

Pair = tuple[str, str]
Results = Mapping[str, Sequence[PairResult]]


class PairDecision(NamedTuple):
    """The verdict on the first bot of a pair, and its evidence; None without blocks."""

    verdict: PairVerdict
    evidence: VerdictEvidence | None


class RankRange(NamedTuple):
    """The best and the worst rank that the verdicts allow."""

    best: int
    worst: int

    def around(self, rank: int) -> Ranks:
        """Return the range with the rank in it that is nearest to `rank`."""
        return Ranks(min(max(rank, self.best), self.worst), self.best, self.worst)


NOT_COMPARED = PairDecision("open", None)


@dataclass(frozen=True)
class MatchVerdicts:
    """The verdicts of a match by game and pair; `comparisons` is the size of the family.

    `is_fixed`: intervals for a number of blocks set in advance hold for all compared bots.
    """

    is_fixed: bool
    comparisons: int
    decisions: Mapping[str, Mapping[Pair, PairDecision]]

    def estimate(self, estimate: OpenEstimate | None) -> OpenEstimate | None:
        """Return an estimate for a fixed number of blocks, without an interval unless it holds."""
        if estimate is None or self.is_fixed:
            return estimate
        return OpenEstimate(estimate.value, None, None)

    def of(self, game: str, pair: Pair) -> PairDecision:
        """Return the decision on a pair in the order of the match file."""
        return self.decisions[game].get(pair, NOT_COMPARED)

    def is_better(self, game: str, bot: str, other: str) -> bool:
        """Return whether one bot is better than another in a game."""
        decisions = self.decisions[game]
        if (bot, other) in decisions:
            return decisions[bot, other].verdict == "better"
        return decisions.get((other, bot), NOT_COMPARED).verdict == "worse"

    def compared(self, game: str) -> list[str]:
        """Return the bots of a game that met another bot."""
        pairs = [pair for pair, decision in self.decisions[game].items() if decision.evidence]
        return list(dict.fromkeys(bot for pair in pairs for bot in pair))

    def rank_ranges(
        self,
        games: Sequence[str],
        bots: Sequence[str],
        losses: Collection[tuple[str, str]] = (),
    ) -> dict[str, RankRange]:
        """Return the ranges of ranks among bots over games.

        A bot is better over several games if it is better in each of them. The best rank is
        1 + the number of better bots; the worst rank is the number of bots minus the number of
        worse bots.
        `losses` has pairs of a game and a bot that counts as losing there without playing.
        """

        def wins(one: str, other: str) -> bool:
            played = [game for game in games if (game, other) not in losses]
            return bool(played) and all(self.is_better(game, one, other) for game in played)

        return {
            bot: RankRange(
                1 + sum(wins(other, bot) for other in bots),
                len(bots) - sum(wins(bot, other) for other in bots),
            )
            for bot in bots
        }


def decide(
    match: Match,
    results: Results,
    outcome: str | None = None,
    withdrawn: Collection[str] = (),
) -> MatchVerdicts:
    """Return the verdicts of a match, given all its pairs by game.

    `outcome` is the verdict of its sequential test; `withdrawn` are the withdrawn bots. They were
    withdrawn for faults, not for results, so the verdicts on the other bots hold as without them.
    """
    decisions: dict[str, dict[Pair, PairDecision]] = {game: {} for game in results}
    families, level = _families(match, results, withdrawn)
    compared = [result for family in families for _, result in family]
    is_fixed = bool(compared) and all(_kind(match, result) == "sign_flip" for result in compared)
    for family in families:
        kinds = [_kind(match, result) for _, result in family]
        p_values = [_p_value(result, kind) for (_, result), kind in zip(family, kinds, strict=True)]
        limits = holm_limits(p_values, level)
        for (game, result), kind, limit in zip(family, kinds, limits, strict=True):
            decisions[game][result.pair] = _by_p_value(result, kind, limit)
    if match.sprt is not None:
        for result in results[match.sprt.contest]:
            if {*result.pair} == {match.sprt.a, match.sprt.b}:
                decisions[match.sprt.contest][result.pair] = _by_test(
                    match, match.sprt, result, outcome
                )
    return MatchVerdicts(is_fixed, max(map(len, families)), decisions)


def _kind(match: Match, result: PairResult) -> EvidenceKind:
    return "sign_flip" if result.is_as_planned and match.sprt is None else "sequence"


def _families(
    match: Match, results: Results, withdrawn: Collection[str]
) -> tuple[list[list[tuple[str, PairResult]]], float]:
    """Return the families of pairs with their games, and the level of each family."""
    compared = {game: without_bots(pairs, withdrawn) for game, pairs in results.items()}
    if match.order.mode == "racing":
        return [
            [(game, result) for result in pairs] for game, pairs in compared.items()
        ], race_level(match)
    sprt = match.sprt
    family = [
        (game, result)
        for game, pairs in compared.items()
        for result in pairs
        if sprt is None or game != sprt.contest or {*result.pair} != {sprt.a, sprt.b}
    ]
    return [family], match.rating.level


def _p_value(result: PairResult, kind: EvidenceKind) -> float:
    return result.p_fixed() if kind == "sign_flip" else result.p_always()


def _by_p_value(result: PairResult, kind: EvidenceKind, limit: float) -> PairDecision:
    level, p_value = 1 - limit, _p_value(result, kind)
    estimate = result.fixed(level) if kind == "sign_flip" else result.always(level)
    if estimate is None:
        return NOT_COMPARED
    is_uneven = p_value <= limit and not _has(estimate, result.even)
    verdict: PairVerdict = "open"
    if is_uneven:
        verdict = "better" if _side(estimate, result.even) > 0 else "worse"
    else:
        estimate = _extended(estimate, result.even)
        verdict = "equal" if result.race == "equal" else "open"
    # Bets on both sides may win if results drift: then no common mean exists that could be tested.
    valid_p = p_value if is_uneven or p_value > limit else None
    elo = None if result.in_points else as_elo(estimate)
    return PairDecision(verdict, VerdictEvidence(kind, valid_p, limit, estimate, elo))


def _by_test(match: Match, rule: SprtRule, result: PairResult, outcome: str | None) -> PairDecision:
    estimate = result.always(match.rating.level)
    if estimate is None:
        return NOT_COMPARED
    verdict = sprt_verdict(rule.elo, outcome)
    if rule.a != result.pair[0]:
        verdict = OPPOSITE[verdict]
    elo = None if result.in_points else as_elo(estimate)
    return PairDecision(verdict, VerdictEvidence("test", None, None, estimate, elo))


def sprt_verdict(hypotheses: tuple[float, float], outcome: str | None) -> PairVerdict:
    """Return the verdict on the first bot of a sequential test.

    Its outcome rejects one hypothesis only: a bot that passes [-20, 0] is not worse by 20, and a
    bot that fails [0, 20] is not better by 20; neither shows which bot is better.
    """
    low, high = hypotheses
    if outcome == "better":
        return "better" if low >= 0 else "not worse"
    if outcome == "not better":
        return "worse" if high <= 0 else "not better"
    return "open"


def _has(estimate: PointEstimate, even: float) -> bool:
    # If all differences in points are equal there is no interval, and p alone decides.
    if estimate.low is None or estimate.high is None:
        return False
    return estimate.low < even < estimate.high


def _side(estimate: PointEstimate, even: float) -> float:
    # Not the mean, which may be outside an anytime-valid interval.
    return (
        estimate.value - even
        if estimate.low is None or estimate.high is None
        else (estimate.low + estimate.high - 2 * even)
    )


def _extended(estimate: PointEstimate, even: float) -> PointEstimate:
    """Return an estimate whose interval includes even bots, because they were not rejected.

    Student's t may exclude even bots although the exact test does not; the wider interval is valid.
    """
    if estimate.low is None or estimate.high is None:
        return estimate
    return PointEstimate(estimate.value, min(estimate.low, even), max(estimate.high, even))


def pair_rows(
    results: Sequence[PairResult], totals: ContestTotals, verdicts: MatchVerdicts, level: float
) -> tuple[PairRow, ...]:
    """Return a row for each pair, in the order of the file."""
    game = totals.contest.id
    return tuple(
        _row(
            result,
            verdicts.of(game, result.pair),
            totals,
            level,
            verdicts.estimate(mean_points(result.margins, level)),
        )
        for result in results
    )


def crosstable(
    results: Sequence[PairResult], game: str, verdicts: MatchVerdicts
) -> tuple[CrosstableCell, ...]:
    """Return two cells for each pair, sorted by index of bot and opponent."""
    cells = []
    for result in results:
        (a, b), decision = result.pair, verdicts.of(game, result.pair)
        score, low, high = _shown(result, decision)
        back, bottom, top = (
            None if end is None else 2 * result.even - end for end in (score, high, low)
        )
        opposite = OPPOSITE[decision.verdict]
        cells += [
            CrosstableCell(a, b, score, low, high, result.blocks, decision.verdict),
            CrosstableCell(b, a, back, bottom, top, result.blocks, opposite),
        ]
    order = list(dict.fromkeys(bot for result in results for bot in result.pair))
    cells.sort(key=lambda cell: (order.index(cell.bot), order.index(cell.against)))
    return tuple(cells)


def _shown(result: PairResult, decision: PairDecision) -> tuple[float | None, ...]:
    """Return the score of a pair with the ends of its interval, which a withdrawn bot lacks."""
    if decision.evidence is None:
        always = result.always(0.5)
        return None if always is None else always.value, None, None
    estimate = decision.evidence.score
    return (estimate.value, estimate.low, estimate.high) if estimate else (None,) * 3


def _row(
    result: PairResult,
    decision: PairDecision,
    totals: ContestTotals,
    level: float,
    margin: OpenEstimate | None,
) -> PairRow:
    counts = result.totals
    always, fixed = result.always(level), result.fixed(level)
    return PairRow(
        game=totals.contest.id,
        bots=result.pair,
        deals=(int(result.deals[0]), int(result.deals[-1])) if result.blocks else None,
        a=result.pair[0],
        b=result.pair[1],
        blocks=result.blocks,
        games=counts.games,
        verdict=decision.verdict,
        evidence=decision.evidence,
        # anytime-valid: under optional stopping as well
        score=always,
        elo=_logistic(always, result),
        p_always=result.p_always() if result.blocks else None,
        # valid only for a number of blocks that was fixed in advance
        is_as_planned=result.is_as_planned,
        score_fixed=fixed,
        elo_fixed=_logistic(fixed, result),
        nelo_fixed=normalized_elo(result.scores, _games(result, totals), level, result.even),
        los=likelihood_of_superiority(result.scores, result.even),
        p_value=result.p_value.value if result.p_value else None,
        p_is_exact=result.p_value.is_exact if result.p_value else None,
        undecided_share=undecided_share(result.scores, result.even),
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        luck_share=result.spread.luck_share if result.spread else None,
        factor_saved=result.spread.factor_saved if result.spread else None,
        margin=margin,
        margins=counts.margins.rows(),
    )


def _games(result: PairResult, totals: ContestTotals) -> float:
    """Return the number of games behind a score, as sequential tests count them."""
    games = result.totals.games / max(1, result.blocks)
    # In a common cause a difference has a game of each bot.
    return games / 2 if totals.contest.is_common else games


def _logistic(estimate: PointEstimate | None, result: PairResult) -> OpenEstimate | None:
    # A difference in points has no logistic Elo.
    return None if estimate is None or result.in_points else as_elo(estimate)
