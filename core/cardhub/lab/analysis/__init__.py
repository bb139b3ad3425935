"""Statistics of a match: the object `statistics` in `result.json`.

docs/results.md explains the fields; the module `schema` defines them.
"""

from pathlib import Path

from cardhub.lab.analysis.schema import Statistics
from cardhub.lab.match.match_spec import Match


def analyse(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match from the log in its folder, finished or not.

    The result depends only on the arguments and the log, as `result_file.Analyse` requires. Memory
    use grows by a few dozen bytes per block. Raises MatchError if the log cannot be read.
    """
    # Imported on the first call: numpy and scipy load slowly.
    from cardhub.lab.analysis.statistics import statistics_of

    return statistics_of(match, folder)


__all__ = ["analyse"]
