"""Wheels of installed packages: a module of its own because they do not depend on matches.

They are made of the installed files, without an index and a build.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import MatchError
from cardhub.base.files import files_below
from cardhub.lab.bundle.crate import zip_files

# A package with this classifier may not be uploaded anywhere.
PRIVATE = "Private :: Do Not Upload"
# Files that an installer writes, which no wheel has.
OF_INSTALLERS = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})


def build_wheel(name: str) -> tuple[str, bytes]:
    """Return the file name and the content of a wheel of an installed package.

    Raises MatchError if the package may not be passed on.
    """
    package = metadata.distribution(name)
    if PRIVATE in (package.metadata.get_all("Classifier") or ()):
        raise MatchError(
            f"the package {name} may not be passed on: it is classified {PRIVATE!r}\n"
            f"fix: ask its authors, and leave it out: --without {name}"
        )
    files = dict(sorted(_files_of(package)))
    (info,) = {PurePosixPath(file).parts[0] for file in files if file.endswith("/METADATA")}
    record = f"{info}/RECORD"
    rows: list[dict[str, object]] = []
    for file, data in files.items():
        digest = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        rows.append({"path": file, "hash": f"sha256={digest}", "size": len(data)})
    # A record of a wheel has no line of heads.
    text = csv_text(("path", "hash", "size"), [*rows, {"path": record}]).partition("\n")[2]
    stem = info.removesuffix(".dist-info")
    return f"{stem}-{_tag(files[f'{info}/WHEEL'])}.whl", zip_files({**files, record: text.encode()})


def _files_of(package: metadata.Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files of a package, except an installer's."""
    for path in package.files or ():
        in_info = path.parts[0].endswith(".dist-info")
        is_code = not in_info and not _is_editable(package) and path.parts[0] != ".."
        if (in_info and path.name not in OF_INSTALLERS) or (
            is_code and "__pycache__" not in path.parts
        ):
            yield path.as_posix(), path.read_binary()
    if _is_editable(package):
        yield from _sources_of(package)


def _is_editable(package: metadata.Distribution) -> bool:
    text = package.read_text("direct_url.json")
    return bool(text and json.loads(text).get("dir_info", {}).get("editable"))


def _sources_of(package: metadata.Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the modules of a package that was installed for its developer."""
    tops = {entry.module.partition(".")[0] for entry in package.entry_points}
    for top in sorted(tops):
        spec = find_spec(top)
        if spec is None or spec.origin is None:
            raise MatchError(f"the module {top} of {package.name} is not installed")
        place = Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)
        for path in files_below(place) if place.is_dir() else [place]:
            yield path.relative_to(place.parent).as_posix(), path.read_bytes()


def _tag(wheel: bytes) -> str:
    """Return the tag in a file WHEEL, such as `py3-none-any`."""
    lines = wheel.decode("utf-8").splitlines()
    return next(line.removeprefix("Tag: ") for line in lines if line.startswith("Tag: "))
