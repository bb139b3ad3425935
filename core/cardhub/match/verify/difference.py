"""Where two results differ, and whether that is more than how computers round."""

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any, NamedTuple

ROUNDING, NOTHING = 1e-6, 1e-9
"""Up to which share of a number, or which number, a difference is one of rounding: another machine
or version of a library adds in another order."""


class Difference(NamedTuple):
    """A place in a result, such as `statistics.games[0].blocks`, and what stands there in each."""

    place: str
    found: Any
    true: Any

    @property
    def is_rounding(self) -> bool:
        """Whether both are nearly the same number."""
        both = self.found, self.true
        if not all(isinstance(value, float) for value in both):
            return False
        return isclose(*both, rel_tol=ROUNDING, abs_tol=NOTHING)


def differences(found: Any, true: Any, place: str = "") -> Iterator[Difference]:
    """Yield where data for JSON differs, from its beginning to its end."""
    if isinstance(found, Mapping) and isinstance(true, Mapping):
        for key in sorted({*found, *true}):
            where = f"{place}.{key}" if place else key
            if key in found and key in true:
                yield from differences(found[key], true[key], where)
            else:
                yield Difference(where, found.get(key, "missing"), true.get(key, "nothing"))
    elif isinstance(found, list) and isinstance(true, list) and len(found) == len(true):
        for number, pair in enumerate(zip(found, true, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    elif found != true or type(found) is not type(true):
        yield Difference(place, found, true)
