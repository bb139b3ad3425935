"""Use of compiled modules; everything works without them."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cardhub.base.native.folder import MANIFEST, build_folder

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


def install_finder() -> None:
    """Let compiled modules be imported, if there are any."""
    folder = build_folder()
    if folder is not None and (folder / MANIFEST).exists():
        # Imported only here: this runs whenever a program imports cardhub.
        from cardhub.base.native.finder import NativeFinder

        sys.meta_path.insert(0, NativeFinder(folder))


def native_spec(name: str, source: Path) -> "ModuleSpec | None":
    """Return the spec of a module that is imported by its file; None if it is not compiled."""
    module = sys.modules.get(
        "cardhub.base.native.finder"
    )  # missing if there are no compiled modules
    return module.spec_of(name, source) if module else None
