"""The values in rows: plain data that JSON can hold, whatever the statistics return."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from cardhub.stats import EloEstimate, Estimate, PointEstimate, Ranks


def estimate(
    found: Estimate | EloEstimate | PointEstimate | None,
) -> dict[str, float | None] | None:
    """Return an estimate with its interval."""
    return None if found is None else found._asdict()


def ranks(found: Ranks | None) -> dict[str, int | None]:
    """Return the keys of a rank and its range."""
    if found is None:
        return dict.fromkeys(Ranks._fields)
    return found._asdict()


def as_plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return data as JSON knows it; a number that is not finite is None."""
    return {key: _plain(value) for key, value in data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return as_plain(value)
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value
