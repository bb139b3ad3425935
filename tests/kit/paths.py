"""Where the repository's folders are, for tests that read its pages, examples and match files."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
