"""All verdicts of a match, decided once, and the rows of the pairs with them.

Every sentence, table and rank range follows from these verdicts. There are four families, and the
verdicts of each hold together at the level of the match:

- over several games, the bots by the question of the match (`overall`);
- in each game, the bots through all opponents, which decides their ranks;
- pairs by their own games, which decide ranks where there are no other opponents;
- by places, in games with more than two seats that are played for winning.

The first, second and fourth family are corrected by Shaffer's procedure, pairs by Holm's. The
evidence on bots that played as many blocks as planned is the exact sign-flip test; if the number of
their blocks may depend on results (a sequential test, a race, an unfinished match), it is
anytime-valid. A withdrawn bot is compared with nobody, and changes no verdict on the other bots.
The pair of a sequential test has the verdict of that test only. In a race each game has an equal
share of the error rate, because its schedule depends on its own results only.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from msgspec import UNSET, UnsetType

from cardhub.lab.analysis.accumulate import ContestTotals
from cardhub.lab.analysis.block_schema import LessLuckRow
from cardhub.lab.analysis.pairs.comparisons import (
    Comparison,
    by_places,
    over_games,
    sets_of_games,
    through_opponents,
)
from cardhub.lab.analysis.pairs.pair_result import PairResult, without_bots
from cardhub.lab.analysis.schema import (
    DIFFERENT,
    OPPOSITE,
    BotLead,
    ComparisonRow,
    CrosstableCell,
    EvidenceKind,
    PairRow,
    PairVerdict,
    VerdictEvidence,
    wins_of,
)
from cardhub.lab.estimate import OpenEstimate, PointEstimate
from cardhub.lab.match.match_spec import Contest, Match, SprtRule
from cardhub.lab.match.run.schedule import race_level
from cardhub.lab.stats import (
    Ranks,
    as_elo,
    holm_limits,
    mean_points,
    normalized_elo,
    ranks_of,
    shaffer_limits,
    undecided_share,
)

Pair = tuple[str, str]
Results = Mapping[str, Sequence[PairResult]]
Compared: TypeAlias = PairResult | Comparison
K = TypeVar("K")


class PairDecision(NamedTuple):
    """The verdict on the first bot of a pair, and its evidence; None without blocks."""

    verdict: PairVerdict
    evidence: VerdictEvidence | None


NOT_COMPARED = PairDecision("open", None)
Games = tuple[str, ...]
Rows = tuple[ComparisonRow, ...]
# The best and the worst rank.
RankRange = tuple[int, int]


@dataclass(frozen=True)
class MatchVerdicts:
    """The verdicts of a match by game and pair; `comparisons` is the number of all its pairs.

    `is_fixed`: intervals for a number of blocks set in advance hold for all compared bots. `joint`
    has the comparisons through all opponents by game, `places` those by places, and `overall` those
    over several games.
    """

    is_fixed: bool
    comparisons: int
    decisions: Mapping[str, Mapping[Pair, PairDecision]]
    joint: Mapping[str, Rows] = field(default_factory=dict)
    places: Mapping[str, Rows] = field(default_factory=dict)
    overall: Mapping[Games, Rows] = field(default_factory=dict)

    def estimate(self, estimate: OpenEstimate | None) -> OpenEstimate | None:
        """Return an estimate for a fixed number of blocks, without an interval unless it holds."""
        if estimate is None or self.is_fixed:
            return estimate
        return OpenEstimate(estimate.value, None, None)

    def of(self, game: str, pair: Pair) -> PairDecision:
        """Return the decision on a pair in the order of the match file."""
        return self.decisions[game].get(pair, NOT_COMPARED)

    def wins(self, game: str) -> set[Pair]:
        """Return the better and the worse bot of each pair with a verdict in a game.

        Bots are compared through all opponents, or by their own games if they cannot be.
        """
        if rows := self.joint.get(game):
            return {*wins_of(rows)}
        return {
            pair if decision.verdict == "better" else pair[::-1]
            for pair, decision in self.decisions[game].items()
            if decision.verdict in DIFFERENT
        }

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
        """Return the best and the worst rank that the verdicts allow among bots over games.

        Over several games the question of the match decides; if it is `each`, a bot is better that
        is better in each of the games.
        `losses` has pairs of a game and a bot that counts as losing there without playing.
        """
        if (*games,) in self.overall:
            return _ranges(wins_of(self.overall[*games,]), bots)
        by_game = {game: self.wins(game) for game in games}

        def is_better(bot: str, other: str) -> bool:
            played = [game for game in games if (game, other) not in losses]
            return bool(played) and all((bot, other) in by_game[game] for game in played)

        wins = {(bot, other) for bot in bots for other in bots if is_better(bot, other)}
        return _ranges(wins, bots)


def leads_of(rows: Sequence[ComparisonRow]) -> tuple[BotLead, ...]:
    """Return the leads of the compared bots over the mean bot, with their ranks, best first."""
    leads: dict[str, float] = {}
    for row in rows:
        if row.evidence and row.evidence.score and row.evidence.score.value is not None:
            leads[row.a] = leads.get(row.a, 0.0) + row.evidence.score.value
            leads[row.b] = leads.get(row.b, 0.0) - row.evidence.score.value
    bots = sorted(leads, key=lambda bot: -leads[bot])
    ranges = _ranges(wins_of(rows), bots)
    ranks = ranks_of(np.asarray([leads[bot] for bot in bots], dtype=np.float64)).tolist()
    return tuple(
        BotLead(bot, leads[bot] / len(bots), *Ranks.within(*ranges[bot], rank))
        for bot, rank in zip(bots, ranks, strict=True)
    )


def _ranges(wins: Collection[Pair], bots: Sequence[str]) -> dict[str, RankRange]:
    """Return the ranks that the wins among bots leave open.

    The best rank is 1 + the number of better bots; the worst rank is the number of bots minus the
    number of worse bots.
    """
    among = [(better, worse) for better, worse in wins if {better, worse} <= {*bots}]
    return {
        bot: (
            1 + sum(worse == bot for _, worse in among),
            len(bots) - sum(better == bot for better, _ in among),
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
        decided = _decide_family(match, [result for _, result in family], level)
        for (game, result), decision in zip(family, decided, strict=True):
            decisions[game][result.pair] = decision
    if match.sprt is not None:
        for result in results[match.sprt.contest]:
            if {*result.pair} == {match.sprt.a, match.sprt.b}:
                decisions[match.sprt.contest][result.pair] = _by_test(
                    match, match.sprt, result, outcome
                )
    present = {game: without_bots(pairs, withdrawn) for game, pairs in results.items()}
    contests = {game: match.contest(game) for game in present}
    sets = sets_of_games(match) if match.overall.verdict != "each" else []
    return MatchVerdicts(
        is_fixed,
        max(map(len, families)),
        decisions,
        joint=_rows(match, {g: through_opponents(match, contests[g], present[g]) for g in present}),
        places=_rows(match, {g: by_places(match, contests[g], present[g]) for g in present}),
        overall=_rows(match, {games: over_games(match, games, present) for games in sets}),
    )


def _rows(match: Match, groups: Mapping[K, Sequence[Comparison]]) -> dict[K, Rows]:
    """Return the rows of comparisons, which are one family: they hold together."""
    family = [comparison for group in groups.values() for comparison in group]
    sizes = [len({bot for row in group for bot in row.pair}) for group in groups.values()]
    has_all_pairs = all(
        len(group) == comb(size, 2) for size, group in zip(sizes, groups.values(), strict=True)
    )
    bots = sizes if has_all_pairs else None
    rows = map(_comparison_row, family, _decide_family(match, family, match.rating.level, bots))
    return {key: tuple(next(rows) for _ in group) for key, group in groups.items()}


def _comparison_row(comparison: Comparison, decision: PairDecision) -> ComparisonRow:
    deals = comparison.deals
    return ComparisonRow(
        a=comparison.pair[0],
        b=comparison.pair[1],
        deals=(int(deals[0]), int(deals[-1])) if len(deals) else None,
        blocks=len(deals),
        verdict=decision.verdict,
        evidence=decision.evidence,
    )


def _decide_family(
    match: Match, family: Sequence[Compared], level: float, bots: Sequence[int] | None = None
) -> list[PairDecision]:
    """Return the decisions of a family; `bots`: how many bots each group of all pairs has."""
    kinds = [_kind(match, result) for result in family]
    p_values = [_p_value(result, kind) for result, kind in zip(family, kinds, strict=True)]
    limits = holm_limits(p_values, level) if bots is None else shaffer_limits(p_values, level, bots)
    decided = zip(family, kinds, p_values, limits, strict=True)
    return [_by_p_value(*evidence) for evidence in decided]


def _kind(match: Match, result: Compared) -> EvidenceKind:
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


def _p_value(result: Compared, kind: EvidenceKind) -> float:
    return result.p_fixed() if kind == "sign_flip" else result.p_always()


def _by_p_value(result: Compared, kind: EvidenceKind, p_value: float, limit: float) -> PairDecision:
    level = 1 - limit
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
    elo = as_elo(estimate) if result.has_elo else None
    return PairDecision(verdict, VerdictEvidence(kind, valid_p, limit, estimate, elo))


def _by_test(match: Match, rule: SprtRule, result: PairResult, outcome: str | None) -> PairDecision:
    estimate = result.always(match.rating.level)
    if estimate is None:
        return NOT_COMPARED
    verdict = sprt_verdict(rule.elo, outcome)
    if rule.a != result.pair[0]:
        verdict = OPPOSITE[verdict]
    elo = as_elo(estimate) if result.has_elo else None
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
        nelo_fixed=normalized_elo(result.plain, _games(result, totals), level, result.even),
        los=result.superiority(),
        p_value=result.p_value.value if result.p_value else None,
        p_is_exact=result.p_value.is_exact if result.p_value else None,
        undecided_share=undecided_share(result.plain, result.even),
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        luck_share=result.spread.luck_share if result.spread else None,
        factor_saved=result.spread.factor_saved if result.spread else None,
        margin=margin,
        margins=counts.margins.rows(),
    )


def less_luck_rows(
    match: Match, contest: Contest, results: Sequence[PairResult], verdicts: MatchVerdicts
) -> tuple[LessLuckRow, ...] | UnsetType:
    """Return what the terms against luck saved each pair that met; UNSET without such terms."""
    if not match.corrects(contest):
        return UNSET
    level = match.rating.level
    return tuple(
        LessLuckRow(
            game=contest.id,
            a=result.pair[0],
            b=result.pair[1],
            blocks=result.blocks,
            score=verdicts.estimate(result.fixed(level)),
            plain=verdicts.estimate(result.as_played(level)),
            saved=result.saved,
            saved_games=_saved_games(result),
            is_exact=terms.is_exact,
            has_policies=terms.has_policies,
        )
        for result in results
        if result.blocks and (terms := result.totals.less_luck) is not None
    )


def _saved_games(result: PairResult) -> float | None:
    if result.saved is None or result.spread is None or result.spread.factor_saved is None:
        return None
    return result.saved * result.spread.factor_saved


def _games(result: PairResult, totals: ContestTotals) -> float:
    """Return the number of games behind a score, as sequential tests count them."""
    games = result.totals.games / max(1, result.blocks)
    # In a common cause a difference has a game of each bot.
    return games / 2 if totals.contest.is_common else games


def _logistic(estimate: PointEstimate | None, result: PairResult) -> OpenEstimate | None:
    return as_elo(estimate) if estimate is not None and result.has_elo else None
