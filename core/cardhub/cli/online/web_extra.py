"""Commands that need the extra `cardhub[web]`."""

from collections.abc import Iterator
from contextlib import contextmanager

from cardhub.base.errors import MissingLibraryError

LIBRARIES = {"segno", "starlette", "uvicorn", "websockets"}


@contextmanager
def needs_web(command: str) -> Iterator[None]:
    """Raise MissingLibraryError if the block imports a library of the extra that is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        why = f"`cardhub {command}` needs {error.name}, which is not installed"
        raise MissingLibraryError(f"{why}. fix: pip install 'cardhub[web]'") from error
