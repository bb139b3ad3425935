"""Statistics of a whole match."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from cardhub.base.writing import listed
from cardhub.lab.analysis.accumulate import Accumulated, accumulate
from cardhub.lab.analysis.all_games import all_games_of, shared_games_of
from cardhub.lab.analysis.contests import analyse_contest, results_of
from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.verdicts import decide
from cardhub.lab.analysis.schema import Anchor, SprtEstimate, Statistics
from cardhub.lab.analysis.sprt_section import sprt_section, suggestion_after
from cardhub.lab.match.match_spec import Match


def statistics_of(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match; see `cardhub.lab.analysis.analyse`."""
    log = accumulate(match, folder)
    # One thread, because matrices are small and several threads would change the order of sums.
    with threadpool_limits(limits=1):
        return _checked(_statistics(match, log))


def _statistics(match: Match, log: Accumulated) -> Statistics:
    results = {game: results_of(match, totals) for game, totals in log.contests.items()}
    test = _test(match, log, results)
    verdicts = decide(match, results, test.verdict if test else None)
    contests = [
        analyse_contest(match, totals, log, results[game], verdicts)
        for game, totals in log.contests.items()
    ]
    rated = [analysed for analysed in contests if not analysed.contest.is_common]
    overall, notes = all_games_of(match, rated, verdicts)
    left_out = [analysed.contest.id for analysed in contests if analysed.contest.is_common]
    if left_out and len(contests) > 1:
        verb = "has" if len(left_out) == 1 else "have"
        notes.append(
            f"{listed(left_out)} {verb} one score for a whole table, and no part in the rankings "
            "over all games."
        )
    if log.test is not None:
        notes += suggestion_after(log.test)
    return Statistics(
        level=match.rating.level,
        draws=match.rating.bootstrap,
        anchor=next((Anchor(bot, elo) for bot, elo in match.rating.anchor.items()), None),
        missing=match.rating.missing,
        comparisons=verdicts.comparisons,
        games=tuple(analysed.statistics for analysed in contests),
        overall=overall,
        shared=shared_games_of(match, rated, verdicts),
        test=test,
        notes=tuple(notes),
    )


def _test(
    match: Match, log: Accumulated, results: Mapping[str, Sequence[PairResult]]
) -> SprtEstimate | None:
    if log.test is None:
        return None
    rule = log.test.rule
    pairs = (result for result in results[rule.contest] if {*result.pair} == {rule.a, rule.b})
    result = next(pairs, None)
    deals = (int(result.deals[0]), int(result.deals[-1])) if result and result.blocks else None
    return sprt_section(log.test, log.history, deals, match.rating.level)


def _checked(statistics: Statistics) -> Statistics:
    # The round trip through JSON checks types, and rejects NaN and numpy scalars.
    data = msgspec.json.encode(statistics, enc_hook=_scalar)
    return msgspec.json.decode(data, type=Statistics)


def _scalar(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"no JSON for {type(value).__name__}")
