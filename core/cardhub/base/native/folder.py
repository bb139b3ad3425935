"""The folder of compiled modules."""

import os
from pathlib import Path

# The variable that names another folder for compiled modules; `0` turns them off.
VARIABLE = "CARDHUB_COMPILED"
MANIFEST = "manifest.json"


def build_folder() -> Path | None:
    """Return the folder of compiled modules, which may be missing; None if they are turned off."""
    named = os.environ.get(VARIABLE, "")
    if named == "0":
        return None
    return (Path(named) if named else Path(__file__).parents[2] / "_compiled").absolute()
