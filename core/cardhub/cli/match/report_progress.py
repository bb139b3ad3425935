"""Write the reports of a match, with the number of written pages on the terminal."""

from pathlib import Path

from cardhub.cli.output import ProgressCounter
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.report.report_files import write_reports
from cardhub.plugins.registry import PluginRegistry


def reports_with_progress(
    folder: Path,
    result: MatchResult,
    registry: PluginRegistry,
    most_pages: int,
    *,
    is_shown: bool = True,
) -> list[Path]:
    """Write the reports of a match and return their paths; raises MatchError."""
    progress = ProgressCounter("Pages of games: {} of {}")
    try:
        on_page = progress if is_shown else None
        return write_reports(folder, result, registry, most_pages, on_page)
    finally:
        progress.clear()
