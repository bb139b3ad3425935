"""What each seat got, whoever sat there."""

from array import array
from collections.abc import Sequence

import numpy as np

from cardhub.stats.types import Floats


class SeatTally:
    """The mean points of every seat, block by block."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._deals = array("q")
        self._points = array("d")

    def take(self, deal: int, points: Sequence[Sequence[float]]) -> None:
        """Take the points by seat of all games of a whole block."""
        self._deals.append(deal)
        self._points.extend(sum(column) / len(points) for column in zip(*points, strict=True))

    def by_deal(self) -> Floats:
        """Return the mean points, deals x seats; several blocks on the same deal are one."""
        known, rows = np.unique(np.asarray(self._deals, dtype=np.int64), return_inverse=True)
        found = np.asarray(self._points, dtype=np.float64).reshape(-1, self._players)
        blocks = np.bincount(rows, minlength=len(known))
        sums = [np.bincount(rows, column, len(known)) for column in found.T]
        return np.asarray(np.stack(sums, axis=1) / blocks[:, None], dtype=np.float64)
