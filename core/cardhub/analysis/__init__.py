"""What a match has come to in figures: the statistics of `result.json`.

docs/results.md says what stands there. A match and its log go in, data for JSON comes out.
Importing this package takes no time; numpy and scipy are loaded when `analyse` is called.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardhub.match.spec import Match


def analyse(match: Match, folder: Path) -> Mapping[str, Any]:
    """Return the statistics of a match from the log in its folder, finished or not.

    It is a `cardhub.match.log.result_file.Analyse`: the same match and log give the same bytes.
    Memory grows by a few dozen bytes a block. Raises MatchError if the log cannot be read.
    """
    from cardhub.analysis.statistics import statistics_of

    return statistics_of(match, folder)


__all__ = ["analyse"]
