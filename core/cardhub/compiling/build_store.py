"""The folder of a build: written by one program at a time, and replaced as a whole."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from cardhub.base.errors import CardhubError
from cardhub.base.files import reserve
from cardhub.base.native.finder import LIBRARY, digest, manifest_of
from cardhub.base.native.folder import MANIFEST, VARIABLE
from cardhub.compiling.hot_modules import generator_sources
from cardhub.compiling.native_build import BuildRequest, BuildResult, NativeBuild, silent


@contextmanager
def reserved(target: Path) -> Iterator[None]:
    """Lock a folder against other builds; raises CardhubError if another program builds there."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        busy = "another program is compiling into it. fix: wait until that has ended"
        with reserve(target, busy, is_new=True):
            yield
    except OSError as error:
        raise CardhubError(
            f"cannot write into {error.filename or target.parent}: {error.strerror}. "
            f"fix: name another folder, in the variable {VARIABLE} for this and all later commands"
        ) from error


def build(
    request: BuildRequest,
    target: Path,
    games: Iterable[str],
    progress: Callable[[str], None] = silent,
) -> BuildResult:
    """Build into `target`, which is replaced as a whole once the build has succeeded.

    `progress` is called with each step of the build. Raises CardhubError if the folder cannot be
    written, or the compiler fails.
    """
    with reserved(target), TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as new:
        # Before they are compiled: a source that changes during the build then differs from its
        # hash.
        read = (*request.modules.values(), *generator_sources())
        hashes = {path: digest(path) for path in read}
        with TemporaryDirectory(prefix="cardhub-build-") as temporary:
            native = NativeBuild(request, Path(temporary), progress)
            native.run()
            shutil.copytree(Path(temporary, "out"), Path(new, "new"))
        result = native.result
        modules = {name: request.modules[name] for name in result.files if name != LIBRARY}
        manifest = manifest_of(games, modules, hashes)
        Path(new, "new", MANIFEST).write_text(manifest.as_json(), "utf-8")
        # Programs that start at this moment see a whole build or none.
        if target.exists():
            target.rename(Path(new, "old"))
        Path(new, "new").rename(target)
        return result


def remove(target: Path) -> bool:
    """Delete a build; return whether there was one."""
    if not target.exists():
        return False
    with reserved(target), TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as old:
        target.rename(Path(old, "old"))
    return True
