"""Lock files (PEP 751): the exact versions of all libraries that a match needs."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import explained
from cardhub.plugins.groups import OWN

LOCK = "pylock.toml"
FIX = (
    "fix: pip 25.1 or later writes it, with access to its index: python -m pip install --upgrade "
    "pip; or pass a lock file of this environment: --lock FILE"
)


def installed_versions(roots: Iterable[str]) -> dict[str, str]:
    """Return the versions of packages and of all that they need, by name, without cardhub's own."""
    versions: dict[str, str] = {}
    waiting = [Requirement(root) for root in roots]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        needed = waiting.pop()
        key = canonicalize_name(needed.name), frozenset(needed.extras)
        if key in seen:
            continue
        seen.add(key)
        try:
            package = metadata.distribution(needed.name)
        except metadata.PackageNotFoundError:
            continue  # an extra that is not installed
        versions[key[0]] = package.version
        extras = needed.extras or {""}
        for text in package.requires or ():
            other = Requirement(text)
            if other.marker is None or any(other.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(other)
    versions.pop(OWN, None)
    return versions


def ask_pip(versions: Mapping[str, str]) -> str:
    """Return the lock file that pip writes for these versions; raises MatchError."""
    pins = [f"{name}=={version}" for name, version in sorted(versions.items())]
    with TemporaryDirectory(prefix="cardhub-") as folder:
        path = Path(folder, LOCK)
        command = [sys.executable, "-m", "pip", "lock", "--quiet", "--no-deps", "-o", str(path)]
        run = subprocess.run([*command, *pins], capture_output=True, text=True, check=False)
        if run.returncode or not path.exists():
            lines = run.stderr.strip().splitlines()
            raise MatchError(f"there is no lock file: {lines[-1] if lines else 'no pip'}\n{FIX}")
        return path.read_text("utf-8")


def read_lock(path: Path) -> str:
    """Return the text of a lock file; raises MatchError."""
    with explained(path):
        return path.read_text("utf-8")


def build_lock(
    text: str, versions: Mapping[str, str], wheels: Mapping[str, bytes], cardhub: str
) -> bytes:
    """Return a lock file to which the wheels of a bundle are added by their paths.

    `text`: a lock file with the `versions` of all libraries. `cardhub`: its version with its
    digest. Raises MatchError if a library is missing in the file, or has another version.
    """
    try:
        import tomli_w  # an extra, like the next one
        from packaging import pylock
    except ImportError as error:
        from cardhub.lab.bundle.crate import FIX as INSTALL

        raise MatchError(f"a library is not installed: {error.name}\n{INSTALL}") from error
    try:
        lock = pylock.Pylock.from_dict(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, pylock.PylockValidationError) as error:
        raise MatchError(f"the lock file cannot be read: {error}\n{FIX}") from error
    locked: dict[str, pylock.Package] = {package.name: package for package in lock.packages}
    for name, version in versions.items():
        other = locked[name].version if name in locked else None
        if other != Version(version):
            raise MatchError(
                f"the lock file has {name} {other or 'not at all'}, installed is {version}\n{FIX}"
            )
    content: dict[str, Any] = dict(lock.to_dict())
    kept = [row for row in content["packages"] if row["name"] in versions]
    own = [_entry(name, data) for name, data in wheels.items()]
    content["packages"] = sorted([*kept, *own], key=lambda row: str(row["name"]))
    content["created-by"] = "cardhub"
    content["tool"] = {"cardhub": {"version": cardhub}}
    return tomli_w.dumps(content).encode()


def _entry(path: str, data: bytes) -> dict[str, Any]:
    name, version, *_ = Path(path).name.split("-")
    return {
        "name": canonicalize_name(name),
        "version": version,
        "wheels": [{"path": path, "hashes": {"sha256": sha256(data).hexdigest()}}],
    }
