"""Statistics of a match: the section `statistics` of `result.json`.

docs/results.md explains the fields, `schema` defines them. numpy and scipy are loaded when
`analyse` is called, so importing this package is fast.
"""

from pathlib import Path

from cardhub.analysis.schema import Statistics
from cardhub.match.match_spec import Match


def analyse(match: Match, folder: Path) -> Statistics:
    """Return the statistics of a match from the log in its folder, finished or not.

    It is a `cardhub.match.log.result_file.Analyse`: it depends on match and log alone. Memory grows
    by a few dozen bytes a block. Raises MatchError if the log cannot be read.
    """
    from cardhub.analysis.statistics import statistics_of

    return statistics_of(match, folder)


__all__ = ["analyse"]
