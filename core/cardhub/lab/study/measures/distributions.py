"""Distributions of a number over games, with histograms of round widths."""

from collections.abc import Sequence
from math import floor, log10, sqrt

from cardhub.lab.study.measures.study_game import Summand, known
from cardhub.lab.study.study_schema import Distribution, HistogramBar

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# About the number of bars of a histogram.
BARS = 20
WIDTHS = (1, 2, 5, 10)
# A share within the last tenth.
LAST_SHARE = 0.95


def distribution(
    deals: Sequence[int], values: Sequence[float], level: float, *, is_share: bool = False
) -> Distribution:
    """Return the distribution of values, one per game on the deal at the same index.

    Bars have a round width; those of shares are tenths, of which the last has 1 as well.
    """
    ordered = sorted(values)
    mean = known([Summand(deal, value) for deal, value in zip(deals, values, strict=True)], level)
    deviation = sqrt(sum((value - mean.value) ** 2 for value in values) / max(1, len(values) - 1))
    return Distribution(
        mean=mean,
        deviation=deviation,
        least=ordered[0],
        greatest=ordered[-1],
        quantiles=tuple(_quantile(ordered, share) for share in QUANTILES),
        bars=_bars([min(value, LAST_SHARE) for value in ordered], 0.1)
        if is_share
        else _bars(ordered, _round_width(ordered[-1] - ordered[0])),
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, floor(share * len(ordered)))]


def _round_width(span: float) -> float:
    least = max(span / BARS, 1.0)
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in WIDTHS if step * power >= least)


def _bars(ordered: Sequence[float], width: float) -> tuple[HistogramBar, ...]:
    first = floor(ordered[0] / width + 1e-9)
    numbers = [max(first, floor(value / width + 1e-9)) for value in ordered]
    counts = [0] * (numbers[-1] - first + 1)
    for number in numbers:
        counts[number - first] += 1
    return tuple(
        HistogramBar(round((first + n) * width, 9), round((first + n + 1) * width, 9), count)
        for n, count in enumerate(counts)
    )
