"""Builds the site: `python docs/site/build_site.py [FOLDER]`; any warning is an error.

Nothing is fetched while it is built or read: it can be opened from the disk, search included.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pages import ROOT, collect
from sphinx.cmd.build import main as sphinx

CONFIG = Path(__file__).parent


def build(site: Path) -> int:
    """Build the site in a folder; return 0 if all went well."""
    with TemporaryDirectory() as folder:
        pages, trees = Path(folder, "pages"), Path(folder, "trees")
        pages.mkdir()
        collect(pages)
        how = ["--fail-on-warning", "--keep-going", "--quiet", "--conf-dir", str(CONFIG)]
        return sphinx([*how, "--doctree-dir", str(trees), str(pages), str(site)])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"))
