"""Suggested hypotheses for a later test, from the blocks of one that has ended."""

from dataclasses import replace
from math import ceil
from typing import NamedTuple

from cardhub.lab.stats.sequential.sprt import Hypotheses, Sprt

# The values of elo1 - elo0 that are compared, in normalized or logistic Elo.
WIDTHS = (60.0, 100.0, 200.0)
# The number of blocks below which error rates of a test are rough.
FEWEST_BLOCKS = 10


class SuggestedTest(NamedTuple):
    """Hypotheses for a later test, and about how many blocks like the present ones decide it."""

    hypotheses: Hypotheses
    blocks: int


def suggested_test(test: Sprt) -> SuggestedTest | None:
    """Return wider hypotheses that blocks like those of a test decide alike in half as many.

    This is a plan for another match and no verdict: the same blocks would suggest hypotheses and
    test them. None without blocks, in points, or if no wider hypotheses save half of the blocks.
    """
    tested = test.hypotheses
    if not test.tally.blocks or tested.in_points:
        return None
    wider = (replace(tested, elo1=tested.elo0 + width) for width in WIDTHS)
    plans = [
        SuggestedTest(hypotheses, blocks_to_verdict(test, hypotheses))
        for hypotheses in wider
        if hypotheses.elo1 > tested.elo1
        # Far from the observed strength the same blocks would speak for the other verdict.
        and (hypotheses.llr(test.tally) > 0) == (tested.llr(test.tally) > 0)
    ]
    best = min(plans, key=lambda plan: plan.blocks, default=None)
    return best if best is not None and 2 * best.blocks <= test.tally.blocks else None


def blocks_to_verdict(test: Sprt, hypotheses: Hypotheses) -> int:
    """Return after how many blocks, distributed as those of `test`, a test would reach a bound."""
    blocks = test.tally.blocks
    each = hypotheses.llr(test.tally) / blocks
    bound = abs(hypotheses.bounds[each > 0])
    # An LLR near 0 has no direction: such a test would take very long.
    return max(FEWEST_BLOCKS, ceil(bound / max(abs(each), 1e-9)))
