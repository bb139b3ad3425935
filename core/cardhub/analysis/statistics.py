"""Statistics of a whole match."""

from pathlib import Path

import msgspec
import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from cardhub.analysis.accumulate import Accumulated, accumulate
from cardhub.analysis.all_games import all_games_of
from cardhub.analysis.contests import AnalysedContest, analyse_contest
from cardhub.analysis.schema import Anchor, SprtEstimate, Statistics
from cardhub.analysis.sprt_section import sprt_section
from cardhub.match.spec import Match


def statistics_of(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match; see `cardhub.analysis.analyse`.

    Matrices are small: several threads would wait for one another, and change the order of sums.
    """
    log = accumulate(match, folder)
    with threadpool_limits(limits=1):
        return _checked(_statistics(match, log))


def _statistics(match: Match, log: Accumulated) -> Statistics:
    contests = [analyse_contest(match, totals, log) for totals in log.contests.values()]
    overall, notes = all_games_of(match, contests)
    return Statistics(
        level=match.rating.level,
        draws=match.rating.bootstrap,
        anchor=next((Anchor(bot, elo) for bot, elo in match.rating.anchor.items()), None),
        missing=match.rating.missing,
        games=tuple(found.statistics for found in contests),
        overall=overall,
        test=_test(match, log, contests),
        notes=tuple(notes),
    )


def _test(match: Match, log: Accumulated, contests: list[AnalysedContest]) -> SprtEstimate | None:
    if log.test is None:
        return None
    rule = log.test.rule
    (found,) = (found for found in contests if found.contest.id == rule.contest)
    return sprt_section(log.test, log.history, found.deals(rule.a, rule.b), match.rating.level)


def _checked(statistics: Statistics) -> Statistics:
    """Return statistics as they are read from JSON: types checked, no NaN, no numpy scalars."""
    data = msgspec.json.encode(statistics, enc_hook=_scalar)
    return msgspec.json.decode(data, type=Statistics)


def _scalar(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"no JSON for {type(value).__name__}")
