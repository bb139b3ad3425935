"""Which Elo is told after a sequential test."""

from cardhub.analysis.strength import APART, COARSE, strength_after
from cardhub.stats import EloEstimate

ALWAYS = EloEstimate(300.0, 100.0, None)


def test_intervals_that_contradict_each_other_are_never_told_together() -> None:
    """The always-valid one stands then, and the note says so."""
    assert strength_after(EloEstimate(50.0, 0.0, 99.0), ALWAYS) == (None, APART)
    assert strength_after(EloEstimate(None, None, 99.0), ALWAYS) == (None, APART)


def test_intervals_that_overlap_are_told() -> None:
    """With a note where there is no estimate within; without blocks there is nothing."""
    assert strength_after(EloEstimate(50.0, 0.0, 101.0), ALWAYS)[1] is None
    assert strength_after(EloEstimate(None, 442.0, None), ALWAYS)[1] == COARSE
    assert strength_after(None, None) == (None, None)
