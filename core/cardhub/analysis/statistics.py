"""The statistics of a whole match."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from cardhub.analysis.contests import Contested, contested
from cardhub.analysis.gathering import Gathered, gather
from cardhub.analysis.overall import overall_of
from cardhub.analysis.rows import as_plain, estimate
from cardhub.analysis.strength import strength_after
from cardhub.match.spec import Match
from cardhub.stats import after_stop, as_elo


def statistics_of(match: Match, folder: Path) -> Mapping[str, Any]:
    """Return the statistics as data for JSON; see `cardhub.analysis.analyse`.

    Matrices are small here: several threads would wait for one another, and sum up otherwise.
    """
    gathered = gather(match, folder)
    with threadpool_limits(limits=1):
        return _statistics(match, gathered)


def _statistics(match: Match, gathered: Gathered) -> Mapping[str, Any]:
    contests = [contested(match, tally, gathered) for tally in gathered.contests.values()]
    overall, notes = overall_of(match, contests)
    (anchor,) = match.rating.anchor.items() or [None]
    return as_plain(
        {
            "level": match.rating.level,
            "draws": match.rating.bootstrap,
            "anchor": None if anchor is None else {"bot": anchor[0], "elo": anchor[1]},
            "missing": match.rating.missing,
            "games": [found.data for found in contests],
            "overall": overall,
            "test": _test(match, gathered, contests),
            "notes": notes,
        }
    )


def _test(match: Match, gathered: Gathered, contests: list[Contested]) -> dict[str, Any] | None:
    """Return the estimates of strength that hold after a sequential test."""
    test = gathered.test
    if test is None:
        return None
    (found,) = (found for found in contests if found.contest.id == test.rule.contest)
    verdict = test.sprt.judge() if test.sprt.tally.blocks else test.verdict
    score = gathered.course.score()
    always = as_elo(score) if score else None
    elo, note = strength_after(after_stop(test.sprt, match.rating.level), always)
    return {
        "game": test.rule.contest,
        "bots": [test.rule.a, test.rule.b],
        "deals": found.deals(test.rule.a, test.rule.b),
        "a": test.rule.a,
        "b": test.rule.b,
        "verdict": verdict.value,
        "elo": estimate(elo),
        "elo_always": estimate(always),
        "elo_note": note,
        "course": gathered.course.rows(test.sprt),
    }
