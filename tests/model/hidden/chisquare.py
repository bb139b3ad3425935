"""How well draws fit exact probabilities."""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from scipy.special import chdtrc

# Values expected less often than this are counted together.
FEW = 5


def p_value(drawn: Counter[Any], exact: Mapping[Any, float]) -> float:
    """Return the p-value of the draws by chi-square; 0 if one of them is impossible."""
    if drawn.keys() - exact.keys():
        return 0.0
    total = drawn.total()
    cells = [(drawn[key], share * total) for key, share in exact.items() if share * total >= FEW]
    rest = total - sum(observed for observed, _ in cells), total - sum(mean for _, mean in cells)
    if rest[1] > FEW:
        cells.append(rest)
    square = sum((observed - mean) ** 2 / mean for observed, mean in cells)
    return float(chdtrc(len(cells) - 1, square)) if len(cells) > 1 else 1.0


def marginal(exact: Mapping[tuple[Any, ...], float], index: int) -> dict[Hashable, float]:
    """Return the marginal probabilities of one part of a sample."""
    shares: Counter[Hashable] = Counter()
    for key, share in exact.items():
        shares[key[index]] += share  # type: ignore[assignment]  # probabilities count as well
    return dict(shares)
