"""Notices changes of a game's files, apart from the workbench because it needs no processes.

It compares times and sizes some times a second, which works on every file system and for editors
that replace files; a package of a game has a few dozen files.
"""

import os
from pathlib import Path

# Folders whose files are written by tools, not by the author.
IGNORED = {"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
ENDINGS = {".py", ".yaml", ".yml", ".md", ".txt", ".json", ".svg", ".csv"}


class SourceWatch:
    """The files of a game at the last look: of its package, or its only module."""

    def __init__(self, source: Path) -> None:
        # A package is watched as a whole: its data files are part of the rules.
        self.root = source.parent if source.name == "__init__.py" else source
        self._seen = self._look()

    def has_changed(self) -> bool:
        """Return whether a file has changed, come or gone since the last call."""
        before, self._seen = self._seen, self._look()
        return before != self._seen

    def _look(self) -> dict[str, tuple[int, int]]:
        if self.root.is_file():
            return dict([_stamp(self.root)])
        files: dict[str, tuple[int, int]] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in IGNORED]
            paths = (Path(folder, name) for name in names)
            files.update(_stamp(path) for path in paths if path.suffix in ENDINGS)
        return files


def _stamp(path: Path) -> tuple[str, tuple[int, int]]:
    try:
        facts = path.stat()
    except OSError:  # between two steps of an editor that replaces it
        return str(path), (0, 0)
    return str(path), (facts.st_mtime_ns, facts.st_size)
