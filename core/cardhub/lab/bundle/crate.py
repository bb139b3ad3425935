"""Zips in the form of RO-Crate 1.1 and later: a description of all files, with their digests.

The same files give the same bytes.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import explained

METADATA = "ro-crate-metadata.json"
# The time of all files in a zip: the earliest that the format has.
EARLIEST = (1980, 1, 1, 0, 0, 0)
# The media types of files by the ends of their names.
TYPES = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".toml": "application/toml",
    ".whl": "application/zip",
    ".yaml": "application/yaml",
}
FIX = "fix: pip install '.[bundle]' in the checkout of cardhub"


class Description(NamedTuple):
    """What a crate says of itself: its name, a text, its day, and further properties."""

    name: str
    text: str
    published: datetime
    properties: Mapping[str, Any]


def build_crate(files: Mapping[str, bytes], description: Description) -> bytes:
    """Return a zip of files with their description; raises MatchError without the library."""
    try:
        from rocrate.rocrate import ROCrate  # an extra, which only this command needs
    except ImportError as error:
        raise MatchError(f"the library rocrate is not installed\n{FIX}") from error
    crate = ROCrate()
    crate.name, crate.description = description.name, description.text
    crate.datePublished = description.published.astimezone(UTC).date().isoformat()
    for key, value in description.properties.items():
        crate.root_dataset[key] = value
    for name, data in sorted(files.items()):
        properties = {"name": name, "sha256": sha256(data).hexdigest(), "contentSize": len(data)}
        if kind := TYPES.get(Path(name).suffix):
            properties["encodingFormat"] = kind
        # The library copies no content, because the zip is written here.
        crate.add_file(StringIO(""), name, properties=properties)
    text = json.dumps(crate.metadata.generate(), indent=1, ensure_ascii=False, sort_keys=True)
    return zip_files({**files, METADATA: text.encode()})


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by name, without times and owners."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, data)
    return buffer.getvalue()


@contextmanager
def unpacked(bundle: Path) -> Iterator[Path]:
    """Yield a folder with the files of a crate, which is removed later.

    Raises MatchError if it is not one, or if a file differs from its digest.
    """
    with TemporaryDirectory(prefix="cardhub-") as folder, explained(bundle):
        try:
            with zipfile.ZipFile(bundle) as source:
                entities = json.loads(source.read(METADATA))["@graph"]
                digests = {e["@id"]: e["sha256"] for e in entities if "sha256" in e}
                source.extractall(folder)
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError, RecursionError) as error:
            raise MatchError(f"{bundle} is not a bundle of a match: {error}") from error
        for name, digest in digests.items():
            path = Path(folder, name)
            if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
                raise MatchError(f"{bundle}: {name} differs from its digest in {METADATA}")
        yield Path(folder)
