"""A page of benchmarks/results: the tables that a program prints, as one Markdown file."""

from pathlib import Path


class ResultsPage:
    """A page that is printed while it grows, which shows the progress of a long run."""

    def __init__(self, title: str) -> None:
        self._lines: list[str] = []
        self._add(f"# {title}", "")

    def _add(self, *lines: str) -> None:
        self._lines += lines
        print(*lines, sep="\n", flush=True)

    def add_text(self, *lines: str) -> None:
        """Add a paragraph, after a blank line if a table stands above it."""
        is_after_table = self._lines[-1].startswith("|")
        self._add(*([""] if is_after_table else []), *lines, "")

    def add_head(self, *columns: str) -> None:
        """Begin a table."""
        self.add_row(*columns)
        self._add("|" + "---|" * len(columns))

    def add_row(self, *cells: object) -> None:
        """Add a row to the table."""
        self._add(f"| {' | '.join(map(str, cells))} |")

    def write(self, path: Path) -> None:
        """Write the page to a file, whose folder is made if needed."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self._lines).rstrip("\n") + "\n", "utf-8")
